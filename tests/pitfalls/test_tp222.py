"""TP222 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nclass M(nn.Module):\n"


@pytest.mark.parametrize(
    "signature",
    ["self, loader", "self", "self, epochs=10", "self, x, y", "self, loader=None, mode=True", "self, *, loader",
     "self, loader, *args, **kwargs", "self, data: list"],
)  # fmt: skip
def test_other_arguments(signature: str) -> None:
    text = f"{HEAD}    def train({signature}):\n        pass\n"
    assert check(text, ["TP222"]) == [(4, 5, "TP222")]
    assert check(text.replace("nn.Module", "object"), ["TP222"]) == []


@pytest.mark.parametrize(
    "signature",
    ["self, mode=True", "self, mode: bool = True", "self, mode", "self, flag: bool = True", "self, is_training=True",
     "self, *args", "self, *args, **kwargs", "self, mode=True, freeze=False", "self, b: bool"],
)  # fmt: skip
def test_the_signature_of_torch(signature: str) -> None:
    assert check(f"{HEAD}    def train({signature}):\n        return self\n", ["TP222"]) == []


@pytest.mark.parametrize("call", ["super().train(x)", "super(M, self).train(x)", "nn.Module.train(self, x)"])
def test_handed_on(call: str) -> None:
    assert check(f"{HEAD}    def train(self, loader, x):\n        {call}\n", ["TP222"]) == []


@pytest.mark.parametrize(
    ("decorator", "signature", "column"),
    [("staticmethod", "loader", 5), ("classmethod", "cls, loader", 5), ("staticmethod", "mode=True", None),
     ("property", "self", None), ("overload", "self, loader", None)],
)  # fmt: skip
def test_decorated(decorator: str, signature: str, column: int | None) -> None:
    found = check(f"{HEAD}    @{decorator}\n    def train({signature}):\n        pass\n", ["TP222"])
    assert found == ([] if column is None else [(5, column, "TP222")])


def test_a_base_class_in_another_file() -> None:
    files = {
        "a.py": "from base import Base\nclass Net(Base):\n    def train(self, loader):\n        pass\n",
        "base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
    }
    assert check(files, ["TP222"]) == [(3, 5, "TP222")]
    files["base.py"] = "class Base:\n    pass\n"
    assert check(files, ["TP222"]) == []
