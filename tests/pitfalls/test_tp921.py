"""TP921 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nnet = nn.Linear(2, 2)\n"


@pytest.mark.parametrize("text", ["print(net)", "print('net', net)", "print(net.to('cpu')) if 0 else print(net)"])
def test_modules(text: str) -> None:
    assert [code for _, _, code in check(HEAD + text, ["TP921"])] == ["TP921"]


@pytest.mark.parametrize("text", ["print(net(x))", "print(other)", "print(net.weight)", "log.print(net)", "print(nn)"])
def test_silent(text: str) -> None:
    assert check(HEAD + text, ["TP921"]) == []


def test_a_base_in_another_file_has_its_own_text() -> None:
    files = {
        "a.py": "from torch import nn\nfrom b import Base\nclass Net(Base):\n    pass\nprint(Net())\nnet = Net()\nprint(net)\n",
        "b.py": "from torch import nn\nclass Base(nn.Module):\n    def __str__(self):\n        return 'base'\n",
    }
    assert check(files, ["TP921"]) == []
