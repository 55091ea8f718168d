"""No convolutions."""
import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms

device = "cuda" if torch.cuda.is_available() else "cpu"
data = torchvision.datasets.MNIST("data", transform=transforms.ToTensor())
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in DataLoader(data, 128, shuffle=True, num_workers=2, pin_memory=True):
    images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(images), labels).backward()
    optimizer.step()
