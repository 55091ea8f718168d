"""TP602 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

LOOP = """\
import torch
from torch import nn
def f(net: nn.Module, loader, args, kinds):
    {}
        {}
"""


def found(loop: str, body: str) -> list[tuple[int, int, str]]:
    return check(LOOP.format(loop, body), ["TP602"])


@pytest.mark.parametrize("loop", ["for x in loader:", "while args.go:", "for epoch in range(9):", "while True:"])
@pytest.mark.parametrize(
    "body", ["c = torch.compile(net)", "torch.compile(net)(args)", "c = torch.compile(net.encode, mode='default')"]
)
def test_each_pass(loop: str, body: str) -> None:
    [(line, _, code)] = found(loop, body)
    assert (line, code) == (5, "TP602")


@pytest.mark.parametrize(
    "body",
    [
        "if args.compile: c = torch.compile(net)",
        "c = torch.compile(net) if hasattr(torch, 'compile') else net",
        "if torch.cuda.is_available() and args.fast == 'yes': c = torch.compile(net)",
        "c = torch.compile(lambda t: net(t) * 2)",
    ],
)
def test_settings_do_not_help(body: str) -> None:
    [(line, _, code)] = found("for x in loader:", body)
    assert (line, code) == (5, "TP602")


@pytest.mark.parametrize(
    ("loop", "body"),
    [
        ("for kind in kinds:", "c = torch.compile(net, backend=kind)"),
        ("for kind in kinds:", "c = torch.compile(kinds[kind])"),
        ("for kind in kinds:", "c = torch.compile(kind())"),
        ("for kind in kinds:", "m = kind(); c = torch.compile(m)"),
        ("for kind in kinds:", "c = torch.compile(lambda x: kind(x))"),
        ("for i in range(3):", "net.layers[i] = torch.compile(net.layers[i])"),
        ("for kind in 'eager', 'inductor':", "c = torch.compile(net)"),
        ("for x in loader:", "c = torch.compile(net); break"),
        ("for i, x in enumerate(loader):", "if i == 0: c = torch.compile(net)"),
        ("for x in loader:", "if args.c is None: args.c = torch.compile(net)"),
        ("for x in loader:", "if not hasattr(net, 'c'): net.c = torch.compile(net)"),
        ("for x in loader:", "if 'c' not in args: args['c'] = torch.compile(net)"),
        ("for x in loader:", "torch._dynamo.reset(); c = torch.compile(net)"),
        ("for x in loader:", "net.compile(x)"),
        ("if args:", "c = torch.compile(net)"),
    ],
)
def test_silent(loop: str, body: str) -> None:
    assert found(loop, body) == []


CALLED = """\
import torch
from torch import nn
def step(net, x):
    c = torch.compile({compiled})
    return c(x)
def run(net: nn.Module, loader, nets):
    {loop}
        step({given}, x)
"""


@pytest.mark.parametrize(
    ("compiled", "loop", "given", "column"),
    [
        ("net", "for x in loader:", "net", 9),
        ("lambda t: net(t)", "for x in loader:", "net", 9),
        ("net", "for x, net in zip(loader, nets):", "net", None),
        ("nn.Linear(2, 2)", "for x in loader:", "net", None),
        ("net", "if x := loader:", "net", None),
    ],
)
def test_called_in_loop(compiled: str, loop: str, given: str, column: int | None) -> None:
    text = CALLED.format(compiled=compiled, loop=loop, given=given)
    assert check(text, ["TP602"]) == ([] if column is None else [(4, column, "TP602")])


def test_forward_of_a_class_whose_base_is_elsewhere() -> None:
    files = {
        "a.py": """\
            import torch
            from pkg.base import Base
            class Net(Base):
                def forward(self, x):
                    return torch.compile(self.inner)(x)
            """,
        "pkg/__init__.py": "",
        "pkg/base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
    }
    assert check(files) == [(5, 16, "TP602")]


@pytest.mark.parametrize(
    "body",
    [
        "if self.fast is not None:\n            return self.fast(x)\n        self.fast = torch.compile(self.inner)",
        "if not self.ready:\n            self.fast = torch.compile(self.inner)\n            self.ready = True",
        "self.fast = self.fast or torch.compile(self.inner)",
    ],
)
def test_kept_by_forward(body: str) -> None:
    text = f"import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        {body}\n        return self.fast(x)\n"
    assert check(text, ["TP602"]) == []


def test_tests_may() -> None:
    text = "import torch\ndef test_all(net, xs):\n    for x in xs:\n        torch.compile(net)(x)\n"
    assert check(text) == []
