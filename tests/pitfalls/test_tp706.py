"""TP706 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

PROGRAM = """\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import *

def main(rank, world_size, data: Dataset, sampler=None, options={{}}):
    {setup}
    model = {model}
    loader = {loader}
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in {iterated}:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
"""
DEFAULTS = {
    "setup": 'dist.init_process_group("gloo")',
    "model": "DDP(nn.Linear(2, 2))",
    "loader": "DataLoader(data, 8, shuffle=True)",
    "iterated": "loader",
}


def found(**parts: str) -> list[tuple[int, int]]:
    text = PROGRAM.format(**{**DEFAULTS, **parts})
    return [(line, column) for line, column, _ in check(text, ["TP7"])]


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"iterated": "zip(loader, loader)"},
        {"loader": "DataLoader(data, 8, True)"},
        {"loader": "DataLoader(TensorDataset(torch.ones(2), torch.ones(2)), 8)"},
        {"loader": "DataLoader(data, 8, shuffle=True, sampler=None)"},
        {"model": "DDP(nn.Linear(2, 2)) if world_size > 1 else nn.Linear(2, 2)"},
    ],
)
def test_every_rank_sees_all(parts: dict[str, str]) -> None:
    assert found(**parts) == [(10, 14)]


@pytest.mark.parametrize(
    "parts",
    [
        {"model": "nn.Linear(2, 2)"},
        {"loader": "DataLoader(data, 8, sampler=sampler)"},
        {"loader": "DataLoader(data, batch_sampler=sampler)"},
        {"loader": "DataLoader(data, 8, shuffle=True, **options)"},
        {"loader": "DataLoader(data.shard(world_size, rank), 8, shuffle=True)"},
        {"loader": "DataLoader(Subset(data, range(rank, 9, world_size)), 8, shuffle=True)"},
        {"setup": 'dist.init_process_group("gloo", rank=0, world_size=1)'},
        {"setup": "torch.manual_seed(rank)"},
        {"setup": "unknown = 1", "iterated": "mystery(loader)", "loader": "mystery(data)"},
    ],
)
def test_ranks_see_parts(parts: dict[str, str]) -> None:
    assert found(**parts) == []
