"""TP913: inference mode counts no versions, and its tensors stay out of autograd."""
from __future__ import annotations

import pytest
import torch
from torch import nn


def test_no_grad_still_counts_versions() -> None:
    with torch.no_grad():
        y = nn.Linear(2, 2)(torch.ones(1, 2))
    assert y._version == 0 and not y.is_inference()


def test_inference_mode_does_not() -> None:
    net = nn.Linear(2, 2)
    with torch.inference_mode():
        y = net(torch.ones(1, 2))
    assert y.is_inference()
    with pytest.raises(RuntimeError, match="version counter"):
        _ = y._version
    with torch.no_grad():
        assert torch.equal(net(torch.ones(1, 2)), y)


def test_results_that_reach_autograd_raise() -> None:
    with torch.inference_mode():
        y = torch.ones(1, 2)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved"):
        nn.Linear(2, 2)(y)
