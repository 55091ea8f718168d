"""A second name is given to the result of an operation in place, and the first is then read as if it were unchanged.

## What happens
A method whose name ends in an underscore changes its tensor and returns that same tensor: after `noisy = x.add_(noise)`
the names `noisy` and `x` stand for one tensor, with the noise in it. `F.mse_loss(net(noisy), x)` compares with the
noisy data, `x - noisy` is zero. No error is raised. The same goes for `torch.relu_(x)`, `F.relu(x, inplace=True)` and
a layer `nn.ReLU(inplace=True)`: after `out = self.relu(x)` a shortcut `out + x` adds what the layer left of `x`.

## What to write
The operation without the underscore where both are needed: `noisy = x.add(noise)`, or `x.clone()` first where there
is none. Where the old values are of no use, keep one name: `x.add_(noise)`.

## Silent
- `x = x.add_(y)`, and `x.add_(y)` as a statement.
- A tensor that has just been made: `torch.empty(3).normal_()`, `x.clone().add_(y)`.
- The first name is not read again, or is given a new value before.
- The first name is only printed, stored, returned or asked for its shape, or the second is not read.
- `requires_grad_` and the like, which leave the values as they are.
- Layers whose `inplace` is decided elsewhere, and layers inside of `nn.Sequential`.

## Known limits
Only variables of one function are followed, also under a second name (`identity = x`), not attributes and items of
containers, and no views of the tensor.

## Sources
- `torch.Tensor` in PyTorch's documentation: "Methods which mutate a tensor are marked with an underscore suffix".
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.flow import Flow, Point, flow
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import after, sets, steps
from flake8_torch_pitfalls.analysis.tensors import works_in_place
from flake8_torch_pitfalls.analysis.tree import (
    Scope,
    argument,
    constant,
    dotted,
    function_of,
    last_name,
    position,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

LAYERS = frozenset(
    "ReLU ReLU6 LeakyReLU RReLU ELU SELU CELU SiLU Mish Hardtanh Hardswish Hardsigmoid Threshold Dropout Dropout2d "
    "AlphaDropout".split()
)
"""Layers with an option to work in place."""
WORDS = set(
    "abs_ acos_ add_ addbmm_ addcdiv_ addcmul_ addmm_ addmv_ addr_ asin_ atan_ baddbmm_ bernoulli_ bitwise_and_ "
    "bitwise_not_ bitwise_or_ bitwise_xor_ cauchy_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ copy_ cos_ cosh_ cumprod_ "
    "cumsum_ div_ eq_ erf_ erfc_ erfinv_ exp_ exp2_ expm1_ exponential_ fill_ fill_diagonal_ floor_ floor_divide_ "
    "fmod_ frac_ ge_ geometric_ gt_ hypot_ index_add_ index_copy_ index_fill_ index_put_ le_ lerp_ log_ log10_ log1p_ "
    "log2_ log_normal_ logical_and_ logical_not_ logical_or_ logical_xor_ logit_ lt_ masked_fill_ masked_scatter_ mul_ "
    "multiply_ nan_to_num_ ne_ neg_ normal_ pow_ put_ random_ reciprocal_ relu_ remainder_ renorm_ round_ rsqrt_ "
    "scatter_ scatter_add_ scatter_reduce_ sigmoid_ sign_ sin_ sinh_ sqrt_ square_ squeeze_ sub_ subtract_ swapaxes_ "
    "t_ tan_ tanh_ transpose_ tril_ triu_ true_divide_ trunc_ uniform_ unsqueeze_ xlogy_ zero_ inplace".split()
) | LAYERS
"""Methods of a tensor that change its values or shape and return it; layers that may, and their option."""
HOMES = ("torch", "torch.nn.functional")
_METADATA = frozenset("shape dtype device ndim size dim numel requires_grad is_cuda stride is_contiguous".split())
_LOOKS = frozenset("print len id type isinstance repr str data_ptr info debug".split())
"""Functions that only look at what they are given."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the operations in place whose result goes by another name while the tensor's own is still read."""
    graphs: dict[Scope, Flow] = {}
    for call, tensor, instead in (*_by_method(source), *_by_option(source)):
        statement = call.parent
        if not _is_named_anew(statement, call, tensor) or source.kinds.inferred(tensor, "tensor") is False:
            continue
        scope = function_of(call)
        if scope not in graphs:
            graphs[scope] = flow(scope)
        other = statement.targets[0].name
        read = _read_after(source, graphs[scope], statement, tensor, other)
        if read is not None:
            what = text_of(call.func) if isinstance(call.func, nodes.Name) else call.func.attrname
            yield Finding(
                call,
                f"'{other}' is '{tensor.name}' itself after '{what}', and line {read.lineno} reads '{read.name}'; "
                f"{instead}",
            )


Change: TypeAlias = tuple[nodes.Call, nodes.Name, str]
"""A call, the variable whose tensor it changes and returns, and what to write in its place."""


def _by_method(source: Source) -> Iterator[Change]:
    """Yield the changes by what has an underscore at the end of its name: ``x.add_(y)``, ``torch.relu_(x)``."""
    for name in sorted(WORDS & source.index.calls.keys()):
        for call in source.index.calls[name]:
            plain = name.removesuffix("_")
            if _is_function(source, call):
                if call.args and isinstance(call.args[0], nodes.Name):
                    yield call, call.args[0], f"write '{text_of(call.func).removesuffix('_')}(...)'"
            elif (tensor := _changed(call)) is not None:
                instead = plain if torch_model.member("torch.Tensor", plain) else f"clone().{name}"
                yield call, tensor, f"write '{tensor.name}.{instead}(...)'"


def _is_function(source: Source, call: nodes.Call) -> bool:
    return (source.names.symbol(call.func) or "").rpartition(".")[0] in HOMES


def _changed(call: nodes.Call) -> nodes.Name | None:
    """Return the variable that *call* changes, also through other changes in place: ``x`` of ``x.add_(1).mul_(2)``."""
    node: nodes.NodeNG = call
    while isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname in WORDS:
        node = node.func.expr
    return node if isinstance(node, nodes.Name) else None


def _by_option(source: Source) -> Iterator[Change]:
    """Yield the changes by functions and layers with ``inplace=True``."""
    for keyword in source.index.of(nodes.Keyword):
        if keyword.arg == "inplace" and constant(keyword.value) is True:
            call = keyword.parent
            tensor = argument(call, 0, "input")
            if isinstance(tensor, nodes.Name) and _is_function(source, call):
                yield call, tensor, "drop 'inplace=True'"
    if any(_has_true(call) for name in LAYERS & source.index.calls.keys() for call in source.index.calls[name]):
        yield from _by_layer(source)


def _has_true(call: nodes.Call) -> bool:
    """Return whether *call* of a layer may ask it to work in place."""
    return any(constant(given) is True for given in (*call.args, *(word.value for word in call.keywords or ())))


def _by_layer(source: Source) -> Iterator[Change]:
    for statement in source.index.of(nodes.Assign):
        call = statement.value
        if not isinstance(call, nodes.Call) or not isinstance(call.func, nodes.Attribute) or len(call.args) != 1:
            continue
        if isinstance(call.args[0], nodes.Name) and dotted(call.func.expr) == "self":
            values = source.names.values(call.func)
            if all(isinstance(value, Instance) and works_in_place(value) for value in values):
                yield call, call.args[0], "make the layer without 'inplace=True'"


def _is_named_anew(statement: nodes.NodeNG, call: nodes.Call, tensor: nodes.Name) -> bool:
    if not isinstance(statement, nodes.Assign) or statement.value is not call or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    return isinstance(target, nodes.AssignName) and target.name != tensor.name


def _read_after(
    source: Source, graph: Flow, statement: nodes.Assign, tensor: nodes.Name, other: str
) -> nodes.Name | None:
    """Return the first read of *tensor* after *statement*, which changes it, if *other*, its new name, is read too."""
    start = next((point for point in graph.points if point.node is statement), None)
    if start is None or not any(_reads(start, statement, other)):
        return None
    reads = list(_reads(start, statement, tensor.name))
    for alias in _aliases(source, tensor):
        reads += [
            read
            for read in _reads(start, statement, alias.name)
            if scopes.definitions(read, read.name) == [alias]
        ]
    return min(reads, key=position, default=None)


def _aliases(source: Source, tensor: nodes.Name) -> Iterator[nodes.AssignName]:
    """Yield the variables to which ``identity = x`` gave the tensor that *tensor* stands for."""
    for assign in source.index.within(function_of(tensor), nodes.Assign):
        if isinstance(assign.value, nodes.Name) and assign.value.name == tensor.name:
            if scopes.definitions(assign.value, tensor.name) == scopes.definitions(tensor, tensor.name):
                yield from (one for one in assign.targets if isinstance(one, nodes.AssignName))


def _reads(start: Point, statement: nodes.Assign, name: str) -> Iterator[nodes.Name]:
    """Yield where the value that the variable *name* has after *start*, that is *statement*, is computed with."""
    for point in after(start, lambda one: sets(one, name)):
        if point.node is not statement:
            for node in steps(point):
                if isinstance(node, nodes.Name) and node.name == name and not _is_look(node):
                    yield node


def _is_look(name: nodes.Name) -> bool:
    """Return whether the values of *name* do not matter where it stands, or are only passed on as they are."""
    match name.parent:
        case nodes.Attribute(attrname=attribute):
            return attribute in _METADATA
        case nodes.Call(func=func) if func is not name:
            return last_name(func) in _LOOKS
        case nodes.Compare(ops=[("is" | "is not", _)]):
            return True
        case nodes.Return() | nodes.Assign() | nodes.Delete() | nodes.FormattedValue():
            return True
    return False
