import torch
from torch import nn
from torch.autograd import Variable  # expect: TP011:1
from torchvision import models

net = models.resnet18(pretrained=True)  # expect: TP011:7
net.fc = nn.utils.weight_norm(nn.Linear(512, 10))  # expect: TP011:10
criterion = nn.CrossEntropyLoss(size_average=False)  # expect: TP011:13


def penalty(weight: torch.Tensor) -> torch.Tensor:
    q, _ = torch.qr(weight)  # expect: TP011:12
    return torch.norm(weight) + torch.norm(q)  # expect: TP011:12


def loss(images, labels):
    images, labels = Variable(images), Variable(labels)
    return criterion(net(images), labels) + penalty(net.fc.weight)


torch.jit.script(net).save("net.pt")  # expect: TP011:1
