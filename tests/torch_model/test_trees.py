"""The stubs as astroid sees them."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from astroid import nodes
from astroid.manager import AstroidManager

from flake8_torch_pitfalls import torch_model

PROGRAM = '''
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.nn.modules.linear import Linear
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
    def forward(self, x):
        fc = self.fc
        return F.relu(fc(x))
net = Net().cuda()
opt = optim.AdamW(net.parameters(), lr=1e-3)
crit = nn.CrossEntropyLoss()
x = torch.randn(2, 3)
out = net(x)
loss = crit(out, x)
values, indices = out.max(1)
greatest = out.max()
top = torch.topk(out, 2).values
for weight in net.parameters():
    each = weight
grad = Linear(3, 4).weight.grad
total = -out + 1
number = loss.item()
shape = out.shape
nested = net(net(x))
single = torch.float32
'''


@pytest.fixture
def program() -> Iterator[nodes.Module]:
    torch_model.seed(["torch.nn.modules.linear"])
    manager = AstroidManager()
    yield manager.ast_from_string(PROGRAM, "program_of_the_test")
    manager.astroid_cache.pop("program_of_the_test", None)


def _kinds(program: nodes.Module, name: str) -> list[str]:
    return [value.pytype() for value in program[name].infer()]


@pytest.mark.parametrize(
    "name, expected",
    [
        ("net", "program_of_the_test.Net"),
        ("opt", "torch.optim.AdamW"),
        ("crit", "torch.nn.CrossEntropyLoss"),
        ("x", "torch.Tensor"),
        ("out", "torch.Tensor"),
        ("loss", "torch.Tensor"),
        ("values", "torch.Tensor"),
        ("indices", "torch.Tensor"),
        ("greatest", "torch.Tensor"),
        ("top", "torch.Tensor"),
        ("each", "torch.nn.Parameter"),
        ("grad", "torch.Tensor"),
        ("total", "torch.Tensor"),
        ("number", "builtins.float"),
        ("shape", "torch.Size"),
        ("nested", "torch.Tensor"),
        ("single", "torch.dtype"),
    ],
)
def test_inference(program: nodes.Module, name: str, expected: str) -> None:
    assert _kinds(program, name) == [expected]


def _built(module: Any) -> int:
    return dict.__len__(module.locals)


def test_only_what_is_asked_for_is_built(program: nodes.Module) -> None:
    AstroidManager().clear_cache()
    torch_model.seed()
    cache = AstroidManager().astroid_cache
    stubs = [module for name, module in cache.items() if torch_model.modelled(name)]
    assert sum(map(_built, stubs)) == 0
    tensor = torch_model.lookup("torch.Tensor")
    assert isinstance(tensor, nodes.ClassDef)
    tensor.getattr("add_")
    assert sum(map(_built, stubs)) == 1
    assert 0 < _built(tensor) < 10 < len(list(tensor.locals))


def test_seeding_is_idempotent() -> None:
    torch_model.seed()
    before = AstroidManager().astroid_cache["torch.nn"]
    torch_model.seed()
    assert AstroidManager().astroid_cache["torch.nn"] is before


def test_seeding_repairs_the_cache() -> None:
    torch_model.seed()
    cache = AstroidManager().astroid_cache
    mine = cache["torch.nn"]
    cache["torch.nn"] = nodes.Module("torch.nn")
    torch_model.seed()
    assert cache["torch.nn"] is mine
    AstroidManager().clear_cache()
    assert "torch" not in cache
    torch_model.seed()
    module = AstroidManager().ast_from_string("import torch\nx = torch.ones(2)", "after_clearing")
    assert _kinds(module, "x") == ["torch.Tensor"]
    del cache["after_clearing"]


def test_an_installed_torch_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("torch", "torch/nn", "torch/nn/modules", "torch/_private"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("class Linear: ...\n")
    (tmp_path / "torch/nn/modules/linear.py").write_text("class Linear: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    torch_model.seed(["torch.nn.modules.linear", "torch._private"])
    module = AstroidManager().ast_from_string(
        "import torch, torch._private\nfrom torch.nn.modules.linear import Linear\n"
        "x = Linear(1, 2)\ny = torch.nn.Linear(1, 2)\nz = torch._private.Linear(1, 2)",
        "beside_torch",
    )
    assert _kinds(module, "x") == _kinds(module, "y") == ["torch.nn.Linear"]
    assert [str(value) for value in module["z"].infer()] == ["Uninferable"]
    cache = AstroidManager().astroid_cache
    for name in [name for name in cache if name.startswith(("torch._private", "beside_torch"))]:
        assert cache.pop(name).file in (None, "<?>")


def test_lookup() -> None:
    for name, kind in (
        ("torch.nn.modules.linear.Linear", nodes.ClassDef),
        ("torch.max", nodes.FunctionDef),
        ("torch.Tensor.add", nodes.FunctionDef),
        ("torch.Tensor.shape", nodes.AssignName),
        ("torch.nn", nodes.Module),
    ):
        assert isinstance(torch_model.lookup(name), kind)
    linear = torch_model.lookup("torch.nn.modules.linear.Linear")
    assert linear is not None and linear.qname() == "torch.nn.Linear"


def test_overloads() -> None:
    assert [len(tree.args.args) for tree in torch_model.overloads("torch.max")] == [1, 2, 3]
    assert torch_model.overloads("torch.nn.Linear") == ()
    assert torch_model.overloads("nothing") == ()


def test_trees_print_like_any_other() -> None:
    relu = torch_model.lookup("torch.nn.functional.relu")
    assert relu is not None
    assert relu.as_string().strip().startswith("def relu(input: Tensor, inplace: bool = False) -> Tensor:")


def test_every_stub_builds() -> None:
    torch_model.seed()
    for name, module in list(AstroidManager().astroid_cache.items()):
        if torch_model.modelled(name):
            for local in module.locals:
                assert module.locals.get(local) or local not in module.locals
