"""TP707: without ``set_epoch`` a distributed sampler repeats its order."""
from __future__ import annotations

from torch.utils.data import DataLoader, DistributedSampler


def orders(epochs: int, tell: bool) -> list[list[int]]:
    sampler = DistributedSampler(range(32), num_replicas=2, rank=0)
    loader = DataLoader(range(32), batch_size=4, sampler=sampler)
    found = []
    for epoch in range(epochs):
        if tell:
            sampler.set_epoch(epoch)
        found.append([int(number) for batch in loader for number in batch])
    return found


def test_every_epoch_is_the_first() -> None:
    first, second, third = orders(3, tell=False)
    assert first == second == third


def test_set_epoch_draws_another_part_in_another_order() -> None:
    first, second = orders(2, tell=True)
    assert first != second
    assert set(first) != set(second)
