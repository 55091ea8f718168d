"""TP207 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
class M(nn.Module):
    def __init__(self, n, device):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.w = nn.Parameter(torch.ones(n))
"""


def found(made: str, used: str, more: str = "") -> list[tuple[int, int, str]]:
    text = f"{HEAD}        self.t = {made}\n    def forward(self, x, step, y=None):\n        {used}\n{more}"
    return check(text, ["TP207"])


@pytest.mark.parametrize(
    "used",
    [
        "return x * self.t",
        "return self.t - self.fc(x)",
        "return self.t * self.w",
        "x += self.t\n        return x",
        "t = self.t.unsqueeze(0).expand(3, -1)\n        return x > t",
        "return torch.cat([x, self.t], dim=1)",
        "return torch.where(x > 0, x, self.t)",
        "return F.mse_loss(x, self.t)",
        "return F.cross_entropy(x, y, weight=self.t)",
        "return x.matmul(self.t)",
        "return self.fc(self.t)",
        "return torch.einsum('i,j->ij', x, self.t)",
        "return x[0].sin() + torch.exp(-self.t[1:])",
        "return nn.functional.conv1d(x, self.t)",
        "return nn.MSELoss()(x, self.t)",
        "y = torch.arange(step, device=x.device)\n        return y * self.t",
        "return self.t[x]",
    ],
)
def test_meets_what_moves(used: str) -> None:
    assert found("torch.ones(n)", used) == [(9, 9, "TP207")]
    assert found("torch.ones(n, device=device)", used) == []
    assert found("nn.Parameter(torch.ones(n))", used) == []


@pytest.mark.parametrize(
    "used",
    [
        "return x",
        "return x * self.t.to(x.device)",
        "t = self.t.to(x)\n        return x * t",
        "return x * self.t.type_as(x)",
        "return x * self.t.item()",
        "return x[:, self.t]",
        "return x * self.t[0]",
        "return x * self.t[step]",
        "return x * self.t.sum()",
        "return x.view(self.t.shape)",
        "return x * len(self.t)",
        "return self.unknown(x, self.t)",
        "return step * self.t",
        "return x.to(self.t.device) * self.t",
        "x = x.cpu()\n        return x * self.t",
        "return x.size(0) * self.t",
    ],
)
def test_does_not(used: str) -> None:
    assert found("torch.ones(n)", used) == []


@pytest.mark.parametrize(
    "made",
    ["torch.tensor(0.5)", "torch.tensor(n)", "given(n)", "n", "torch.ones(n).to(device)", "torch.ones(n).cuda()",
     "torch.ones(n).mean()", "[1, 2]"],
)  # fmt: skip
def test_no_tensor_of_the_cpu_with_dimensions(made: str) -> None:
    assert found(made, "return x * self.t") == []


def test_moved_elsewhere() -> None:
    used = "return x * self.t"
    assert found("torch.ones(n)", used, "    def to(self, device):\n        self.t = self.t.to(device)\n") == []
    assert found("torch.ones(n)", used, "net = M(2, 3)\nnet.t = net.t.cuda()\n") == []
    assert found("torch.ones(n)", used, "torch.set_default_device('cuda')\n") == []
    assert found("torch.ones(n)", used, "net = M(2, 3).cuda()\n") == [(9, 9, "TP207")]


def test_a_subclass_that_uses_it_and_bases_in_another_file() -> None:
    files = {
        "a.py": "import torch\nfrom base import Base\n"
        "class Net(Base):\n    def __init__(self):\n        super().__init__()\n        self.t = torch.ones(2)\n"
        "class Narrow(Net):\n    def forward(self, x):\n        return x * self.t\n",
        "base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
    }
    assert check(files, ["TP207"]) == [(6, 9, "TP207")]
    files["base.py"] = "class Base:\n    pass\n"
    assert check(files, ["TP207"]) == []
