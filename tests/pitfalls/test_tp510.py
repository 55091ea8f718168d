"""TP510 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.zeros(8, 2))
plain = DataLoader(data, 2)
working = DataLoader(data, 2, shuffle=True, num_workers=2)
shuffled = DataLoader(data, 2, shuffle=True)
model = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(model.parameters(), 0.1)
def learn(x):
    opt.zero_grad()
    model(x).sum().backward()
    opt.step()
"""


def found(body: str) -> list[tuple[int, int, str]]:
    return check(HEAD + body, ["TP510"])


@pytest.mark.parametrize(
    "body, column",
    [
        ("for i in range(9):\n    learn(next(iter(plain))[0])", 16),
        ("for i in range(9):\n    x, = next(iter(working)); learn(x)", 15),
        ("while True:\n    it = iter(working); learn(next(it)[0])", 10),
        ("for x, in shuffled:\n    y, = next(iter(plain))", 15),
        ("for x, in shuffled:\n    y = DataLoader(data, 2, num_workers=1)", 9),
        ("for i, (x,) in enumerate(shuffled):\n    l = DataLoader(data, num_workers=1)\n    for y in l: pass", 9),
        ("for i in range(9):\n    l = DataLoader(data, num_workers=1); learn(next(iter(l))[0])", 9),
    ],
)
def test_in_each_step(body: str, column: int) -> None:
    assert found(body) == [(14, column, "TP510")]


@pytest.mark.parametrize(
    "body",
    [
        "x, = next(iter(plain))\nfor i in range(9):\n    learn(x)",
        "for i in range(9):\n    learn(next(iter(shuffled))[0])",
        "for i in range(9):\n    learn(next(iter(unknown))[0])",
        "for i in range(9):\n    if i == 3:\n        learn(next(iter(plain))[0])",
        "for epoch in range(9):\n    y = next(iter(plain))\n    for x, in shuffled:\n        learn(x)",
        "for epoch in range(9):\n    l = DataLoader(data, num_workers=1)\n    for x, in l:\n        learn(x)",
        "it = iter(plain)\nfor i in range(9):\n    learn(next(it)[0])",
        "for x, in shuffled:\n    l = DataLoader(data, 2)",
        "for x, in shuffled:\n    names = next(iter({'a': 1}))",
        "for i in range(9):\n    print(next(iter(plain)))",
        "class Tasks(torch.utils.data.Dataset):\n    def __len__(self): return 9\n"
        "    def __getitem__(self, i): return torch.rand(2)\n"
        "l = DataLoader(Tasks())\nfor i in range(9):\n    learn(next(iter(l)))",
        "def batch():\n    return next(iter(plain))\nlearn(batch()[0])",
    ],
)
def test_right_or_unknown(body: str) -> None:
    assert found(body) == []


def test_loader_of_a_caller() -> None:
    text = """\
        import torch
        from torch.utils.data import DataLoader, TensorDataset
        def train(loader, model):
            for step in range(100):
                batch = next(iter(loader))
                model(batch).sum().backward()
        def main(model):
            train(DataLoader(TensorDataset(torch.zeros(3, 2)), num_workers=2), model)
        """
    assert check(text, ["TP510"]) == [(5, 22, "TP510")]


def test_loader_of_another_file() -> None:
    files = {
        "train.py": """\
            import torch
            from data import loader, others
            def train(model):
                for step in range(100):
                    loss = model(next(iter(loader))) + model(next(iter(others)))
                    loss.backward()
            """,
        "data.py": """\
            from torch.utils.data import DataLoader
            loader = DataLoader(images, shuffle=True, num_workers=2)
            others = DataLoader(images, shuffle=True)
            """,
    }
    assert check(files, ["TP510"]) == [(5, 27, "TP510")]
