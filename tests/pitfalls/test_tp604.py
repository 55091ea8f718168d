"""TP604 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nnet = nn.Linear(4, 4)\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP604"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("torch.compile(net, mode='reduce-overhead', dynamic=True)", (1, 1)),
        ("torch.compile(mode='reduce-overhead', dynamic=True)(net)", (1, 1)),
        ("net.compile(mode='max-autotune', dynamic=True)", (1, 1)),
        ("from torch import compile as fast\nfast(net, dynamic=True, mode='reduce-overhead')", (2, 1)),
        ("from functools import partial\nfast = partial(torch.compile, dynamic=True)\n"
         "@partial(torch.compile, mode='reduce-overhead', dynamic=True)\ndef f(x): return x", (3, 2)),
        ("torch.compile(net, options={'triton.cudagraphs': True}, dynamic=True)", (1, 1)),
        ("f = torch.compile(net, mode='reduce-overhead')\nfor n in range(1, 99): f(torch.ones((n, 4)).cuda())", (1, 5)),
        ("f = torch.compile(net, mode='reduce-overhead')\nfor n in range(1, 99):\n    x = torch.ones(2 * n, 4)\n    f(x)",
         (1, 5)),
        ("f = torch.compile(net, mode='reduce-overhead')\nfor n in (1, 2, 3, 4, 5, 6, 7, 8, 9): f(torch.ones(n, 4))",
         (1, 5)),
    ],
)  # fmt: skip
def test_many_graphs(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "torch.compile(net, mode='reduce-overhead')",
        "torch.compile(net, mode='default', dynamic=True)",
        "torch.compile(net, mode=mode, dynamic=True)",
        "torch.compile(net, mode='reduce-overhead', dynamic=dynamic)",
        "torch.compile(net, mode='reduce-overhead', dynamic=True, disable=True)",
        "import re\nre.compile('x', dynamic=True, mode='reduce-overhead')",
        "f = torch.compile(net, mode='reduce-overhead')\nfor n in range(99): net(torch.ones(n, 4))",
        "f = torch.compile(net, mode='reduce-overhead')\nfor n in range(99): f(torch.ones(4, 4) * n)",
        "f = torch.compile(net, mode='reduce-overhead')\nfor n in range(8): f(torch.ones(n, 4))",
        "f = torch.compile(net, mode='reduce-overhead')\nfor i in range(99): f(x[i:i + 4])",
    ],
)
def test_one_size_or_no_graphs(text: str) -> None:
    assert found(text) == []


def test_collate_function_of_another_file() -> None:
    text = """
        import torch
        from torch.utils.data import DataLoader
        from data import Pad, fixed
        def train(model, samples, other):
            model = torch.compile(model, mode="reduce-overhead")
            for step, batch in enumerate(DataLoader(samples, 8, collate_fn=Pad(0))):
                model(batch["ids"].to("cuda"))
        def train_fixed(model, samples):
            model = torch.compile(model, mode="reduce-overhead")
            for batch in DataLoader(samples, 8, collate_fn=fixed):
                model(batch)
    """
    data = """
        import torch
        from torch.nn.utils import rnn
        class Pad:
            def __call__(self, samples):
                return {"ids": rnn.pad_sequence(samples, batch_first=True)}
        def fixed(samples):
            ids = torch.zeros(len(samples), 64)
            ids[:, :10] = rnn.pad_sequence(samples, batch_first=True)[:, :10]
            return ids
    """
    assert check({"a.py": text, "data.py": data}, ["TP604"]) == [(6, 13, "TP604")]


def test_batches_that_a_loop_hands_on() -> None:
    text = """
        import torch
        from torch.utils.data import DataLoader
        def collate(texts):
            return tokenizer(texts, padding=True, return_tensors="pt", truncation=True)
        class Trainer:
            def __init__(self, model, samples):
                self.model = torch.compile(model, mode="reduce-overhead")
                self.loader = DataLoader(samples, 8, collate_fn=collate)
            def fit(self):
                for number, batch in enumerate(self.loader):
                    self.step(batch)
            def step(self, batch):
                batch = batch.to("cuda")
                return self.model(**batch)
        class Fixed(Trainer):
            pass
    """
    assert check(text, ["TP604"]) == [(8, 22, "TP604")]
    assert check(text.replace("padding=True", "padding='max_length'"), ["TP604"]) == []
