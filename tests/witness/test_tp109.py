"""TP109 on real torch: what is cut from its graph trains nothing."""
from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Variable


pytestmark = pytest.mark.filterwarnings("ignore:Converting a tensor")


@pytest.fixture
def net():
    torch.manual_seed(0)
    return nn.Linear(3, 2)


X = torch.arange(12.0).view(4, 3) / 10
Y = torch.tensor([0, 1, 0, 1])

CUT = {
    "detach": lambda loss: loss.detach(),
    "data": lambda loss: loss.data,
    "tensor": lambda loss: torch.tensor(loss.item()),
    "list": lambda loss: torch.tensor([loss, loss]).mean(),
    "legacy": lambda loss: torch.FloatTensor([loss, loss]).mean(),
    "as_tensor": lambda loss: torch.as_tensor([loss, loss]).mean(),
    "numpy": lambda loss: torch.from_numpy(np.asarray(loss.detach().numpy())),
    "variable": lambda loss: Variable(loss),
    "compare": lambda loss: (loss > 0).float(),
}


@pytest.mark.parametrize("cut", CUT.values(), ids=CUT)
def test_backward_raises(net, cut):
    with pytest.raises(RuntimeError, match="does not require grad"):
        cut(F.cross_entropy(net(X), Y)).backward()


@pytest.mark.parametrize("cut", CUT.values(), ids=CUT)
def test_asking_for_a_gradient_hides_it(net, cut):
    loss = cut(F.cross_entropy(net(X), Y)).requires_grad_()
    before = net.weight.detach().clone()
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    loss.backward()
    optimizer.step()
    assert net.weight.grad is None
    assert torch.equal(net.weight, before)


def test_numbers_cannot_go_backward(net):
    with pytest.raises(AttributeError):
        F.cross_entropy(net(X), Y).item().backward()


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_nothing_is_recorded(net, mode):
    with mode():
        loss = F.cross_entropy(net(X), Y)
    with pytest.raises(RuntimeError, match="does not require grad"):
        loss.backward()


def test_predicted_classes_have_no_gradient(net):
    loss = F.mse_loss(net(X).argmax(1).float(), Y.float())
    loss.requires_grad = True
    loss.backward()
    assert net.weight.grad is None


def test_a_number_adds_no_gradient(net):
    def gradient(penalty):
        net.zero_grad()
        (F.cross_entropy(net(X), Y) + penalty(net.weight.abs().sum())).backward()
        return net.weight.grad.clone()

    alone = gradient(lambda penalty: 0)
    assert torch.equal(gradient(lambda penalty: penalty.item()), alone)
    assert torch.equal(gradient(lambda penalty: float(penalty)), alone)
    assert not torch.equal(gradient(lambda penalty: penalty), alone)


@pytest.mark.parametrize(
    "copy", [torch.tensor, Variable, lambda h: torch.from_numpy(h.detach().numpy())], ids=["tensor", "Variable", "numpy"]
)
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_layers_before_a_copy_are_not_trained(copy):
    lower, upper = nn.Linear(3, 4), nn.Linear(4, 2)
    F.cross_entropy(upper(copy(lower(X))), Y).backward()
    assert lower.weight.grad is None
    assert upper.weight.grad is not None


def test_the_loss_itself_trains(net):
    losses = [F.cross_entropy(net(X), Y), F.cross_entropy(net(X + 1), Y)]
    torch.stack(losses).mean().backward()
    assert net.weight.grad is not None


def test_a_leaf_whose_gradient_is_wanted():
    image = X.detach().clone().requires_grad_()
    (image[1:] - image[:-1]).square().sum().backward()
    assert image.grad is not None


@pytest.mark.parametrize("flat", ["round", "floor", "ceil", "sign", "trunc"])
def test_rounding_has_a_gradient_of_zero(net, flat):
    getattr(torch, flat)(net(X)).sum().backward()
    assert net.weight.grad.abs().sum() == 0
