"""TP125: an optimizer changes weights that a later backward pass needs."""
from __future__ import annotations

import pytest
import torch
from torch import nn

CHANGED = "modified by an inplace operation"


def deep() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))


def gan(discriminator: nn.Module, fresh: bool, detach: bool = False) -> None:
    """Take the discriminator's step, then go backward from the generator's loss."""
    generator = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.1)
    fake = generator(torch.ones(1, 2))
    d_loss = discriminator(fake.detach()).sum()
    given = fake.detach() if detach else fake
    g_loss = discriminator(given).sum()
    d_loss.backward()
    optimizer.step()
    if fresh:
        g_loss = discriminator(given).sum()
    g_loss.backward()


@pytest.mark.parametrize("discriminator", [deep(), nn.Linear(2, 1)], ids=["deep", "single"])
def test_generator_loss_before_the_step(discriminator: nn.Module) -> None:
    with pytest.raises(RuntimeError, match=CHANGED):
        gan(discriminator, fresh=False)
    gan(discriminator, fresh=True)


def test_single_layer_whose_input_needs_no_gradient() -> None:
    with pytest.raises(RuntimeError, match=CHANGED):
        gan(deep(), fresh=False, detach=True)
    gan(nn.Linear(2, 1), fresh=False, detach=True)


def two_losses(step_between: bool) -> None:
    """Go backward twice from one forward pass."""
    net = deep()
    optimizer = torch.optim.Adam(net.parameters())
    output = net(torch.ones(1, 2))
    output.sum().backward(retain_graph=True)
    if step_between:
        optimizer.step()
    output.abs().sum().backward()
    optimizer.step()


def test_two_losses_of_one_forward_pass() -> None:
    with pytest.raises(RuntimeError, match=CHANGED):
        two_losses(step_between=True)
    two_losses(step_between=False)


def test_step_without_gradients_changes_nothing() -> None:
    net = deep()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(torch.ones(1, 2)).sum()
    optimizer.zero_grad()
    optimizer.step()
    loss.backward()
