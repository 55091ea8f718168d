"""TP506 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes


def dataset(default: str, body: str, more: str = "") -> list[str]:
    return codes(
        f"""\
from collections import OrderedDict, defaultdict, deque
import torch
from torch import nn
from torch.utils.data import Dataset
class Items(Dataset):
    def __init__(self, path, a={default}, b=None):
        {body}
    def __getitem__(self, index):
        return index
    {more}
""",
        ["TP506"],
    )


@pytest.mark.parametrize(
    "default, body",
    [
        ("[]", "self.a = a"),
        ("{}", "self.a: dict = a"),
        ("set()", "self.path, self.a = path, a"),
        ("list()", "self.a = a"),
        ("dict()", "self.a = a"),
        ("defaultdict(list)", "self.a = a"),
        ("OrderedDict()", "self.a = a"),
        ("deque()", "self.a = a"),
        ("[1]", "a.append(2)"),
        ("[1]", "a += [2]"),
        ("{'x': 1}", "a['y'] = path"),
        ("{'x': 1}", "del a['x']"),
        ("{'x': 1}", "a.update(y=2)"),
        ("nn.Linear(2, 2)", "self.a = a"),
    ],
)
def test_kept_or_changed(default: str, body: str) -> None:
    assert dataset(default, body) == ["TP506"]


@pytest.mark.parametrize(
    "default, body",
    [
        ("[]", "self.n = len(a)"),
        ("[]", "self.a = list(a)"),
        ("[]", "self.a = a.copy()"),
        ("[]", "self.a = a or [path]"),
        ("[]", "a = list(a); self.a = a"),
        ("[1, 2]", "self.a = a"),
        ("dict(x=1)", "self.a = a"),
        ("()", "self.a = a"),
        ("None", "self.a = a"),
        ("frozenset()", "self.a = a"),
        ("torch.Size([])", "self.a = a"),
        ("nn.ReLU()", "self.a = a"),
        ("unknown()", "self.a = a"),
        ("lambda x: []", "self.a = a"),
        ("[]", "b.a = a"),
        ("[]", "for x in a: print(x)"),
    ],
)
def test_only_read(default: str, body: str) -> None:
    assert dataset(default, body) == []


@pytest.mark.parametrize(
    "more, expected",
    [
        ("def add(self, x): self.a.append(x)", ["TP506"]),
        ("def add(self, x): self.a[0] = x", ["TP506"]),
        ("def add(self, x): self.a += [x]", ["TP506"]),
        ("def add(self, x): self.a = self.a + [x]", []),
        ("def add(self, x): return self.a[0]", []),
    ],
)
def test_filled_defaults_that_methods_change(more: str, expected: list[str]) -> None:
    assert dataset("[1, 2]", "self.a = a", more) == expected


@pytest.mark.parametrize("annotation", ["Sequence[int]", "tuple", "Optional[Mapping[str, int]]", "t.Iterable[int]"])
def test_annotated_as_read_only(annotation: str) -> None:
    text = f"""\
import torch
class Net(torch.nn.Module):
    def __init__(self, a: {annotation} = []):
        self.a = a
"""
    assert codes(text) == []


@pytest.mark.parametrize(
    "head, expected",
    [
        ("class A(torch.nn.Module):", ["TP506"]),
        ("class A(torch.utils.data.IterableDataset):", ["TP506"]),
        ("class A(torch.utils.data.Sampler):", ["TP506"]),
        ("class A:\n    def __call__(self, image): return image", ["TP506"]),
        ("class A:\n    def __len__(self): return 1\n    def __getitem__(self, i): return i", ["TP506"]),
        ("class A:", []),
        ("class A(Unknown):", []),
    ],
)
def test_classes(head: str, expected: list[str]) -> None:
    text = f"import torch\n{head}\n    def __init__(self, *, a=[]):\n        self.a = a\n"
    assert codes(text, ["TP506"]) == expected


def test_a_first_party_layer_with_weights() -> None:
    parts = """\
    from torch import nn
    class Backbone(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 3, 1)
    class Square(nn.Module):
        def forward(self, x):
            return x * x
    """
    text = """\
    from parts import Backbone, Square
    from torch import nn
    class Detector(nn.Module):
        def __init__(self, backbone=Backbone(), act=Square()):
            super().__init__()
            self.backbone = backbone
            self.act = act
    """
    assert check({"a.py": text, "parts.py": parts}, ["TP506"]) == [(4, 33, "TP506")]
