"""TP706: without a distributed sampler the gradients that the ranks average are those of one process."""
from __future__ import annotations

from pathlib import Path

import torch
import torch.distributed as dist
from ranks_witness import on_two_ranks
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def seen_and_gradient(divided: bool) -> tuple[list[float], float]:
    """Return the examples that this rank trains on in an epoch, and the gradient of its first batch."""
    dataset = TensorDataset(torch.arange(8.0).unsqueeze(1))
    sampler = DistributedSampler(dataset, shuffle=False) if divided else None
    torch.manual_seed(0)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler, shuffle=not divided)
    model = DistributedDataParallel(nn.Linear(1, 1, bias=False))
    batches = [batch for (batch,) in loader]
    model(batches[0]).mean().backward()
    [weight] = model.parameters()
    assert weight.grad is not None
    return torch.cat(batches).flatten().tolist(), weight.grad.item() - batches[0].mean().item()


def whole(rank: int, store: dist.Store) -> object:
    return seen_and_gradient(divided=False)


def divided(rank: int, store: dist.Store) -> object:
    return seen_and_gradient(divided=True)


def test_every_rank_does_the_same_work(tmp_path: Path) -> None:
    (first, difference), (second, _) = on_two_ranks(whole, tmp_path)
    assert first == second
    assert sorted(first) == list(range(8))
    assert difference == 0  # averaging changed nothing


def test_the_sampler_divides_the_data(tmp_path: Path) -> None:
    (first, difference), (second, _) = on_two_ranks(divided, tmp_path)
    assert set(first).isdisjoint(second)
    assert sorted(first + second) == list(range(8))
    assert difference != 0
