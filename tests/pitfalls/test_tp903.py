"""TP903 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\ndevice = 'cuda:0'\n"
TRAINS = "\nnn.Linear(2, 2).to(device)(x).sum().backward()\n"


@pytest.mark.parametrize(
    "text, line",
    [
        ("torch.cuda.manual_seed(3)", 4),
        ("from torch import manual_seed as seed\nseed(3)", 5),
        ("import random\nrandom.seed(1)\ntorch.random.manual_seed(1)\ntorch.manual_seed(1)", 6),
    ],
)
def test_first_seed_of_torch(text: str, line: int) -> None:
    assert check(HEAD + text + TRAINS, ["TP903"]) == [(line, 1, "TP903")]


@pytest.mark.parametrize(
    "text",
    [
        "torch.manual_seed(3)\ntrainer = Trainer(deterministic=True)",
        "torch.manual_seed(3)\nos.environ['CUBLAS_WORKSPACE_CONFIG'] = ':4096:8'",
        "g.manual_seed(3)",
        "torch.manual_seed(3)\ntorch.backends.cudnn.deterministic = args.exact",
    ],
)
def test_silent(text: str) -> None:
    assert check(HEAD + text + TRAINS, ["TP903"]) == []


def test_an_imported_module_sets_determinism() -> None:
    files = {
        "a.py": HEAD + "import setup_run\ntorch.manual_seed(1)" + TRAINS,
        "setup_run.py": "import torch\ntorch.use_deterministic_algorithms(True)\n",
    }
    assert check(files, ["TP903"]) == []
    files["setup_run.py"] = "import torch\n"
    assert check(files, ["TP903"]) == [(5, 1, "TP903")]
