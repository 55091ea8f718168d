"""TP904 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import random\nimport numpy as np\nimport torch\n"


@pytest.mark.parametrize(
    "text, found",
    [
        ("torch.manual_seed(1)\nnp.random.rand(3)", [(4, 1, "TP904")]),
        ("from numpy.random import shuffle as mix\ntorch.manual_seed(1)\nmix(x)", [(5, 1, "TP904")]),
        ("torch.manual_seed(1)\nnp.random.seed(1)\nrandom.choice(x)", [(4, 1, "TP904")]),
        ("torch.manual_seed(1)\nnp.random.seed(1)\nnp.random.rand(3)", []),
        ("torch.manual_seed(1)\nset_all_seeds(1)\nnp.random.rand(3)", []),
        ("torch.manual_seed(1)\nx = torch.rand(3)", []),
        ("np.random.rand(3)\ntorch.rand(3)", []),
        ("torch.manual_seed(1)\nenv.seed(1)\nself.random.shuffle(x)", []),
    ],
)
def test_one_file(text: str, found: list[tuple[int, int, str]]) -> None:
    assert check(HEAD + text, ["TP904"]) == found


@pytest.mark.parametrize("more, found", [("", [(3, 1, "TP904")]), ("; numpy.random.seed(seed)", [])])
def test_a_helper_in_another_file(more: str, found: list[tuple[int, int, str]]) -> None:
    files = {
        "a.py": "import torch, numpy\nfrom lib.seeds import set_seed\nset_seed(3)\nnumpy.random.rand()\n",
        "lib/__init__.py": "",
        "lib/seeds.py": f"import numpy, torch\ndef set_seed(seed):\n    torch.manual_seed(seed){more}\n",
    }
    assert check(files, ["TP904"]) == found


def test_a_module_that_seeds_when_imported() -> None:
    files = {
        "a.py": HEAD + "import start\ntorch.manual_seed(1)\nnp.random.rand(3)\n",
        "start.py": "import numpy as np\nnp.random.seed(0)\n",
    }
    assert check(files, ["TP904"]) == []
