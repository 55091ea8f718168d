"""TP309 in small variants."""
from __future__ import annotations

import pytest
from support import check


def _found(body: str) -> list[tuple[int, int, str]]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return check(f"import torch\ndef f(x: torch.Tensor, y, k):\n{lines}", select=("TP309",))


@pytest.mark.parametrize(
    "body",
    [
        "x.view(x.size(1), x.size(0))", "x.view(x.shape[1], x.shape[0])", "x.view((x.size(1), x.size(0), x.size(2)))",
        "x.reshape(x.size(1), x.size(0), -1)", "y.view(y.size(2), y.size(0), y.size(1))",
        "y.reshape(y.size(1), y.size(0))",
    ],
)  # fmt: skip
def test_sizes_read_at_the_call(body: str) -> None:
    assert _found(body) == [(3, 5, "TP309")]


@pytest.mark.parametrize(
    "call",
    ["x.view(b, t, c)", "x.view(t, b, -1)", "x.view(b, -1, c)", "torch.reshape(x, (c, b, t))", "x.view(t, c * b)"],
)
def test_sizes_unpacked_before(call: str) -> None:
    assert _found(f"b, c, t = x.shape\n{call}") == _found(f"b, c, t = x.size()\n{call}") == [(4, 5, "TP309")]


@pytest.mark.parametrize(
    "body",
    [
        "x.view(x.size(0), x.size(1), -1)", "x.view(x.size(0), -1)", "x.view(x.size(1), -1)", "x.view(-1, x.size(1))",
        "x.view(y.size(1), y.size(0))", "y.reshape(y.shape[1], y.shape[0])", "x.view(x.size(0), k, x.size(1) // k)",
        "b, c, t = x.shape\nx = x.transpose(1, 2)\nx.reshape(b, t, c)",
        "b, c, t = x.shape\nx.reshape(b, k, c // k, t)",
        "b, c, t = x.shape\nx.permute(0, 2, 1).reshape(b, t, c)",
        "b, c, t = x.shape\nx.view(b * c, t)",
        "b, c, t = x.shape\nz = torch.rand(b, t, c)\nz.view(b, t, c)",
        "b, t = x.shape\nz = torch.rand(1, b)\nz.view(z.size(1), z.size(0))",
        "x.view(*x.shape)",
    ],
)  # fmt: skip
def test_silent(body: str) -> None:
    assert _found(body) == []


def test_the_value_pass_follows_a_changed_tensor() -> None:
    body = "b, t, c = x.shape\nz = torch.rand(b, t, c).relu()\nz.view(b, c, t)"
    assert _found(body) == [(5, 5, "TP309")]
