import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
from torchvision import models

net = models.resnet18(weights=models.ResNet18_Weights.DEFAULT)
net.fc = weight_norm(nn.Linear(512, 10))
criterion = nn.CrossEntropyLoss(reduction="sum")


def penalty(weight: torch.Tensor) -> torch.Tensor:
    q, _ = torch.linalg.qr(weight)
    return torch.linalg.vector_norm(weight) + torch.linalg.vector_norm(q)


def loss(images: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return criterion(net(images), labels) + penalty(net.fc.weight)


def update(mean: torch.Tensor, grad: torch.Tensor, beta: float, rate: float) -> None:
    mean.mul_(beta).add_(grad, alpha=1 - beta)
    mean.addcmul_(grad, grad, value=rate)
    mean.add_(rate)
    torch.addmm(mean, grad, grad, beta=0.5)


def grid(size: int, **options) -> tuple:
    return torch.meshgrid(torch.arange(size), torch.arange(size), indexing="xy"), torch.meshgrid(
        torch.arange(size), **options
    )
