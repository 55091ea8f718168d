"""Functional layers that follow the mode, or are meant to be always on."""
import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width: int = 64, p: float = 0.5) -> None:
        super().__init__()
        self.p = p
        self.none = 0.0
        self.schedule = 0.1
        self.drop = nn.Dropout(p)
        self.fc = nn.Linear(width, 10)

    def set_epoch(self, epoch: int) -> None:
        self.schedule = 0.1 / (epoch + 1)

    def forward(self, x, rate=0.0, sample=False):
        x = F.dropout(x, self.p, self.training)
        x = F.dropout(self.drop(x), training=sample)
        x = F.dropout(F.dropout(F.dropout(x, 0), self.none), rate)
        x = F.dropout(x, self.schedule)
        if self.training:
            x = F.dropout(x)
        rate = self.p if self.training else 0.0
        x = F.scaled_dot_product_attention(x, x, x, dropout_p=rate)
        x = F.scaled_dot_product_attention(x, x, x, dropout_p=self.p if self.training else 0.0)
        x = F.alpha_dropout(x, 0.1, training=self.training)
        if not self.training:
            return self.fc(x)
        return self.fc(F.dropout(x))


class Prenet(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return F.dropout(F.relu(self.fc(x)), p=0.5, training=True)


class MCDropout(nn.Module):
    def forward(self, x):
        return F.dropout(x, training=True)


class StepNorm(nn.Module):
    def __init__(self, steps: int, width: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(steps, width))
        self.register_buffer("var", torch.ones(steps, width))

    def forward(self, x, step: int):
        x = F.batch_norm(x, None, None, training=True)
        return F.batch_norm(x, self.mean[step], self.var[step], training=True)


def augment(x):
    return F.dropout(x, 0.1)


print(augment(torch.ones(3)))
