"""TP605: what is reported breaks a graph or leaves it uncompiled, and the look-alikes do not."""
from __future__ import annotations

import contextlib
import io
import logging
import math
import random
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch
import torch._dynamo
from torch import nn

log = logging.getLogger("witness")
log.setLevel(logging.ERROR)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def is_whole(function: Callable[..., object], **options: object) -> bool:
    """Return whether the compiler traces *function* as one graph."""
    compiled = torch.compile(function, backend="eager", fullgraph=True, **options)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compiled(torch.arange(1.0, 7.0))
        except Exception:
            return False
    return True


def breaks(function: Callable[..., object]) -> bool:
    """Return whether the default mode makes more than one graph of *function*, or none, or counts a break."""
    graphs = 0

    def backend(graph: torch.fx.GraphModule, _: object) -> Callable[..., object]:
        nonlocal graphs
        graphs += 1
        return graph.forward

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.compile(function, backend=backend)(torch.arange(1.0, 7.0))
    return graphs != 1 or sum(torch._dynamo.utils.counters["graph_break"].values()) > 0


def doubled(x: torch.Tensor) -> torch.Tensor:
    while x.sum() < 100:
        x = x * 2
    return x


def asserting(test: str) -> Callable[[torch.Tensor], object]:
    """Return a function that asserts *test*, written where pytest does not rewrite it."""
    scope: dict[str, Callable[[torch.Tensor], object]] = {}
    exec(f"def function(x):\n    assert {test}\n    return x + 1\n", {}, scope)
    return scope["function"]


def masked_write(x: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[x > 2] = 0
    return x + 1


def printing_loop(x: torch.Tensor) -> torch.Tensor:
    for _ in range(2):
        x = x + 1
        print("pass")
    return x


CAPTURED: dict[str, Callable[[torch.Tensor], object]] = {
    "item": lambda x: x + x.sum().item(),
    "tolist": lambda x: x + x.long().tolist()[0],
    "float": lambda x: x + float(x.sum()),
    "int": lambda x: x + int(x.sum()),
    "mask": lambda x: x[x > 2] + 1,
    "nonzero": lambda x: x.nonzero() + 1,
    "unique": lambda x: torch.unique(x) + 1,
    "where": lambda x: torch.where(x > 1)[0] + 1,
    "numpy.unique": lambda x: x + len(np.unique((x * 2).numpy())),
    "numpy.bincount": lambda x: np.bincount(x.numpy().astype(np.int64)),
}
NEVER: dict[str, Callable[[torch.Tensor], object]] = {
    "branch": lambda x: x + 1 if x.sum() > 0 else x - 1,
    "loop": doubled,
    "negated assert": asserting("not x.isnan().any()"),
    "print": lambda x: (print("x"), x + 1)[1],
    "print in a loop": printing_loop,
    "logger": lambda x: (log.info("x"), x + 1)[1],
    "warning": lambda x: (warnings.warn("x"), x + 1)[1],
    "clock": lambda x: x + time.time(),
    "random": lambda x: x + random.random(),
    "choice": lambda x: x + random.choice([1, 2]),
    "numpy's number": lambda x: x + np.random.rand(),
    "numpy.isin": lambda x: np.isin(x.numpy(), [1.0]),
    "seed": lambda x: (torch.manual_seed(0), x + 1)[1],
    "sqrt": lambda x: x + math.sqrt(x.sum()),
    "equal": lambda x: x + 1 if torch.equal(x, x) else x,
}
TRACED: dict[str, Callable[[torch.Tensor], object]] = {
    "numpy": lambda x: torch.from_numpy(np.tanh(x.detach().cpu().numpy())),
    "numpy's array": lambda x: x + torch.from_numpy(np.random.rand(6)),
    "randint": lambda x: x + random.randint(0, 3),
    "assert": asserting("(x > 0).all()"),
    "size": lambda x: x + 1 if x.size(0) > 3 and x.dim() == 1 and x.dtype == torch.float32 else x,
    "write": masked_write,
    "where": lambda x: torch.where(x > 2, x, 0.0),
    "iteration": lambda x: sum(row for row in x),
    "text": lambda x: (f"{x}", x + 1)[1],
}


@pytest.mark.parametrize("kind", [*CAPTURED, *NEVER])
def test_breaks(kind: str) -> None:
    assert breaks({**CAPTURED, **NEVER}[kind])


@pytest.mark.parametrize("kind", CAPTURED)
def test_full_graph_captures(kind: str) -> None:
    assert is_whole(CAPTURED[kind])


@pytest.mark.parametrize("kind", NEVER)
def test_full_graph_refuses(kind: str) -> None:
    assert not is_whole(NEVER[kind])


@pytest.mark.parametrize("kind", TRACED)
def test_traced(kind: str) -> None:
    assert not breaks(TRACED[kind]) and is_whole(TRACED[kind])


def test_settings_keep_the_graph() -> None:
    with torch._dynamo.config.patch(capture_scalar_outputs=True):
        assert not breaks(CAPTURED["item"])
    with torch._dynamo.config.patch(reorderable_logging_functions={print}):
        assert not breaks(NEVER["print"])


def test_question_who_runs_it() -> None:
    def asks(x: torch.Tensor) -> torch.Tensor:
        if not torch.compiler.is_compiling():
            print(x)
        return x + 1

    assert not breaks(asks)


def test_buffer_as_flag() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("ready", torch.tensor(False))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if not self.ready:
                x = x + 1
            return x * 2

    assert breaks(Net())
