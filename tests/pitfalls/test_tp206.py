"""TP206 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nclass M(nn.Module):\n    def __init__(self, n, device):\n        super().__init__()\n"


def found(text: str) -> list[tuple[int, int, str]]:
    return check(HEAD + "        " + text + "\n", ["TP206", "TP108"])


@pytest.mark.parametrize(
    "statement",
    [
        "self.x = torch.zeros(n, requires_grad=True)",
        "self.x = torch.zeros(n, requires_grad=True) * 0.1",
        "self.x = torch.zeros(n).requires_grad_()",
        "self.x = torch.zeros(n).normal_().requires_grad_(True)",
        "self.x = torch.zeros(n)\n        self.x.requires_grad = True",
        "self.x = torch.zeros(n)\n        self.x.requires_grad_(True)",
        "self.x = torch.autograd.Variable(torch.zeros(n), requires_grad=True)",
        "self.x: torch.Tensor = torch.zeros(n, requires_grad=True)",
        "self.x = nn.Parameter(torch.zeros(3)).cuda()",
        "self.x = nn.Parameter(torch.zeros(3)).to(device)",
        "self.x = nn.Parameter(torch.zeros(3)).to(self.device)",
        "self.x = nn.Parameter(torch.zeros(3)).double()",
        "self.x = nn.Parameter(torch.zeros(6)).view(2, 3)",
        "self.x = nn.Parameter(torch.zeros(6)) / n",
        "self.x = -nn.Parameter(torch.zeros(6))",
        "self.x = (torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True))",
    ],
)
def test_no_parameter(statement: str) -> None:
    assert found(statement) == [(6, 9, "TP206")]
    text = HEAD.replace("nn.Module", "object").replace("super().__init__()", "pass")
    assert check(text + "        " + statement + "\n", ["TP206"]) == []


@pytest.mark.parametrize(
    "statement",
    [
        "self.x = nn.Parameter(torch.zeros(3).cuda())",
        "self.x = nn.Parameter(torch.zeros(3)).requires_grad_()",
        "self.x = nn.Parameter(torch.zeros(3)).data",
        "self.x = nn.Parameter(torch.zeros(3)).to('cpu')",
        "self.x = nn.Parameter(torch.zeros(3)).to(torch.float32)",
        "self.x = nn.Parameter(torch.zeros(3)).float()",
        "self.x = nn.Parameter(torch.zeros(3), requires_grad=False).to(device)",
        "self.x = torch.zeros(n, requires_grad=True).detach()",
        "self.x = torch.zeros(n, requires_grad=n > 3)",
        "self.x = torch.zeros(n).requires_grad_(False)",
        "self.x = given(torch.zeros(n, requires_grad=True))",
        "x = torch.zeros(n, requires_grad=True)\n        self.x = nn.Parameter(x)",
        "x = torch.zeros(n, requires_grad=True)\n        x = n\n        self.x = x",
        "self.x = torch.zeros(n, requires_grad=True)\n        self.x = nn.Parameter(self.x)",
        "self.x = nn.ParameterList([nn.Parameter(torch.ones(2)) for _ in range(n)])",
        "self.x = torch.zeros(n, requires_grad=True)\n        self.opt = torch.optim.SGD([self.x], lr=n)",
    ],
)
def test_a_parameter_or_meant(statement: str) -> None:
    assert found(statement) == []


def test_a_base_class_and_a_helper_in_other_files() -> None:
    files = {
        "a.py": "import torch\nfrom base import Base\n"
        "class Net(Base):\n    def __init__(self):\n        super().__init__()\n"
        "        self.w = torch.ones(2, requires_grad=True)\n",
        "base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
    }
    assert check(files, ["TP206"]) == [(6, 9, "TP206")]
    files["base.py"] = "from torch import nn\nclass Base(nn.Module):\n    def parameters(self):\n        return [self.w]\n"
    assert check(files, ["TP206"]) == []
    files["base.py"] = "class Base:\n    pass\n"
    assert check(files, ["TP206"]) == []
