"""TP304 in small variants, and TP302 beside it."""
from __future__ import annotations

import pytest
from support import check

MADE = "x = torch.rand(8, 3, 16, 16).to(memory_format=torch.channels_last)\n"


def _found(body: str) -> list[tuple[int, int, str]]:
    return check(f"import torch\n{MADE}{body}", select=("TP302", "TP304"))


@pytest.mark.parametrize(
    "expression",
    [
        "x.contiguous()", "x.view(8, -1)", "x.relu().contiguous()", "torch.nn.functional.relu(x).contiguous()",
        "torch.nn.Conv2d(3, 4, 3)(x).contiguous()", "torch.nn.BatchNorm2d(3)(x).contiguous()", "(x * 2).view(8, 768)",
        "x.clone().contiguous()", "x.cuda().contiguous()",
    ],
)  # fmt: skip
def test_lost(expression: str) -> None:
    [(line, column, code)] = _found(f"y = {expression}\n")
    assert (line, column, code) == (3, 5, "TP304")


@pytest.mark.parametrize(
    "expression",
    [
        "x.contiguous(memory_format=torch.channels_last)", "x.view(8, 3, -1)", "x.reshape(8, -1)", "x.flatten(1)",
        "x.contiguous().view(8, -1)", "x.permute(0, 2, 3, 1).contiguous()", "x.permute(0, 2, 3, 1).view(8, -1)",
        "x.mean((2, 3)).contiguous()", "torch.rand(8, 3, 4, 4).contiguous()",
        "x.clone(memory_format=torch.preserve_format)", "x.unknown().contiguous()",
    ],
)  # fmt: skip
def test_kept(expression: str) -> None:
    assert _found(f"y = {expression}\n") == []


def test_the_network_of_another_file_is_left_alone() -> None:
    files = {
        "a.py": """
            import torch
            from nets import Net
            model = Net().to(memory_format=torch.channels_last)
            out = model(torch.rand(2, 3, 8, 8).to(memory_format=torch.channels_last))
        """,
        "nets.py": """
            import torch
            class Net(torch.nn.Module):
                def forward(self, x):
                    return x.contiguous()
        """,
    }
    assert check(files, select=("TP304",)) == []
    assert check({"nets.py": files["nets.py"]}, select=("TP304",)) == []
