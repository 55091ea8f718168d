"""The optimizer is made last."""
import torch
import torchvision
from torch import nn, optim

model = torchvision.models.resnet18(weights="DEFAULT")
model.fc = nn.Linear(model.fc.in_features, 10)
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

for _ in range(100):
    images, labels = torch.randn(8, 3, 224, 224), torch.randint(0, 10, (8,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(images), labels).backward()
    optimizer.step()
