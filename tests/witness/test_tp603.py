"""TP603: the first call of a compiled function runs the compiler, the next does not."""
from __future__ import annotations

import time
from typing import Any

import torch
from torch import nn


def seconds(function: Any, x: torch.Tensor) -> float:
    start = time.perf_counter()
    function(x)
    return time.perf_counter() - start


def test_first_call_holds_the_compilation() -> None:
    torch.compiler.reset()
    compiled = []

    def backend(graph: Any, _: Any) -> Any:
        compiled.append(graph)
        return graph.forward

    fast = torch.compile(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), backend=backend)
    x = torch.ones(1, 4)
    assert compiled == []  # not by 'torch.compile' itself
    first = seconds(fast, x)
    assert len(compiled) == 1
    second = seconds(fast, x)
    assert len(compiled) == 1
    assert first > 5 * second
