"""The data are moved, the model is not."""
import torch
import torch.nn as nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def probe() -> torch.Tensor:
    layer = nn.Linear(8, 8)
    x = torch.rand(4, 8).to(device)  # expect: TP945:9
    return layer(x)  # expect: TP402:12


def blend(count: int) -> torch.Tensor:
    points = torch.rand(count, 3, device="cuda")
    weights = torch.linspace(0, 1, count).unsqueeze(1)
    mixed = points * weights  # expect: TP402:13
    offsets = torch.zeros(count, 3, device="cuda:1")
    first = torch.rand(count, 3, device="cuda:0")
    return torch.cat([mixed, first + offsets])  # expect: TP402:30
