"""What calls take and give."""
from __future__ import annotations

import pytest

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.torch_model import Type

TENSOR = Type("torch.Tensor")
PAIR = Type("tuple", (TENSOR, TENSOR))
VALUES_AND_INDICES = Type("tuple", (TENSOR, TENSOR), ("values", "indices"))


@pytest.mark.parametrize(
    "call, expected",
    [
        (("torch.randn", 2), (TENSOR,)),
        (("torch.nn.Linear",), (Type("torch.nn.Linear"),)),
        (("torch.nn.Module.to",), (Type("Self"),)),
        (("torch.Tensor.to", 1), (TENSOR,)),
        (("torch.max", 1), (TENSOR,)),
        (("torch.max", 2, frozenset(), frozenset({1})), (VALUES_AND_INDICES,)),
        (("torch.max", 2), (TENSOR, VALUES_AND_INDICES)),
        (("torch.Tensor.max", 0, frozenset({"dim"})), (VALUES_AND_INDICES,)),
        (("torch.Tensor.topk", 1), (VALUES_AND_INDICES,)),
        (("torch.nn.LSTM.forward", 1), (Type("tuple", (TENSOR, PAIR)),)),
        (("torch.nn.Module.parameters",), (Type("iterator", (Type("torch.nn.Parameter"),)),)),
        (("torch.nn.Module.state_dict",), (Type("dict", (Type("str"), Type("Any"))),)),
        (("torch.nn.functional.cross_entropy", 2), (TENSOR,)),
        (("torch.Tensor.chunk", 1), (Type("tuple", (TENSOR, Type("..."))),)),
        (("torch.Tensor.backward",), (Type("None"),)),
        (("transformers.get_linear_schedule_with_warmup", 3), (Type("torch.optim.lr_scheduler.LambdaLR"),)),
        (("transformers.AutoModel.from_pretrained", 1), (Type("transformers.PreTrainedModel"),)),
        (("timm.create_model", 1), (Type("torch.nn.Module"),)),
        (("torchvision.models.resnet18",), (Type("torchvision.models.ResNet"),)),
    ],
)
def test_returned(call: tuple[object, ...], expected: tuple[Type, ...]) -> None:
    assert torch_model.returned(*call) == expected  # type: ignore[arg-type]


def test_attribute_type() -> None:
    assert torch_model.attribute_type("torch.Tensor.grad") == (TENSOR, Type("None"))
    assert torch_model.attribute_type("torch.Tensor.device") == (Type("torch.device"),)
    assert torch_model.attribute_type("torch.nn.Linear.weight") == (Type("torch.nn.Parameter"),)
    assert torch_model.attribute_type("torch.float32") == (Type("torch.dtype"),)
    assert torch_model.attribute_type("torch.backends.cudnn.benchmark") == (Type("bool"),)
    assert torch_model.attribute_type("torch.relu") == ()


def test_parameters_of_a_class_are_those_of_its_constructor() -> None:
    names = [each.name for each in torch_model.parameters("torch.nn.Linear")]
    assert names == ["in_features", "out_features", "bias", "device", "dtype"]
    inherited = [each.name for each in torch_model.parameters("torch.nn.BatchNorm2d")]
    assert inherited[:3] == ["num_features", "eps", "momentum"]


def test_parameter() -> None:
    self_less = torch_model.parameters("torch.optim.Optimizer.zero_grad")
    assert [(each.name, each.kind, each.has_default, each.default) for each in self_less] == [
        ("set_to_none", "positional", True, "True")
    ]
    kinds = {each.name: each.kind for each in torch_model.parameters("torch.utils.data.DataLoader")}
    assert kinds["batch_size"] == "positional"
    assert kinds["persistent_workers"] == "keyword-only"


def test_class_methods() -> None:
    assert torch_model.is_class_method("torch.nn.Embedding.from_pretrained")
    assert not torch_model.is_class_method("torch.nn.Module.eval")
    assert not torch_model.is_class_method("torch.nn.Embedding")
