"""TP961 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = "import torch\nfrom torch import onnx\nfrom torch.onnx import export\n"


@pytest.mark.parametrize(
    "call, expected",
    [
        ("export(net, x, 'a.onnx')", ["TP961"]),
        ("onnx.export(net, x, 'a.onnx', opset_version=17)", ["TP961"]),
        ("torch.onnx.export(net, x, 'a.onnx', dynamic_axes=axes)", []),
        ("torch.onnx.export(net, x, 'a.onnx', dynamic_shapes=None)", []),
        ("torch.onnx.export(net, x, 'a.onnx', **options)", []),
        ("torch.onnx.export(torch.export.export(net, x), x, 'a.onnx')", []),
        ("torch.export.export(net, x)", []),
        ("unknown.onnx.export(net, x)", []),
    ],
)
def test_exports(call: str, expected: list[str]) -> None:
    assert codes(HEAD + call, ["TP961"]) == expected
