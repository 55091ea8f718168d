"""A term that never reaches the loss."""
import torch
import torch.nn as nn
from torch.nn.functional import kl_div, log_softmax, softmax


def distill(student: nn.Module, teacher: nn.Module, loader):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    teacher.eval()
    for x, y in loader:
        with torch.no_grad():
            soft = softmax(teacher(x), dim=1)
        scores = student(x)
        soft_loss = kl_div(log_softmax(scores, dim=1), soft, reduction="batchmean")  # expect: TP126:9
        hard_loss = criterion(scores, y)
        optimizer.zero_grad()
        hard_loss.backward()
        optimizer.step()
