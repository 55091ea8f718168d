"""TP209 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch import nn
from torch.nn import functional as F
P = 0.5; ZERO = 0.0
class N(nn.Module):
    def __init__(self, p=0.0):
        super().__init__()
        self.p = self.q = p
        self.zero = 0.0
    def forward(self, x, rate=0.1):
"""


def found(*body: str) -> list[tuple[int, int]]:
    text = HEAD + "".join(f"        {line}\n" for line in body)
    return [(line - 10, column - 8) for line, column, _ in check(text, ["TP209"])]


@pytest.mark.parametrize(
    "line, column",
    [
        ("F.dropout(x)", 1),
        ("F.dropout(x, self.p)", 1),
        ("F.dropout(x, P)", 1),
        ("F.dropout(input=x, p=0.1, inplace=True)", 1),
        ("nn.functional.dropout3d(x, self.q)", 1),
        ("F.dropout(x, 0.1, True)", 19),
        ("F.feature_alpha_dropout(x)", 1),
        ("F.scaled_dot_product_attention(x, x, x, None, self.p)", 47),
        ("(lambda y: F.dropout(y))(x)", 12),
    ],
)
def test_always_on(line: str, column: int) -> None:
    assert found(line) == [(1, column)]


@pytest.mark.parametrize(
    "line",
    [
        "F.dropout(x, training=self.training)",
        "F.dropout(x, 0.1, on)",
        "F.dropout(x, 0)",
        "F.dropout(x, ZERO)",
        "F.dropout(x, self.zero)",
        "F.dropout(x, rate)",
        "F.dropout(x, unknown)",
        "F.dropout(x, self.p if self.training else 0)",
        "F.dropout(x, **options)",
        "y = F.dropout(x) if self.training else x",
        "F.scaled_dot_product_attention(x, x, x)",
        "F.scaled_dot_product_attention(x, x, x, dropout_p=0.0)",
        "F.alpha_dropout(x, 0.1, self.training)",
        "F.batch_norm(x, m, v, training=True)",
        "F.batch_norm(x, self.m, self.v)",
    ],
)
def test_follows_the_mode_or_unknown(line: str) -> None:
    assert found(line) == []


def test_a_local_rate() -> None:
    assert found("p = self.p", "F.dropout(x, p)") == [(2, 1)]
    assert found("p = self.p", "if x:", "    p = 0", "F.dropout(x, p)") == []


def test_after_leaving_by_mode() -> None:
    assert found("if not self.training:", "    return x", "return F.dropout(x)") == []
    assert found("if x is None:", "    return x", "return F.dropout(x)") == [(3, 8)]


def test_functions() -> None:
    head = "from torch import nn\nimport torch.nn.functional as F\n"
    use = "class N(nn.Module):\n    def forward(self, x): return noise(x)\n"
    assert check(head + "def noise(x): return F.dropout(x)\n", ["TP209"]) == []
    assert check(head + "def noise(x): return F.dropout(x)\n" + use, ["TP209"]) == [(3, 22, "TP209")]
    assert check(head + "def noise(x, train=False): return F.dropout(x)\n" + use, ["TP209"]) == []


def test_a_base_in_another_file() -> None:
    base = """\
    from torch import nn
    class Base(nn.Module):
        def __init__(self, p):
            super().__init__()
            self.p = p
    """
    text = """\
    import torch.nn.functional as F
    from base import Base
    class N(Base):
        def forward(self, x): return F.dropout(x, self.p)
    """
    assert check({"a.py": text, "base.py": base}, ["TP209"]) == [(4, 34, "TP209")]
