"""TP802: an operator without a fake implementation cannot be exported or compiled."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode


@torch.library.custom_op("witness_tp802::bare", mutates_args=())
def bare(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.negative(x.numpy()))


@torch.library.custom_op("witness_tp802::complete", mutates_args=())
def complete(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.negative(x.numpy()))


@complete.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


@torch.library.custom_op("witness_tp802::fill", mutates_args={"x"})
def fill(x: torch.Tensor) -> None:
    x.numpy()[:] = 1


def test_no_fake_implementation() -> None:
    with pytest.raises(Exception, match="no fake impl"), FakeTensorMode():
        bare(torch.empty(3))
    with pytest.raises(Exception, match="fake impl"):
        torch.compile(bare, backend="eager")(torch.ones(3))


def test_with_one_or_needing_none() -> None:
    with FakeTensorMode():
        assert complete(torch.empty(3)).shape == (3,)
        fill(torch.empty(3))
    assert torch.compile(complete, backend="eager")(torch.ones(3)).sum() == -3
