"""TP104: a second backward pass through a graph that the first has freed."""
from __future__ import annotations

import pytest
import torch
from torch import nn

TWICE = "backward through the graph a second time"


def test_the_same_loss() -> None:
    loss = nn.Linear(2, 1)(torch.ones(1, 2)).pow(2).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match=TWICE):
        loss.backward()


def two_losses(detach: bool, retain: bool) -> None:
    """Go backward from two losses over one encoder."""
    encoder, head = nn.Linear(2, 3), nn.Linear(3, 1)
    features = encoder(torch.ones(1, 2)).tanh()
    head(features).sum().backward(retain_graph=retain)
    head(features.detach() if detach else features).sum().backward()


def test_a_shared_encoder() -> None:
    with pytest.raises(RuntimeError, match=TWICE):
        two_losses(detach=False, retain=False)
    two_losses(detach=True, retain=False)
    two_losses(detach=False, retain=True)


def recurrent(detach: bool) -> None:
    """Go backward in each of two iterations that share a hidden state."""
    rnn = nn.GRU(2, 3)
    hidden = torch.zeros(1, 1, 3)
    for _ in range(2):
        output, hidden = rnn(torch.ones(1, 1, 2), hidden)
        output.sum().backward()
        if detach:
            hidden = hidden.detach()


def test_a_hidden_state() -> None:
    with pytest.raises(RuntimeError, match=TWICE):
        recurrent(detach=False)
    recurrent(detach=True)


def test_where_nothing_was_saved_gradients_double() -> None:
    weight = torch.ones(2, requires_grad=True)
    loss = (weight + 1.0).sum()
    loss.backward()
    loss.backward()
    assert weight.grad is not None
    assert weight.grad.tolist() == [2.0, 2.0]
