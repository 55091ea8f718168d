import torch
import torch.nn.functional as F
from torch import nn

each = nn.CrossEntropyLoss(reduction="none")
mean = nn.CrossEntropyLoss()


def losses(out: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
    loss = each(out, y)
    worst = loss[0]
    rows = out.sum(1)[0]
    kept = out.mean(dim=1, keepdim=True)[0]
    best = out.max(dim=1)[0]
    values = out.max(1)
    top = values[0]
    pair = torch.stack([mean(out, y), worst])
    return [loss[0], pair[0], rows, kept[0], best, top]


def containers(out: torch.Tensor, y: torch.Tensor) -> None:
    loss = [mean(out, y)]
    print(loss[0].item())
    loss = {0: mean(out, y)}
    print(loss[0].item())
    history = (mean(out, y).item(), 0.0)
    print(history[0])


def shapes(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    loss = mean(out, y)
    print(loss.item(), loss.detach())
    return torch.cat([loss[None], loss[...].unsqueeze(0), loss.view(1)[0:], loss.reshape(-1)])
