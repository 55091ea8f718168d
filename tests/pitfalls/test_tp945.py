"""TP945 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = "import torch\ndef f(x, device, given):\n"


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("torch.zeros(3).to(device)", ["TP945"]),
        ("torch.randn(3).cuda()", ["TP945"]),
        ("torch.full((2,), 1.0).to('cuda')", ["TP945"]),
        ("torch.zeros(3).to(x.device)", ["TP945"]),
        ("torch.zeros_like(x).to(device)", ["TP945"]),
        ("torch.zeros(3).to(given)", []),
        ("torch.zeros(3).to('cpu')", []),
        ("torch.zeros(3).to(x.dtype)", []),
        ("torch.zeros(3, device='cpu').to(device)", []),
        ("torch.zeros(3, requires_grad=True).to(device)", []),
        ("torch.zeros(3, **given).to(device)", []),
        ("torch.zeros(3).to(device, non_blocking=True)", []),
        ("torch.tensor(given).to(device)", []),
        ("given.zeros(3).to(device)", []),
    ],
)
def test_moves(expression: str, expected: list[str]) -> None:
    assert codes(f"{HEAD}    return {expression}", ["TP945"]) == expected


def test_once() -> None:
    assert codes("import torch\ntable = torch.zeros(3).cuda()", ["TP945"]) == []
    assert codes("import torch\ndef warm_up():\n    torch.zeros(3).cuda()", ["TP945"]) == []
