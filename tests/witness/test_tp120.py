"""TP120 on real torch: tensors with a graph, or on a GPU, do not become arrays."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

CONVERSIONS = {"numpy": lambda t: t.numpy(), "asarray": np.asarray, "array": np.array}

pytestmark = pytest.mark.filterwarnings("ignore:__array__:DeprecationWarning")


@pytest.fixture
def output():
    return nn.Linear(3, 2)(torch.ones(1, 3))


@pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)
def test_a_graph(output, convert):
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        convert(output)
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        convert(output.cpu())
    convert(output.detach())
    convert(output.data)


@pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_nothing_recorded(convert, mode):
    with mode():
        convert(nn.Linear(3, 2)(torch.ones(1, 3)))


def test_forced(output):
    assert output.numpy(force=True).shape == (1, 2)


def test_classes_have_no_graph(output):
    assert output.argmax(1).numpy().shape == (1,)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)
def test_an_accelerator(convert):
    tensor = torch.ones(3, device="cuda")
    with pytest.raises(TypeError, match="can't convert cuda"):
        convert(tensor)
    convert(tensor.cpu())
