"""TP128: the grad mode of a suspended generator is that of its reader."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset


def inside() -> Iterator[torch.Tensor]:
    with torch.no_grad():
        yield torch.ones(2)


def after() -> Iterator[torch.Tensor]:
    with torch.no_grad():
        x = torch.ones(2)
    yield x


@torch.inference_mode()
def decorated() -> Iterator[torch.Tensor]:
    with torch.no_grad():
        yield torch.ones(2)


class Stream(IterableDataset[torch.Tensor]):
    """A dataset whose samples are made without gradients."""

    def __iter__(self) -> Iterator[torch.Tensor]:
        with torch.no_grad():
            yield torch.ones(2)
            yield torch.ones(2)


def test_the_reader_runs_without_gradients() -> None:
    weight = torch.ones(2, requires_grad=True)
    for x in inside():
        with pytest.raises(RuntimeError, match="does not require grad"):
            (weight * x).sum().backward()
    assert torch.is_grad_enabled()


def test_a_loader_without_workers_passes_the_mode_on() -> None:
    assert [torch.is_grad_enabled() for _ in DataLoader(Stream())] == [False, False]


def test_a_yield_after_the_block_leaves_gradients_on() -> None:
    assert [torch.is_grad_enabled() for _ in after()] == [True]


def test_the_decorator_switches_around_each_resumption() -> None:
    assert [torch.is_grad_enabled() and not torch.is_inference_mode_enabled() for _ in decorated()] == [True]


def test_a_list_is_complete_before_its_reader_goes_on() -> None:
    known = list(inside())
    assert torch.is_grad_enabled() and len(known) == 1


@torch.no_grad()
def half_decorated() -> Iterator[torch.Tensor]:
    with torch.inference_mode():
        yield torch.ones(2)


def test_no_grad_as_decorator_does_not_undo_inference_mode() -> None:
    assert [torch.is_inference_mode_enabled() for _ in half_decorated()] == [True]
