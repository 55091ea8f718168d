"""TP609 beyond its examples."""
from __future__ import annotations

import pytest
from support import check


@pytest.mark.parametrize(
    "call",
    [
        "checkpoint(f, x)",
        "checkpoint(f, *xs)",
        "checkpoint(f, x, use_reentrant=None)",
        "checkpoint(f, x, mask=m)",
        "checkpoint_sequential(f, 2, x)",
        "checkpoint_sequential(functions=f, segments=2, input=x)",
    ],
)
def test_unset(call: str) -> None:
    head = "from torch.utils.checkpoint import checkpoint, checkpoint_sequential\ndef g(f, x, xs, m):\n    return "
    assert check(head + call) == [(3, 12, "TP609")]


@pytest.mark.parametrize(
    "call",
    ["checkpoint(f, x, **kw)", "checkpoint(f, x, use_reentrant=u)", "checkpoint_sequential(f, 2, x, False)", "checkpoint"],
)
def test_silent(call: str) -> None:
    head = "from torch.utils.checkpoint import checkpoint, checkpoint_sequential\ndef g(f, x, u, kw):\n    return "
    assert check(head + call) == []


def test_before_the_argument_existed() -> None:
    text = "from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n"
    assert check(text, torch_version=(1, 10)) == []
    assert check(text, torch_version=(1, 11)) == [(2, 5, "TP609")]


def test_behind_an_import_of_the_project() -> None:
    files = {
        "net.py": "import torch\nfrom util import checkpoint\ny = checkpoint(f, x)\n",
        "util.py": "from torch.utils.checkpoint import checkpoint\n",
    }
    assert check(files) == [(3, 5, "TP609")]
