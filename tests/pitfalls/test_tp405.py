"""TP405 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import numpy as np
import torch
def f(x: torch.Tensor, other, hook):
    y = x.to("cpu", non_blocking=True)
"""


def found(body: str) -> list[tuple[int, int]]:
    text = HEAD + "".join(f"    {line}\n" for line in body.split("\n"))
    return [(line - 4, column) for line, column, _ in check(text, ["TP405"])]


@pytest.mark.parametrize(
    "body, place",
    [
        ("return y.numpy()", (1, 12)),
        ("return y.detach().numpy()", (1, 12)),
        ("return y[0].item()", (1, 12)),
        ("return np.array(y)", (1, 12)),
        ("return y + 1", (1, 12)),
        ("print(y)", (1, 5)),
        ("hook.log(other)\nreturn y.tolist()", (2, 12)),
        ("kept = [other]\nkept.append(y)\nreturn torch.stack(kept)", (3, 12)),
    ],
)
def test_read_too_early(body: str, place: tuple[int, int]) -> None:
    assert found(body) == [place]


@pytest.mark.parametrize(
    "body",
    [
        "return y",
        "return y.shape, y.size(0), y.dtype",
        "hook(y)\nreturn y.numpy()",
        "torch.cuda.current_stream().synchronize()\nreturn y.numpy()",
        "other.sum().item()\nreturn y.numpy()",
        "y = other\nreturn y.numpy()",
        "return y.cuda()",
        "if torch.is_tensor(y):\n    return y",
    ],
)
def test_waited_for_or_unknown(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize("copy", ["x.to('cuda', non_blocking=True)", "x.to('cpu', non_blocking=other)", "x.to('cpu')"])
def test_other_copies(copy: str) -> None:
    assert check(f"import torch\ndef f(x: torch.Tensor, other):\n    return {copy}.cpu().numpy()\n", ["TP405"]) == []


def test_a_helper_waits() -> None:
    text = HEAD + "    settle()\n    return y.numpy()\nfrom b import settle\n"
    assert check({"a.py": text, "b.py": "import torch\ndef settle():\n    torch.cuda.synchronize()\n"}, ["TP405"]) == []
