import torch
from torch import nn


class Registered(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.register_buffer("scale", torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width), requires_grad=False)
        self.handed = torch.ones(width, device=device)

    def forward(self, x):
        return x * self.scale + self.shift + self.handed


class MovedWhereUsed(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = torch.ones(width)
        self.shift = torch.zeros(width)
        self.kernel = torch.ones(1, 1, 3)
        self.grid = torch.arange(width)

    def forward(self, x):
        x = nn.functional.conv1d(x, self.kernel.type_as(x))
        if self.grid.device != x.device:
            self.grid = self.grid.to(x.device)
        shift = self.shift[: x.size(1)].to(x)
        return x * self.scale.to(x.device) + shift + self.grid


class NeverMeets(nn.Module):
    """Numbers, indices and shapes are no tensors on another device."""

    def __init__(self, width):
        super().__init__()
        self.temperature = torch.tensor(0.5)
        self.order = torch.arange(width - 1, -1, -1)
        self.rates = torch.linspace(0.0, 0.5, 12)
        self.table = torch.eye(width)
        self.threshold = torch.tensor([0.5])
        self.draws = torch.ones(width)
        self.linear = nn.Linear(width, width)

    def forward(self, x, epoch: int):
        x = self.linear(x)[:, self.order] / self.temperature
        x = x * self.rates[epoch] + self.rates.mean()
        if self.threshold.item() > 0.5:
            x = x[:, : self.table.shape[0]]
        index = torch.multinomial(self.draws, 1)
        return x[:, index]


class SetInForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hidden = torch.zeros(1, width)
        self.cell = nn.GRUCell(width, width)

    def reset(self, batch, device):
        self.hidden = torch.zeros(batch, self.cell.hidden_size, device=device)

    def forward(self, x):
        self.hidden = self.cell(x, self.hidden)
        return self.hidden


class MovesItself(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = torch.ones(width)

    def _apply(self, fn, recurse=True):
        self.scale = fn(self.scale)
        return super()._apply(fn, recurse)

    def forward(self, x):
        return x * self.scale


class Augment:
    """No module itself: nobody calls `to` on it."""

    def __init__(self):
        self.mean = torch.tensor([0.5, 0.5, 0.5])

    def __call__(self, image):
        return image - self.mean
