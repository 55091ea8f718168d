"""Whatever makes the tensor contiguous again, or does not need it to be."""
import torch
import torch.nn.functional as F
from torch import nn


def copies(x: torch.Tensor) -> torch.Tensor:
    b, t, h, d = x.shape
    y = x.transpose(1, 2)
    first = y.contiguous().view(b, h * t, d)
    second = y.reshape(b, -1)
    third = y.flatten(1).view(-1)
    return first.sum() + second.sum() + third.sum()


def contiguous_results(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    b, t, d = x.shape
    y = x.transpose(1, 2)
    probabilities = y.softmax(-1).view(b, d * t)
    product = (y @ x).view(b, d * d)
    joined = torch.cat([y, y], dim=1).view(-1)
    projected = F.linear(y, weight).view(b, -1)
    best = y.argmax(dim=1).view(-1)
    return probabilities.sum() + product.sum() + joined.sum() + projected.sum() + best.sum()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 8, batch_first=True)
        self.norm = nn.BatchNorm1d(8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        out, (hidden, _) = self.lstm(x)
        last = out[:, -1].view(x.size(0), -1)
        normed = self.norm(out.transpose(1, 2)).view(x.size(0), -1)
        return self.head(last), normed, out.contiguous().view(-1, 8), hidden.view(-1, 8)
