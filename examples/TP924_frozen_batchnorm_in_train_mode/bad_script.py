import torch
from torch import nn
from torchvision import models

net = models.resnet18(weights="DEFAULT")
for p in net.parameters():  # expect: TP924:1
    p.requires_grad = False
net.fc = nn.Linear(512, 5)
optimizer = torch.optim.SGD(net.fc.parameters(), lr=0.1)


def epoch(loader):
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
