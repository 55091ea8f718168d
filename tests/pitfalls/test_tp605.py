"""TP605 beyond its examples."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import logging, math, random, time, warnings
import numpy as np
import torch
from torch import nn
log = logging.getLogger('x')
class Net(nn.Module):
    def __init__(self, flag=False):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.flag = flag
        self.log = logging.getLogger('y')
    def forward(self, x, mask=None, n=1):
        h = self.linear(x)
"""
LINES = HEAD.count("\n")


def found(body: str, tail: str = "net = torch.compile(Net())") -> list[tuple[int, int]]:
    text = f"{HEAD}{textwrap.indent(body, ' ' * 8)}\n        return h\n{tail}\n"
    return [(line - LINES, column - 8) for line, column, _ in check(text, ["TP605"])]


@pytest.mark.parametrize(
    "body, column",
    [
        ("s = h.max().item()", 5),
        ("s = x.item()", 5),
        ("s = h.long().tolist()", 5),
        ("s = int(h.argmax())", 5),
        ("s = math.sqrt(h.sum())", 5),
        ("if h.sum() > 0: h = h + 1", 1),
        ("if self.training and not h.any(): h = h + 1", 1),
        ("h = h if bool((h > 0).all()) else -h", 5),
        ("while torch.linalg.norm(h) > 1: h = h / 2", 1),
        ("m = h > 0\nh[m]", -1),
        ("h[~(h > 0)]", 1),
        ("h[torch.isnan(h)]", 1),
        ("h.nonzero()", 1),
        ("torch.where(h > 0)", 1),
        ("torch.unique(h)", 1),
        ("print(h.shape)", 1),
        ("self.log.info('x')", 1),
        ("log.debug('x')", 1),
        ("logging.warning('x')", 1),
        ("warnings.warn('x')", 1),
        ("time.time()", 1),
        ("p = random.random()", 5),
        ("p = np.random.rand()", 5),
        ("p = np.random.uniform(0, 1)", 5),
        ("p = np.random.choice([1, 2])", 5),
        ("torch.manual_seed(0)", 1),
        ("torch.save(h, 'f')", 1),
        ("a = np.bincount(h.cpu().numpy())", 5),
        ("breakpoint()", 1),
        ("if n % 100 == 0: print(n)", 18),
        ("assert h.sum().item() > 0", 8),
        ("assert not h.isnan().any()", 1),
        ("with torch.no_grad(): print(1)", 23),
        ("for _ in range(3): print(1)", 20),
    ],
)
def test_breaks(body: str, column: int) -> None:
    line = body.count("\n") + 1
    assert found(body) == [(line, column if column > 0 else 1)]


@pytest.mark.parametrize(
    "body",
    [
        "a = h.detach().cpu().numpy()",
        "a = np.tanh(h.numpy())",
        "p = np.random.rand(4)",
        "p = np.random.normal(size=4)",
        "p = random.randint(0, 3)",
        "assert (h > 0).all()",
        "assert h.size(0) == 4, h.max().item()",
        "if h.shape[0] > 1 or h.size(1) > 2 or h.numel() > 3: h = h + 1",
        "if h is not None: h = h + 1",
        "if x in self.seen: h = h + 1",
        "if n > 3: h = h + 1",
        "if self.flag: print(h)",
        "if mask is not None: h = h[mask.bool()]",
        "if mask is not None and mask.any(): h = h + 1",
        "try:\n    h = h + 1\nexcept ValueError:\n    print('x')",
        "if n > 3:\n    raise ValueError(h.sum().item())",
        "h[h > 0] = 0",
        "h = torch.where(h > 0, h, 0.0)",
        "s = float(h.shape[0]) + int(n) + math.sqrt(h.size(0))",
        "d = {}.items()",
        "if torch.compiler.is_compiling():\n    return h\nprint(h)",
        "def inner(): print(h)",
        "s = f'{h}'",
    ],
)
def test_traced_or_unknown(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "tail",
    [
        "net = Net()",
        "net = torch.jit.script(Net())",
        "net = torch.compile(Net(), disable=True)",
        "net = re.compile(Net())",
        "net = compile(Net())",
    ],
)
def test_not_compiled(tail: str) -> None:
    assert found("print(1)", tail) == []


@pytest.mark.parametrize(
    "tail",
    [
        "torch.compile(mode='default')(Net())",
        "net = Net()\nnet.compile()",
        "net = Net()\nnet.forward = torch.compile(net.forward)",
        "from torch import compile\nnet = compile(Net())",
        "make = torch.compile\nnet = make(Net())",
        "net = torch.compile(nn.Sequential(Net(), nn.ReLU()))",
        "net = torch.compile(nn.parallel.DistributedDataParallel(Net()))",
        "class Outer(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.inner = nn.ModuleList([Net()])\n    def forward(self, x):\n        for one in self.inner:\n"
        "            x = one(x)\n        return x\nnet = torch.compile(Outer())",
        "def speed(model):\n    return torch.compile(model)\nspeed(Net())",
        "def speed(model: nn.Module):\n    return torch.compile(model)\nspeed(Net())",
        "class T:\n    def __init__(self, net: Net):\n        self.net = torch.compile(net, fullgraph=True)",
        "@torch.compile()\ndef f(x):\n    return Net()(x)",
    ],
)
def test_ways_to_compile(tail: str) -> None:
    assert found("print(1)", tail) == [(1, 1)]


def test_captured_in_a_full_graph() -> None:
    tail = "net = torch.compile(Net(), fullgraph=True)"
    assert found("s = h.max().item()\nh[h > 0]\nif s: h = h\nprint(1)", tail) == [(4, 1)]


def test_scalars_are_captured_where_that_is_said() -> None:
    for option in (
        "torch._dynamo.config.capture_scalar_outputs = True",
        "import os\nos.environ['TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS'] = '1'",
        "torch._dynamo.config.patch(capture_scalar_outputs=True)",
    ):
        assert found("s = h.max().item()", f"net = torch.compile(Net())\n{option}") == []


def test_other_files() -> None:
    text = """
        import torch
        from models.net import Net, Quiet
        net = torch.compile(Net())
        quiet = torch.compile(Quiet())
    """
    net = """
        from torch import nn
        from models.parts import Part
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.part = nn.Linear(2, 2)
            def forward(self, x):
                return self.part(x) / x.max().item()
        class Quiet(nn.Module):
            def forward(self, x):
                return x
    """
    files = {"a.py": text, "models/__init__.py": "", "models/net.py": net, "models/parts.py": "class Part: pass"}
    assert check(files, ["TP605"]) == [(4, 7, "TP605")]


def test_method_put_back_compiled() -> None:
    text = """
        import torch
        class Agent:
            def __init__(self):
                self.update = torch.compile(self.update)
            def update(self, x):
                error = x.abs().mean()
                return error.item()
    """
    assert check(text, ["TP605"]) == [(8, 16, "TP605")]


def test_calls_under_flags_are_not_followed() -> None:
    text = """
        import torch, warnings
        def warn():
            warnings.warn("x")
        @torch.compile
        def f(x, bonus=0.0):
            if bonus > 0:
                warn()
            return x
    """
    assert check(text, ["TP605"]) == []


def test_tensor_or_something_else() -> None:
    text = """
        from typing import Tuple, Union
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self, ratio: Union[torch.Tensor, Tuple[float, float]]):
                super().__init__()
                self.ratio = ratio
            def forward(self, x, low: torch.Tensor):
                if self.ratio[0] < 1:
                    x = x + 1
                if low[0] < 1:
                    x = x + 1
                return x
        net = torch.compile(Net((0.5, 2.0)))
    """
    assert check(text, ["TP605"]) == [(12, 9, "TP605")]
