"""TP201 eval-mode-missing: without ``eval()`` an evaluation is random, and changes the module."""
from __future__ import annotations

import torch
from torch import nn


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 4))


def test_a_module_begins_in_train_mode() -> None:
    assert network().training


def test_no_grad_and_inference_mode_leave_dropout_on() -> None:
    net, x = network(), torch.randn(16, 8)
    with torch.no_grad():
        assert not torch.equal(net(x), net(x))
    with torch.inference_mode():
        assert not torch.equal(net(x), net(x))


def test_evaluating_in_train_mode_moves_the_running_statistics() -> None:
    net = network()
    before = net[1].running_mean.clone()
    with torch.no_grad():
        net(torch.randn(16, 8))
    assert not torch.equal(net[1].running_mean, before)


def test_in_train_mode_an_output_depends_on_its_neighbours() -> None:
    net, x = network()[:3], torch.randn(16, 8)
    with torch.no_grad():
        assert not torch.allclose(net(x)[:4], net(x[:4]))


def test_in_eval_mode_outputs_repeat_and_nothing_moves() -> None:
    net, x = network().eval(), torch.randn(16, 8)
    before = net[1].running_mean.clone()
    with torch.no_grad():
        assert torch.equal(net(x), net(x))
        assert torch.allclose(net(x)[:4], net(x[:4]), atol=1e-6)
    assert torch.equal(net[1].running_mean, before)


def test_layers_without_modes_do_not_care() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.GELU(), nn.LSTM(8, 8))
    x = torch.randn(4, 8)
    with torch.no_grad():
        trained = net(x)[0]
        assert torch.equal(trained, net.eval()(x)[0])
