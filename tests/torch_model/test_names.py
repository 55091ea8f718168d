"""Names: from whatever a program writes to the one public name."""
from __future__ import annotations

import subprocess
import sys

import pytest

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.torch_model._index import bases, definitions, members
from flake8_torch_pitfalls.torch_model._resolve import definition
from flake8_torch_pitfalls.torch_model.names import stub_files


@pytest.mark.parametrize(
    "written, public",
    [
        ("torch", "torch"),
        ("torch.nn.modules.linear.Linear", "torch.nn.Linear"),
        ("torch.nn.modules.linear.Linear.forward", "torch.nn.Linear.forward"),
        ("torch.nn.modules.batchnorm._BatchNorm", "torch.nn._BatchNorm"),
        ("torch.nn.parameter.Parameter", "torch.nn.Parameter"),
        ("torch.utils.data.dataloader.DataLoader", "torch.utils.data.DataLoader"),
        ("torch.utils.data.sampler.RandomSampler", "torch.utils.data.RandomSampler"),
        ("torch.optim.adam.Adam", "torch.optim.Adam"),
        ("torch.optim.optimizer.Optimizer", "torch.optim.Optimizer"),
        ("torch.serialization.load", "torch.load"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch._tensor.Tensor", "torch.Tensor"),
        ("torch._C.Generator", "torch.Generator"),
        ("torch.FloatTensor", "torch.FloatTensor"),
        ("torch.FloatTensor.add_", "torch.Tensor.add_"),
        ("torch.autograd.grad_mode.no_grad", "torch.no_grad"),
        ("torch.autocast", "torch.amp.autocast"),
        ("torch.amp.autocast_mode.autocast", "torch.amp.autocast"),
        ("torch.cuda.amp.autocast", "torch.cuda.amp.autocast"),
        ("torch.cuda.amp.grad_scaler.GradScaler", "torch.cuda.amp.GradScaler"),
        ("torch.conv2d", "torch.nn.functional.conv2d"),
        ("torch.nn.DataParallel", "torch.nn.parallel.DataParallel"),
        ("torch.nn.parallel.data_parallel.DataParallel", "torch.nn.parallel.DataParallel"),
        ("torch.nn.utils.clip_grad.clip_grad_norm_", "torch.nn.utils.clip_grad_norm_"),
        ("torch.distributed.all_reduce", "torch.distributed.all_reduce"),
        ("torch.distributed.distributed_c10d.all_reduce", "torch.distributed.all_reduce"),
        ("torch.nn.Linear.to", "torch.nn.Module.to"),
        ("pytorch_lightning.LightningModule", "lightning.pytorch.LightningModule"),
        ("lightning.LightningModule", "lightning.pytorch.LightningModule"),
        ("lightning.pytorch.core.module.LightningModule", "lightning.pytorch.LightningModule"),
        ("timm.create_model", "timm.models.create_model"),
    ],
)
def test_canonical(written: str, public: str) -> None:
    assert torch_model.canonical(written) == public


@pytest.mark.parametrize(
    "unknown",
    ["", ".", "torch.", "torch..nn", "numpy.zeros", "torch.no_such_thing", "torch.nn.Linear.no_such",
     "torch.ops.aten.add", "torch.nn.quantized.Linear", "torch.nn.functional.relu.x", "torch." * 200 + "x"],
)
def test_unknown_names_come_back_unchanged(unknown: str) -> None:
    assert torch_model.canonical(unknown) == unknown
    assert torch_model.kind(unknown) is None
    assert torch_model.ancestors(unknown) == ()
    assert torch_model.member(unknown, "x") is None
    assert torch_model.returned(unknown) == ()
    assert torch_model.parameters(unknown) == ()
    assert torch_model.attribute_type(unknown) == ()
    assert torch_model.lookup(unknown) is None


def test_packages() -> None:
    frameworks = "lightning pytorch_lightning accelerate transformers timm torchvision torchmetrics ignite"
    assert torch_model.packages() == {"torch", *frameworks.split()}
    assert torch_model.modelled("torch.nn") and not torch_model.modelled("torchx.nn")


def test_ancestors() -> None:
    assert torch_model.ancestors("torch.nn.Conv2d") == (
        "torch.nn.Conv2d", "torch.nn._ConvNd", "torch.nn.Module", "object",
    )
    assert torch_model.ancestors("torch.cuda.amp.GradScaler") == (
        "torch.cuda.amp.GradScaler", "torch.amp.GradScaler", "object",
    )
    assert "torch.nn.Module" in torch_model.ancestors("pytorch_lightning.LightningModule")
    assert "torch.nn.Module" in torch_model.ancestors("torchmetrics.Accuracy")
    assert "torch.utils.data.Dataset" in torch_model.ancestors("torchvision.datasets.MNIST")
    assert torch_model.ancestors("torch.relu") == ()


def test_member() -> None:
    assert torch_model.member("torch.optim.SGD", "zero_grad") == "torch.optim.Optimizer.zero_grad"
    assert torch_model.member("torch.optim.SGD", "step") == "torch.optim.SGD.step"
    assert torch_model.member("torch.Tensor", "shape") == "torch.Tensor.shape"
    assert torch_model.member("torch.optim.SGD", "backward") is None


def test_kind() -> None:
    names = "torch.nn torch.nn.Linear torch.relu torch.Tensor.add torch.Tensor.shape torch.float32".split()
    assert [torch_model.kind(name) for name in names] == [
        "module", "class", "function", "function", "value", "value",
    ]


def test_every_definition_resolves() -> None:
    outside = {"collections", "contextlib", "datetime", "typing"}
    for module in stub_files():
        for name, found in definitions(module).items():
            if found.target.partition(".")[0] not in outside:
                assert definition(f"{module}.{name}") is not None, f"{module}.{name}"


def test_no_class_stands_among_its_own_bases() -> None:
    for module in stub_files():
        for name, found in definitions(module).items():
            if found.kind == "class":
                assert name not in bases(found), f"{module}.{name}"
                members(found)


def test_names_are_answered_without_astroid() -> None:
    program = (
        "import sys; from flake8_torch_pitfalls import torch_model as model;"
        "model.canonical('torch.optim.adam.Adam'); model.returned('torch.max', 1); model.op('add_');"
        "print('astroid' in sys.modules, 'torch' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert output.stdout.split() == ["False", "False"]
