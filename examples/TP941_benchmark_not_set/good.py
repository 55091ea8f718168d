import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)).mean((2, 3)))


torch.backends.cudnn.benchmark = True
device = "cuda" if torch.cuda.is_available() else "cpu"
data = torchvision.datasets.CIFAR10("data", transform=transforms.ToTensor())
loader = DataLoader(data, batch_size=128, shuffle=True, num_workers=2, pin_memory=True)
net = Net().to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in loader:
    images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
    optimizer.zero_grad()
    with torch.autocast(device, dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(net(images), labels)
    loss.backward()
    optimizer.step()
