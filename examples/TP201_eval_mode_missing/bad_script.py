import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

data = transforms.ToTensor()
train_loader = DataLoader(datasets.MNIST(".", train=True, transform=data), batch_size=64, shuffle=True, num_workers=2)  # expect: TP952:16
test_loader = DataLoader(datasets.MNIST(".", train=False, transform=data), batch_size=256, num_workers=2)  # expect: TP952:15

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Dropout(), nn.Linear(128, 10))
optimizer = optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for images, labels in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(images), labels).backward()
        optimizer.step()

    correct = 0
    with torch.no_grad():
        for images, labels in test_loader:
            predicted = model(images).max(1)[1]  # expect: TP201:25
            correct += (predicted == labels).sum().item()
    print(epoch, correct / len(test_loader.dataset))
