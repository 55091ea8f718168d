"""TP509 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler\n"
ITEM = "    def __getitem__(self, i): return i\n"
LENGTH = "    def __len__(self): return 3\n"


def found(body: str) -> list[tuple[int, int, str]]:
    return check(HEAD + body, ["TP509"])


@pytest.mark.parametrize(
    "body",
    [
        f"class D(Dataset):\n{LENGTH}DataLoader(D())",
        f"class D(Dataset):\n{LENGTH}d = D()\nDataLoader(dataset=d, sampler=[1])",
        f"class D(Dataset):\n{ITEM}DataLoader(D(), shuffle=True)",
        f"class D(Dataset):\n{ITEM}DataLoader(D(), sampler=None)",
        f"class D(Dataset):\n{ITEM}DataLoader(D(), sampler=torch.utils.data.RandomSampler(D()))",
        f"class D(IterableDataset):\n{LENGTH}DataLoader(D())",
        f"class D(Dataset[int]):\n{LENGTH}DataLoader(D())",
    ],
)
def test_missing(body: str) -> None:
    assert found(body) == [(3, 1, "TP509")]


@pytest.mark.parametrize("name", ["__get_item__", "__getitem", "__getitem_", "__getItem__".lower() + "_", "__getitme__"])
def test_misspelled(name: str) -> None:
    assert found(f"class D(Dataset):\n{LENGTH}    def {name}(self, i): return i\n") == [(5, 5, "TP509")]


@pytest.mark.parametrize("name", ["__length__", "__lenght__", "__len"])
def test_misspelled_length(name: str) -> None:
    assert found(f"class D(Dataset):\n{ITEM}    def {name}(self): return 3\n") == [(5, 5, "TP509")]


@pytest.mark.parametrize(
    "body",
    [
        f"class D(Dataset):\n{ITEM}{LENGTH}DataLoader(D())",
        f"class D(Dataset):\n{ITEM}DataLoader(D(), sampler=s)",
        f"class D(Dataset):\n{ITEM}DataLoader(D(), batch_sampler=s)",
        f"class D(Dataset):\n{ITEM}class S(Sampler): pass\nDataLoader(D(), sampler=S())",
        f"class D(Dataset):\n{ITEM}DataLoader(D(), **more)",
        f"class D(Unknown):\n{LENGTH}DataLoader(D())",
        f"class D(Unknown, Dataset):\n{LENGTH}DataLoader(D())",
        f"@decorated\nclass D(Dataset):\n{LENGTH}DataLoader(D())",
        f"class D(Dataset):\n{LENGTH}D.__getitem__ = f\nDataLoader(D())",
        f"class D(Dataset):\n{LENGTH}setattr(D, '__getitem__', f)\nDataLoader(D())",
        f"class D(Dataset):\n{LENGTH}    __getitem__ = f\nDataLoader(D())",
        f"class D(Dataset):\n{LENGTH}d = D()",
        f"class D(Dataset):\n{LENGTH}class E(D):\n{ITEM}DataLoader(E())",
        f"class D(Dataset):\n{LENGTH}    def __getitem(self, i): return i\n    def get(self, i): return self.__getitem(i)\n",
        f"class D(Dataset):\n{ITEM}    def __len__(self): return int(3 / 2)\n",
        f"class D(Dataset):\n{LENGTH}    def __getitem__(self, i): pass\nDataLoader(D())",
        f"class D(Dataset):\n{LENGTH}    def __getitem__(self, i): i + 1\nDataLoader(D(), collate_fn=f)",
    ],
)
def test_right_or_unknown(body: str) -> None:
    assert found(body) == []


def test_class_of_another_file() -> None:
    data = f"from torch.utils.data import Dataset\nclass D(Dataset):\n{LENGTH}"
    main = "from torch.utils.data import DataLoader\nfrom data import D\n"
    assert check({"a.py": main + "l = DataLoader(D())", "data.py": data}) == [(3, 5, "TP509")]
    derived = f"class E(D):\n{ITEM}l = DataLoader(E())"
    assert check({"a.py": main + derived, "data.py": data}) == []
