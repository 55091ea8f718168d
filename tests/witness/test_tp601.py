"""TP601: a compiled `forward` runs no hooks; a compiled module, and a `forward` put back, do."""
from __future__ import annotations

import torch
from torch import nn


def hooked() -> tuple[nn.Module, list[str]]:
    seen: list[str] = []
    net = nn.Linear(2, 2)
    net.register_forward_hook(lambda *_: seen.append("hook"))
    return net, seen


def test_compiled_forward_skips_the_hooks() -> None:
    net, seen = hooked()
    compiled = torch.compile(net.forward, backend="eager")
    compiled(torch.ones(1, 2))
    assert seen == []
    assert not hasattr(compiled, "parameters")


def test_compiled_module_runs_them() -> None:
    net, seen = hooked()
    torch.compile(net, backend="eager")(torch.ones(1, 2))
    assert seen == ["hook"]


def test_compiled_in_place_runs_them() -> None:
    net, seen = hooked()
    net.compile(backend="eager")
    net(torch.ones(1, 2))
    assert seen == ["hook"]


def test_forward_put_back_runs_them() -> None:
    net, seen = hooked()
    net.forward = torch.compile(net.forward, backend="eager")
    net(torch.ones(1, 2))
    assert seen == ["hook"]
