"""The model against the installed torch."""
from __future__ import annotations

import importlib
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("yaml")

from flake8_torch_pitfalls import torch_model  # noqa: E402
from flake8_torch_pitfalls.torch_model import build  # noqa: E402
from flake8_torch_pitfalls.torch_model._ops import _table  # noqa: E402
from flake8_torch_pitfalls.torch_model.names import stub_files  # noqa: E402


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    """Touching every public name of torch meets every deprecation it has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_build_check_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    status = build.main(["--check"])
    assert (capsys.readouterr().out, status) == ("", 0)


OTHER_OBJECTS = {
    "torch.distributed.checkpoint.staging.Future",
    "torch.distributed.checkpoint.state_dict_saver.Future",
    "torch.fx.graph.map_arg",
    "torch.fx.passes.split_utils.map_arg",
    "torch.fx.proxy.map_arg",
    "torch.jit.annotations.Module",
    "torch.jit.frontend.Attribute",
    "torch.random.Generator",
}
"""Names that modules of torch import for themselves from elsewhere; no program takes them from there."""


def _is_public(module: str) -> bool:
    private = any(part.startswith("_") and part not in ("_C", "_tensor") for part in module.split(".")[1:])
    return module.startswith("torch.") and not private and not module.startswith("torch.fx.experimental.")


def test_a_name_and_its_canonical_name_are_one_object() -> None:
    for module in stub_files():
        if module.startswith("torch.") and module != "torch.utils.tensorboard":
            importlib.import_module(module)
    wrong = set()
    for name, module in list(sys.modules.items()):
        if not _is_public(name):
            continue
        for attribute, value in list(vars(module).items()):
            if attribute.startswith("__") or isinstance(value, (types.ModuleType, int, float, str)):
                continue
            written = f"{name}.{attribute}"
            public = torch_model.canonical(written)
            if public != written and _real(public, value) is not value:
                wrong.add(written)
    assert wrong - OTHER_OBJECTS == set()


def _real(dotted: str, default: Any) -> Any:
    value = torch
    for part in dotted.split(".")[1:]:
        value = getattr(value, part, default)
    return value


NO_BACKWARD = set("floor_divide geqrf histogram igamma igammac special_zeta unique_consecutive".split())
NOT_TOLD_BY_TRYING = {"complex", "linalg_eig", "polar", "to_mkldnn", "unbind"}
"""A complex result has no sum to go back from, and the views of unbind refuse any change in place."""
UNTRIED = NO_BACKWARD | NOT_TOLD_BY_TRYING


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in sorted(_table()):
        found = torch_model.op(name)
        if name.endswith("_") or found is None or not found.known or name in UNTRIED:
            continue
        prefix, _, rest = name.partition("_")
        homes = {"linalg": torch.linalg, "special": torch.special, "fft": torch.fft}
        places = [(homes[prefix], rest)] if prefix in homes else []
        places += [(torch.Tensor, name), (torch, name), (torch.nn.functional, name)]
        function = next((getattr(place, each) for place, each in places if hasattr(place, each)), None)
        if function is not None:
            yield name, function


def _breaks(function: Callable[..., Any], inputs: list[Any], changed: int | None) -> bool | None:
    """Return whether backward fails when an input, or with None the output, was changed in place."""
    leaves = [each.clone().requires_grad_() for each in inputs]
    arguments = [each.clone() for each in leaves]
    output = function(*arguments)
    output = output[0] if isinstance(output, (tuple, list)) else output
    if not isinstance(output, torch.Tensor) or not output.requires_grad or not output.is_floating_point():
        return None
    with torch.no_grad():
        (output if changed is None else arguments[changed]).zero_()
    try:
        output.sum().backward()
    except RuntimeError as error:
        assert "inplace operation" in str(error)
        return True
    return False


def _saved_by_model(name: str, count: int) -> list[list[bool]]:
    found = torch_model.op(name)
    assert found is not None
    forms = []
    for overload in found.overloads:
        names = overload.arguments[:count]
        saved = overload.saves(frozenset(names))
        forms.append([each in saved for each in names] + ["result" in saved])
        if len(names) == 1:  # a list of tensors, given one by one
            forms.append([names[0] in saved] * count + ["result" in saved])
    return forms


def test_what_ops_of_one_or_two_tensors_save() -> None:
    wrong, tried = [], 0
    for name, function in _functions():
        for shape in ((3,), (3, 3)):
            for count in (1, 2):
                inputs = [torch.linspace(0.2, 0.7, 3).expand(shape).clone() + i * 0.1 for i in range(count)]
                try:
                    observed = [_breaks(function, inputs, changed) for changed in [*range(count), None]]
                except (RuntimeError, TypeError, ValueError, IndexError, AttributeError, NotImplementedError):
                    continue  # not an op of this many tensors
                if None in observed:
                    continue
                tried += 1
                if observed not in _saved_by_model(name, count):
                    wrong.append((name, shape, observed))
    assert wrong == []
    assert tried > 400


def _noise(*shape: int) -> Any:
    return torch.rand(shape) * 0.5 + 0.2


IMAGES, ROWS, WORDS = (2, 4, 6, 6), (3, 5), (2, 4, 8)
CLASSES = [0, 2, 4]
F = torch.nn.functional
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "adaptive_avg_pool2d": (lambda self: F.adaptive_avg_pool2d(self, 2), {"self": IMAGES}),
    "addmm": (torch.addmm, {"self": (3, 3), "mat1": (3, 5), "mat2": (5, 3)}),
    "amax": (lambda self: self.amax(1), {"self": ROWS}),
    "avg_pool2d": (lambda self: F.avg_pool2d(self, 2), {"self": IMAGES}),
    "batch_norm": (
        lambda input, weight, bias: F.batch_norm(input, None, None, weight, bias, training=True),
        {"input": IMAGES, "weight": (4,), "bias": (4,)},
    ),
    "bilinear": (F.bilinear, {"input1": (3, 4), "input2": (3, 5), "weight": (2, 4, 5), "bias": (2,)}),
    "binary_cross_entropy": (F.binary_cross_entropy, {"self": ROWS, "target": ROWS}),
    "binary_cross_entropy_with_logits": (
        F.binary_cross_entropy_with_logits, {"self": ROWS, "target": ROWS},
    ),
    "bmm": (torch.bmm, {"self": (2, 3, 4), "mat2": (2, 4, 3)}),
    "chunk": (lambda self: self.chunk(2, 0)[0] * 1, {"self": IMAGES}),
    "conv2d": (F.conv2d, {"input": IMAGES, "weight": (3, 4, 3, 3), "bias": (3,)}),
    "conv_transpose2d": (F.conv_transpose2d, {"input": IMAGES, "weight": (4, 3, 3, 3), "bias": (3,)}),
    "cosine_similarity": (lambda x1, x2: F.cosine_similarity(x1, x2, dim=1), {"x1": ROWS, "x2": ROWS}),
    "cross_entropy": (lambda input: F.cross_entropy(input, torch.tensor(CLASSES)), {"input": ROWS}),
    "dropout": (lambda input: F.dropout(input, 0.5), {"input": ROWS}),
    "elu": (F.elu, {"self": ROWS}),
    "flatten": (lambda self: self.flatten(1), {"self": IMAGES}),
    "gather": (lambda self: self.gather(1, torch.zeros(3, 2, dtype=torch.long)), {"self": ROWS}),
    "group_norm": (
        lambda input, weight, bias: F.group_norm(input, 2, weight, bias),
        {"input": IMAGES, "weight": (4,), "bias": (4,)},
    ),
    "gelu": (F.gelu, {"self": ROWS}),
    "hardtanh": (F.hardtanh, {"self": ROWS}),
    "instance_norm": (
        lambda input, weight, bias: F.instance_norm(input, weight=weight, bias=bias),
        {"input": IMAGES, "weight": (4,), "bias": (4,)},
    ),
    "l1_loss": (F.l1_loss, {"self": ROWS, "target": ROWS}),
    "layer_norm": (
        lambda input, weight, bias: F.layer_norm(input, (5,), weight, bias),
        {"input": ROWS, "weight": (5,), "bias": (5,)},
    ),
    "leaky_relu": (F.leaky_relu, {"self": ROWS}),
    "linear": (F.linear, {"input": ROWS, "weight": (4, 5), "bias": (4,)}),
    "log_softmax": (lambda self: F.log_softmax(self, 1), {"self": ROWS}),
    "matmul": (torch.matmul, {"self": (2, 3, 4), "other": (2, 4, 3)}),
    "max_pool2d": (lambda self: F.max_pool2d(self, 2), {"self": IMAGES}),
    "mean": (lambda self: self.mean(1), {"self": ROWS}),
    "mse_loss": (F.mse_loss, {"self": ROWS, "target": ROWS}),
    "nll_loss": (lambda self: F.nll_loss(self, torch.tensor(CLASSES)), {"self": ROWS}),
    "norm": (lambda self: self.norm(), {"self": ROWS}),
    "normalize": (lambda input: F.normalize(input), {"input": ROWS}),
    "permute": (lambda self: self.permute(1, 0), {"self": ROWS}),
    "prelu": (F.prelu, {"self": ROWS, "weight": (1,)}),
    "reshape": (lambda self: self.reshape(-1), {"self": ROWS}),
    "rms_norm": (lambda input, weight: F.rms_norm(input, (5,), weight), {"input": ROWS, "weight": (5,)}),
    "scaled_dot_product_attention": (
        F.scaled_dot_product_attention, {"query": WORDS, "key": WORDS, "value": WORDS},
    ),
    "selu": (F.selu, {"self": ROWS}),
    "silu": (F.silu, {"self": ROWS}),
    "smooth_l1_loss": (F.smooth_l1_loss, {"self": ROWS, "target": ROWS}),
    "softmax": (lambda self: F.softmax(self, 1), {"self": ROWS}),
    "softmin": (lambda input: F.softmin(input, 1), {"input": ROWS}),
    "softplus": (F.softplus, {"self": ROWS}),
    "std": (lambda self: self.std(1), {"self": ROWS}),
    "tensordot": (lambda self, other: torch.tensordot(self, other, 1), {"self": (3, 4), "other": (4, 3)}),
    "var": (lambda self: self.var(1), {"self": ROWS}),
    "where": (lambda self, other: torch.where(self > 0, self, other), {"self": ROWS, "other": ROWS}),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_saved_by(name: str) -> None:
    function, shapes = CALLS[name]
    torch.manual_seed(0)
    inputs = [_noise(*shape) for shape in shapes.values()]
    places: list[int | None] = [*range(len(inputs)), None]
    observed = {key for key, place in zip([*shapes, "result"], places) if _breaks(function, inputs, place)}
    found = torch_model.op(name)
    assert found is not None
    modelled = [set(each.saves(frozenset(shapes))) & {*shapes, "result"} for each in found.overloads]
    assert observed in modelled
