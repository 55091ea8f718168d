"""Layers that do not hear of `eval()`."""
import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width: int = 64, p: float = 0.5) -> None:
        super().__init__()
        self.p = p
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc1 = nn.Linear(width, width)
        self.fc2 = nn.Linear(width, 10)

    def forward(self, images):
        x = F.dropout2d(self.conv(images))  # expect: TP209:13
        x = F.relu(self.fc1(x.flatten(1)))
        x = F.dropout(x, p=self.p)  # expect: TP209:13
        return F.dropout(self.fc2(x), 0.1, training=True)  # expect: TP209:44


class Attention(nn.Module):
    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.residual = nn.Dropout(dropout)
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        out = F.scaled_dot_product_attention(
            q,
            k,
            v,
            dropout_p=self.dropout,  # expect: TP209:13
        )
        return x + F.dropout(out, self.residual.p)  # expect: TP209:20


def noisy(x):
    return torch.nn.functional.dropout(x, 0.2)  # expect: TP209:12


class SelfNormalizing(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.bn = nn.BatchNorm1d(width)

    def forward(self, x):
        x = F.selu(self.fc(noisy(x)))
        x = F.batch_norm(x, self.bn.running_mean, self.bn.running_var, training=True)  # expect: TP209:72
        x = F.rrelu(x)  # expect: TP209:13
        return F.alpha_dropout(x, 0.1)  # expect: TP209:16
