"""TP942 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

HEAD = "import torch\nfrom torch import nn\nnet = nn.Linear(2, 2)\n"


@pytest.mark.parametrize(
    "body, expected",
    [
        ("net.cuda()", ["TP942"]),
        ("net.to('cuda:1')", ["TP942"]),
        ("net.to(torch.device('cuda'))", ["TP942"]),
        ("net.to(device='cuda')", ["TP942"]),
        ("net.cuda()\nnet.cuda()", ["TP942"]),
        ("net.cuda(rank)", []),
        ("net.to('cpu')", []),
        ("net.to(device)", []),
        ("unknown.cuda()", []),
        ("if flag:\n    net.cuda()", []),
        ("try:\n    net.cuda()\nexcept RuntimeError:\n    pass", []),
        ("assert torch.cuda.is_available()\nnet.cuda()", []),
        ("torch.cuda.set_device(0)\nnet.cuda()", []),
    ],
)
def test_moves(body: str, expected: list[str]) -> None:
    assert codes(HEAD + body, ["TP942"]) == expected


def test_in_the_script_part() -> None:
    assert check(HEAD + "if __name__ == '__main__':\n    net.cuda()", ["TP942"]) == [(5, 5, "TP942")]
