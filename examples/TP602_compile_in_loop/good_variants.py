import re
import time

import torch
from torch import nn


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return (q @ k.transpose(-2, -1)).softmax(dim=-1) @ v


def clock(function, *inputs: torch.Tensor) -> float:
    function(*inputs)
    start = time.perf_counter()
    function(*inputs)
    return time.perf_counter() - start


def compare(modes: list[str]) -> dict[str, float]:
    inputs = [torch.randn(4, 64, 32) for _ in range(3)]
    return_values = {}
    for mode in modes:
        return_values[mode] = clock(torch.compile(attention, mode=mode), *inputs)
    for backend in ("eager", "inductor"):
        return_values[backend] = clock(torch.compile(attention, backend=backend), *inputs)
    for trial in range(3):
        torch.compiler.reset()
        return_values[f"cold {trial}"] = clock(torch.compile(attention), *inputs)
    return return_values


def cross_validate(folds: int, x: torch.Tensor) -> list[nn.Module]:
    kept = []
    for _ in range(folds):
        net = nn.Linear(32, 1)
        fast = torch.compile(net)
        fast(x)
        kept.append(net)
    return kept


def run_trial(width: int, x: torch.Tensor) -> torch.Tensor:
    net = torch.compile(nn.Linear(32, width))
    return net(x)


def search(x: torch.Tensor) -> list[torch.Tensor]:
    return_values = []
    for width in range(8, 64, 8):
        return_values.append(run_trial(width, x))
    return return_values


def wrap_all(nets: dict[str, nn.Module]) -> None:
    for name, net in nets.items():
        nets[name] = torch.compile(net)

        @torch.compile
        def doubled(x, net=net):
            return net(x) * 2

        doubled(torch.ones(2, 2))


def matching(lines: list[str]) -> int:
    return sum(bool(re.compile("loss: ").search(line)) for line in lines)
