"""TP608 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nm = nn.Sequential(nn.Linear(2, 2), nn.Dropout())\n"


def found(text: str, version: tuple[int, int] = (2, 13)) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP608"], version)]


@pytest.mark.parametrize(
    "text, place",
    [
        ("torch.onnx.export(m, x, 'f')", (1, 1)),
        ("m.train()\ntorch.onnx.export(m, x, 'f')", (2, 1)),
        ("torch.jit.save(torch.jit.trace(m, x), 'f')", (1, 16)),
        ("torch.jit.trace(m, x).save('f')", (1, 1)),
    ],
)
def test_in_train_mode(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "m.eval()\ntorch.onnx.export(m, x, 'f')",
        "m.train(False)\ntorch.onnx.export(m, x, 'f')",
        "def prepare(net): net.eval()\nprepare(m)\ntorch.onnx.export(m, x, 'f')",
        "torch.onnx.export(m, x, 'f', dynamo=False)",
        "torch.onnx.export(m, x, 'f', training=torch.onnx.TrainingMode.TRAINING)",
        "torch.onnx.export(m, x, 'f', **options)",
        "torch.jit.trace(m, x)",
        "torch.onnx.export(unknown, x, 'f')",
    ],
)
def test_in_eval_mode_or_unknown(text: str) -> None:
    assert found(text) == []


def test_before_the_new_exporter_was_the_default() -> None:
    assert found("torch.onnx.export(m, x, 'f')", (2, 8)) == []
    assert found("torch.onnx.export(m, x, 'f', dynamo=True)", (2, 8)) == [(1, 1)]


def test_evaluated_where_it_is_made() -> None:
    text = "import torch\nfrom nets import make\ntorch.onnx.export(make(), x, 'f')\n"
    nets = "from torch import nn\ndef make():\n    m = nn.Dropout()\n    {}\n    return m\n"
    assert check({"a.py": text, "nets.py": nets.format("m.eval()")}, ["TP608"]) == []
    assert check({"a.py": text, "nets.py": nets.format("pass")}, ["TP608"]) == [(3, 1, "TP608")]
