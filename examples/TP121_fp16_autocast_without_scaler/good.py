"""Types and devices that need no scaler, and passes that do not train."""
import torch
import torch.nn.functional as F
from torch import nn


def bfloat16(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def on_the_cpu(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu"):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def switched_off(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=False):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def as_configured(model: nn.Module, loader, optimizer: torch.optim.Optimizer, dtype):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def teacher_only(teacher: nn.Module, model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    teacher.eval()
    for x in loader:
        with torch.no_grad(), torch.autocast("cuda"):
            target = teacher(x)
        loss = F.mse_loss(model(x), target.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model: nn.Module, loader):
    model.eval()
    right = 0
    for x, y in loader:
        with torch.autocast("cuda"):
            right += (model(x).argmax(1) == y).sum().item()
    return right
