"""TP225 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
attention = nn.MultiheadAttention(8, 2)
def f(x, ids, device, unknown):
    t = x.size(0)
    {}
    return attention(x, x, x, attn_mask=m)
"""


def found(*lines: str) -> list[tuple[int, int, str]]:
    return check(HEAD.format("\n    ".join(lines)))


@pytest.mark.parametrize(
    "value",
    [
        "torch.ones(t, t).tril()",
        "torch.tril(torch.ones(t, t)).to(device)",
        "torch.tril(torch.ones((t, t), device=device)).unsqueeze(0)[0]",
        "1 - torch.triu(torch.ones(t, t), diagonal=1)",
        "torch.tril(torch.ones(t, t, dtype=torch.bool)).float()",
        "(ids == 0).type(torch.FloatTensor)",
        "(~(ids == 0)).to(x.dtype)",
        "ids.ne(0).type_as(x)",
        "torch.tensor([[1.0, 0.0], [1.0, 1.0]])",
        "torch.tensor([[1, 0], [1, 1]])",
        "torch.tensor([[True, False]], dtype=torch.float32)",
        "torch.where(ids == 0, 1.0, 0.0)",
        "torch.from_numpy(np.tril(np.ones((t, t))))",
        "torch.from_numpy(np.triu(np.ones((t, t)), k=1).astype('uint8'))",
        "torch.tril(torch.ones(t, t)) * (ids == 0).float()",
        "torch.eye(t)",
        "(ids == 0).long()",
        "(ids == 0).byte()",
        "torch.tril(torch.ones(t, t, dtype=torch.int64))",
    ],
)
def test_masks_that_are_none(value: str) -> None:
    assert found(f"m = {value}") == [(9, 41, "TP225")]


@pytest.mark.parametrize(
    "value",
    [
        "unknown",
        "unknown.float()",
        "ids == 0",
        "torch.tril(torch.ones(t, t)) == 0",
        "torch.tril(torch.ones(t, t)).bool()",
        "torch.from_numpy(np.triu(np.ones((t, t)), k=1).astype('uint8')) == 0",
        "torch.triu(torch.full((t, t), float('-inf')), 1)",
        "torch.triu(torch.ones(t, t) * float('-inf'), 1)",
        "(1.0 - (ids == 0).float()) * torch.finfo(x.dtype).min",
        "torch.tril(torch.ones(t, t)).masked_fill(ids == 0, -1e9)",
        "torch.tril(torch.ones(t, t)).log()",
        "torch.where(ids == 0, float('-inf'), 0.0)",
        "torch.tensor([[0.0, -1e9]])",
        "torch.zeros(t, t)",
        "torch.ones(t, t)",
        "torch.rand(t, t)",
        "None",
        "torch.tril(torch.ones(t, t)) if unknown else (ids == 0)",
    ],
)
def test_masks_that_are_right_or_unknown(value: str) -> None:
    assert found(f"m = {value}") == []


def test_changes_in_place() -> None:
    assert found("m = torch.zeros(t, t)", "m[0, 1:] = 1") == [(10, 41, "TP225")]
    assert found("m = torch.zeros(t, t)", "m[0, 1:] = float('-inf')") == []
    assert found("m = torch.tril(torch.ones(t, t))", "m.masked_fill_(m == 0, -1e9)") == []
    assert found("m = torch.tril(torch.ones(t, t))", "m *= -1e9") == []


def test_through_files_and_callers() -> None:
    files = {
        "a.py": """\
            from torch import nn
            from base import Attention
            from masks import causal
            class Model(Attention):
                def forward(self, x):
                    x = self.block(x, causal(x.size(0)))
                    return self.att(x, x, x, None, False, causal(x.size(0)))[0]
                def block(self, x, mask=None):
                    return nn.TransformerEncoderLayer(8, 2)(x, mask)
            """,
        "base.py": """\
            from torch import nn
            class Attention(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.att = nn.MultiheadAttention(8, 2)
            """,
        "masks.py": """\
            import torch
            def causal(steps):
                return torch.ones(steps, steps).tril()
            """,
    }
    assert check(files, ["TP225"]) == [(7, 47, "TP225"), (9, 52, "TP225")]


def test_arguments_that_are_not_seen() -> None:
    assert found("attention(x, x, x, *unknown)", "m = None") == []
    assert found("attention(x, x, x, **unknown)", "m = None") == []


@pytest.mark.parametrize(
    "arguments, column",
    [
        ("key_padding_mask=mask.float()", 40),
        ("key_padding_mask=1 - mask.float().squeeze(-1)", 40),
        ("mask.to(torch.float32)", None),
        ("key_padding_mask=(1 - mask.float()) * -1e9", None),
        ("key_padding_mask=mask", None),
        ("key_padding_mask=x.float()", None),
        ("attn_mask=mask.float()", None),
    ],
)
def test_a_parameter_as_numbers(arguments: str, column: int | None) -> None:
    text = f"""\
        from torch import nn
        import torch
        attention = nn.MultiheadAttention(8, 2)
        def f(x, mask):
            attention(x, x, x, {arguments})
        """
    assert check(text) == ([] if column is None else [(5, column + 1, "TP225")])
