"""The base is initialised in time, by one way or another."""
from dataclasses import dataclass

import torch
from torch import nn


class Ordered(nn.Module):
    def __init__(self, width: int) -> None:
        self.width = width
        self.table = torch.zeros(width)
        self.extra = None
        super().__init__()
        self.fc = nn.Linear(width, width)


class Explicit(nn.Module):
    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.fc = nn.Linear(1, 1)


class Inherits(Explicit):
    def forward(self, x):
        return self.fc(x)


class Prepared(nn.Module):
    def __init__(self, width: int) -> None:
        self._prepare(width)
        self.out = nn.Linear(width, 1)

    def _prepare(self, width: int) -> None:
        super().__init__()
        self.width = width


class Registered(nn.Module):
    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        nn.Module.__init__(made)
        return made


class Small(Registered):
    def __init__(self) -> None:
        self.fc = nn.Linear(1, 1)


@dataclass(eq=False)
class Sized(nn.Module):
    width: int

    def __post_init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(self.width, self.width)

    def forward(self, x):
        return self.fc(x)


class Mixin:
    def __init__(self) -> None:
        self.fc = nn.Linear(1, 1)


class Either(Mixin, nn.Module):
    def __init__(self) -> None:
        for base in (nn.Module, Mixin):
            base.__init__(self)
        self.head = nn.Linear(1, 1)


class Trainer:
    def __init__(self) -> None:
        self.model = Either()


class Interface(nn.Module):
    def __init__(self) -> None:
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError
