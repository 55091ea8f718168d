"""A teacher's output made in inference mode meets the student's graph."""
import torch
import torch.nn.functional as F
from torch import nn

teacher = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10)).eval()
student = nn.Linear(16, 10)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)


def distill(x):
    with torch.inference_mode():
        target = teacher(x)
    loss = F.mse_loss(student(x), target)  # expect: TP119:12
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def weighted(x):
    with torch.inference_mode():
        weight = torch.rand(10)
    loss = (student(x) * weight.detach()).sum()  # expect: TP119:13
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
