"""TP202 eval-without-no-grad: ``eval()`` does not stop autograd from recording."""
from __future__ import annotations

import torch
from torch import nn


class Saved:
    """Counts the tensors that autograd keeps for a backward pass."""

    def __init__(self) -> None:
        self.count = 0

    def pack(self, tensor: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return tensor


def saved_by(net: nn.Module, x: torch.Tensor) -> int:
    saved = Saved()
    with torch.autograd.graph.saved_tensors_hooks(saved.pack, lambda tensor: tensor):
        net(x)
    return saved.count


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))


def test_eval_mode_records_a_graph_and_saves_activations() -> None:
    net, x = network().eval(), torch.randn(2, 8)
    assert net(x).grad_fn is not None
    assert saved_by(net, x) > 0


def test_no_grad_and_inference_mode_save_nothing() -> None:
    net, x = network().eval(), torch.randn(2, 8)
    with torch.no_grad():
        assert net(x).grad_fn is None
        assert saved_by(net, x) == 0
    with torch.inference_mode():
        assert saved_by(net, x) == 0


def test_a_kept_output_keeps_its_graph() -> None:
    net = network().eval()
    kept = [net(torch.randn(2, 8)) for _ in range(3)]
    assert all(output.grad_fn is not None for output in kept)


def test_frozen_parameters_record_nothing() -> None:
    net, x = network().eval().requires_grad_(False), torch.randn(2, 8)
    assert net(x).grad_fn is None
    assert saved_by(net, x) == 0


def test_set_grad_enabled_as_a_statement_works() -> None:
    net = network().eval()
    torch.set_grad_enabled(False)
    try:
        assert net(torch.randn(2, 8)).grad_fn is None
    finally:
        torch.set_grad_enabled(True)
