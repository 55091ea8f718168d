"""TP103: a stored loss keeps its graph, and with it the memory, alive."""
from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import torch
from torch import nn


def _graph_length(tensor: torch.Tensor) -> int:
    """Count the nodes of the graph behind *tensor*."""
    seen, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack.extend(above for above, _ in node.next_functions)
    return len(seen)


def _lengths_of_the_sum(detach: bool) -> list[int]:
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    total, lengths = torch.zeros(()), []
    for _ in range(4):
        loss = model(torch.randn(2, 3)).pow(2).mean()
        loss.backward()
        total += loss.detach() if detach else loss
        lengths.append(_graph_length(total))
    return lengths


def test_a_sum_of_losses_grows_by_a_graph_in_each_iteration() -> None:
    lengths = _lengths_of_the_sum(detach=False)
    steps = [later - earlier for earlier, later in zip(lengths, lengths[1:])]
    assert min(steps) > 0 and len(set(steps)) == 1


def test_a_detached_sum_does_not_grow() -> None:
    assert _lengths_of_the_sum(detach=True) == [0, 0, 0, 0]


def _activation_survives(keep: Callable[[torch.Tensor], object]) -> bool:
    """Return whether an activation is still in memory when only the loss was kept."""
    activation = nn.Linear(3, 1)(torch.randn(2, 3))
    alive = weakref.ref(activation)
    kept = keep(activation.sin().mean())
    del activation
    gc.collect()
    assert kept is not None
    return alive() is not None


def test_without_backward_the_activations_stay_too() -> None:
    def saved(loss: torch.Tensor) -> torch.Tensor:
        assert loss.grad_fn is not None
        return loss.grad_fn.next_functions[0][0]._saved_self

    assert saved(nn.Linear(3, 1)(torch.randn(2, 3)).sin().mean()).shape == (2, 1)
    assert not _activation_survives(torch.Tensor.detach)


def test_a_tensor_filled_by_index_carries_the_graphs() -> None:
    model = nn.Linear(3, 1)
    curve = torch.zeros(3)
    for step in range(3):
        curve[step] = model(torch.randn(2, 3)).mean()
    assert curve.requires_grad


def test_lists_drained_by_backward_are_right() -> None:
    model = nn.Linear(3, 1)
    losses = [model(torch.randn(2, 3)).mean() for _ in range(3)]
    torch.stack(losses).sum().backward()
    assert model.weight.grad is not None
