"""TP004 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch.backends import cudnn\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 2, column) for line, column, _ in check(HEAD + text, ["TP004"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("cudnn.benchmark = True\ncudnn.deterministic = True", (1, 1)),
        ("cudnn.benchmark = False\ncudnn.deterministic = True\ncudnn.benchmark = True", (3, 1)),
        ("cudnn.benchmark = cudnn.deterministic = True", (1, 1)),
        ("torch.use_deterministic_algorithms(mode=True)\ntorch.backends.cudnn.benchmark = True", (2, 1)),
        ("if a:\n    cudnn.deterministic = True\ncudnn.benchmark = True", (3, 1)),
        ("if a:\n    cudnn.deterministic = True\nif a:\n    cudnn.benchmark = True", (4, 5)),
        ("def f(seed=0):\n    cudnn.deterministic = True\nf()\ncudnn.benchmark = True", (4, 1)),
        ("def f():\n    cudnn.benchmark = True\ndef g():\n    cudnn.deterministic = True\n    f()", (5, 5)),
        ("cudnn.benchmark = True\ncudnn.benchmark = True\ncudnn.deterministic = True", (2, 1)),
        ("ON = True\ncudnn.deterministic = ON\ncudnn.benchmark = ON", (3, 1)),
    ],
)
def test_in_force_together(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "cudnn.benchmark = True",
        "cudnn.deterministic = True\ncudnn.benchmark = False",
        "cudnn.deterministic = True\ncudnn.benchmark = True\ncudnn.benchmark = False",
        "cudnn.deterministic = True\ncudnn.benchmark = True\ncudnn.deterministic = False",
        "if a:\n    cudnn.deterministic = True\nelse:\n    cudnn.benchmark = True",
        "if not a:\n    cudnn.benchmark = True\nif a:\n    cudnn.deterministic = True",
        "if a:\n    cudnn.benchmark = True\nelif b:\n    cudnn.deterministic = True",
        "def f(a):\n    if a:\n        cudnn.deterministic = True\n        return\n    cudnn.benchmark = True",
        "cudnn.deterministic = True\ncudnn.benchmark = fast",
        "cudnn.benchmark = True\nif seed:\n    cudnn.deterministic = True\n    cudnn.benchmark = False",
        "def f():\n    cudnn.deterministic = True\ndef g():\n    cudnn.benchmark = True",
        "torch.use_deterministic_algorithms(False)\ncudnn.benchmark = True",
        "torch.use_deterministic_algorithms(args.strict)\ncudnn.benchmark = True",
        "opt.deterministic = True\nopt.benchmark = True",
        "old = cudnn.benchmark\ncudnn.deterministic = True\ncudnn.benchmark = True\ncudnn.benchmark = old",
    ],
)
def test_apart_or_unknown(text: str) -> None:
    assert found(text) == []


def test_a_helper_of_another_file() -> None:
    seeds = "import torch\ndef seed(n):\n    torch.manual_seed(n)\n    torch.backends.cudnn.deterministic = True\n"
    text = "import torch\nfrom seeds import seed\nseed(1)\ntorch.backends.cudnn.benchmark = True\n"
    assert check({"a.py": text, "seeds.py": seeds}, ["TP004"]) == [(4, 1, "TP004")]
    quiet = seeds + "    torch.backends.cudnn.benchmark = False\n"
    assert check({"a.py": "import torch\n" + text, "seeds.py": quiet}, ["TP004"]) == [(5, 1, "TP004")]
    assert check({"a.py": text.replace("seed(1)\n", "") + "seed(1)\n", "seeds.py": quiet}, ["TP004"]) == []
