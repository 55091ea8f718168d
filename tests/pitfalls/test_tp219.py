"""TP219 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import copy\nimport torch\nfrom torch import nn\nclass M(nn.Module):\n    def forward(self, x):\n        "


@pytest.mark.parametrize(
    "body, place",
    [
        ("return nn.Linear(2, 2)(x)", (6, 16)),
        ("fc = nn.Linear(2, 2).to(x.device)\n        return fc(x)", (6, 14)),
        ("if x.ndim == 3:\n            x = nn.BatchNorm1d(3)(x)\n        return x", (7, 17)),
        ("for _ in range(3):\n            x = nn.Conv1d(3, 3, 1)(x)\n        return x", (7, 17)),
        ("if self.training:\n            x = nn.Dropout(0.5)(x)\n        return x", (7, 17)),
        ("if self.use_dropout:\n            x = nn.Dropout(0.5)(x)\n        return x", (7, 17)),
        ("return nn.Sequential(nn.ReLU(), nn.Linear(2, 2))(x)", (6, 16)),
        ("return Sub()(x)\nclass Sub(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(2, 2)", (6, 16)),
    ],
)
def test_built_anew(body: str, place: tuple[int, int]) -> None:
    assert check(HEAD + body + "\n", ["TP219"]) == [(*place, "TP219")]


@pytest.mark.parametrize(
    "body",
    [
        "return nn.ReLU()(x)",
        "return nn.Softmax(dim=1)(x)",
        "return nn.Dropout(0.0)(x)",
        "return nn.MSELoss()(x, x)",
        "return nn.Sequential(nn.ReLU(), nn.AvgPool2d(2))(x)",
        "return copy.deepcopy(self.fc)(x)",
        "return Linear(2, 2)(x)",
        "return nn.Linear",
        "return nn.Linear(2, 2)",
        "if not self.built:\n            self.fc = nn.Linear(2, 2)\n            self.built = True\n        return self.fc(x)",
        "if x.shape[1] not in self.layers:\n            self.layers[x.shape[1]] = nn.Linear(2, 2)\n        return x",
        "fc = nn.Linear(2, 2)\n        fc.load_state_dict(self.state)\n        return fc(x)",
        "fc = nn.Linear(2, 2)\n        fc.weight.data.fill_(1)\n        return fc(x)",
    ],
)
def test_meant_or_harmless(body: str) -> None:
    assert check(HEAD + body + "\n", ["TP219"]) == []


def test_a_base_class_in_another_file() -> None:
    files = {
        "a.py": "from torch.nn import Linear\nfrom base import Base\n"
        "class Net(Base):\n    def forward(self, x):\n        return Linear(2, 2)(x)\n",
        "base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
    }
    assert check(files, ["TP219"]) == [(5, 16, "TP219")]
    files["base.py"] = "class Base:\n    pass\n"
    assert check(files, ["TP219"]) == []
