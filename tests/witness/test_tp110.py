"""TP110 on real torch: copies made by arithmetic stay in the graph."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

COPIES = {"clone": lambda x: x.clone(), "plus": lambda x: x + 0, "times": lambda x: x * 1, "function": torch.clone}
X = torch.arange(6.0).view(2, 3) / 6


@pytest.fixture
def net():
    torch.manual_seed(0)
    return nn.Linear(3, 2)


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_a_ratio_to_its_own_copy_has_no_gradient(net, copy):
    def gradient(save):
        net.zero_grad()
        log_probs = F.log_softmax(net(X), -1)
        (torch.exp(log_probs - save(log_probs)) * torch.tensor([1.0, -1.0])).sum().backward()
        return net.weight.grad.abs().sum()

    assert gradient(copy) == 0
    assert gradient(lambda x: x.detach()) > 0


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_a_target_is_trained(net, copy):
    encoder = nn.Linear(3, 2)
    F.mse_loss(net(X), copy(encoder(X))).backward()
    assert encoder.weight.grad is not None
    encoder.zero_grad()
    F.mse_loss(net(X), copy(encoder(X).detach())).backward()
    assert encoder.weight.grad is None


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_a_copy_kept_over_steps_raises(net, copy):
    old = copy(F.log_softmax(net(X), -1))
    (F.log_softmax(net(X), -1) - old).exp().sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        (F.log_softmax(net(X), -1) - old).exp().sum().backward()


def test_new_values_leave_nothing_to_flow(net):
    def gradient(save):
        net.zero_grad()
        q = net(X)
        target = save(q)
        target[:, 0] = 1.0
        F.mse_loss(q, target).backward()
        return net.weight.grad.clone()

    assert torch.equal(gradient(lambda q: q.clone()), gradient(lambda q: q.detach().clone()))
