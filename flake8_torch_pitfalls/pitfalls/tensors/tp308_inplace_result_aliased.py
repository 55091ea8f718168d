"""A second name is given to the result of an operation in place, and the first is then read as if it were unchanged.

## What happens
A method whose name ends in an underscore changes its tensor and returns that same tensor: after `noisy = x.add_(noise)`
the names `noisy` and `x` stand for one tensor, with the noise in it. `F.mse_loss(net(noisy), x)` compares with the
noisy data, `x - noisy` is zero. No error is raised.

## What to write
The operation without the underscore where both are needed: `noisy = x.add(noise)`, or `x.clone()` first where there
is none. Where the old values are of no use, keep one name: `x.add_(noise)`.

## Silent
- `x = x.add_(y)`, and `x.add_(y)` as a statement.
- A tensor that has just been made: `torch.empty(3).normal_()`, `x.clone().add_(y)`.
- The first name is not read again, or is given a new value before.
- The first name is only printed, stored, returned or asked for its shape, or the second is not read.
- `requires_grad_` and the like, which leave the values as they are.

## Known limits
Only variables of one function are followed, not attributes and items of containers, and no views of the tensor.

## Sources
- `torch.Tensor` in PyTorch's documentation: "Methods which mutate a tensor are marked with an underscore suffix".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.flow import Flow, Point, flow
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import after, sets, steps
from flake8_torch_pitfalls.analysis.tree import Scope, function_of, last_name, position
from flake8_torch_pitfalls.finding import Finding

WORDS = set(
    "abs_ acos_ add_ addbmm_ addcdiv_ addcmul_ addmm_ addmv_ addr_ asin_ atan_ baddbmm_ bernoulli_ bitwise_and_ "
    "bitwise_not_ bitwise_or_ bitwise_xor_ cauchy_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ copy_ cos_ cosh_ cumprod_ "
    "cumsum_ div_ eq_ erf_ erfc_ erfinv_ exp_ exp2_ expm1_ exponential_ fill_ fill_diagonal_ floor_ floor_divide_ "
    "fmod_ frac_ ge_ geometric_ gt_ hypot_ index_add_ index_copy_ index_fill_ index_put_ le_ lerp_ log_ log10_ log1p_ "
    "log2_ log_normal_ logical_and_ logical_not_ logical_or_ logical_xor_ logit_ lt_ masked_fill_ masked_scatter_ mul_ "
    "multiply_ nan_to_num_ ne_ neg_ normal_ pow_ put_ random_ reciprocal_ relu_ remainder_ renorm_ round_ rsqrt_ "
    "scatter_ scatter_add_ scatter_reduce_ sigmoid_ sign_ sin_ sinh_ sqrt_ square_ squeeze_ sub_ subtract_ swapaxes_ "
    "t_ tan_ tanh_ transpose_ tril_ triu_ true_divide_ trunc_ uniform_ unsqueeze_ xlogy_ zero_".split()
)
"""Methods of a tensor that change its values or shape and return it."""
_METADATA = frozenset("shape dtype device ndim size dim numel requires_grad is_cuda stride is_contiguous".split())
_LOOKS = frozenset("print len id type isinstance repr str data_ptr info debug".split())
"""Functions that only look at what they are given."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the operations in place whose result goes by another name while the tensor's own is still read."""
    graphs: dict[Scope, Flow] = {}
    for name in sorted(WORDS & source.index.calls.keys()):
        for call in source.index.calls[name]:
            statement, tensor = call.parent, _changed(call)
            if tensor is None or not _is_named_anew(statement, call, tensor):
                continue
            if source.kinds.inferred(tensor, "tensor") is False:
                continue
            scope = function_of(call)
            if scope not in graphs:
                graphs[scope] = flow(scope)
            other = statement.targets[0].name
            read = _read_after(graphs[scope], statement, tensor.name, other)
            if read is not None:
                yield Finding(call, _message(call, tensor.name, other, read))


def _changed(call: nodes.Call) -> nodes.Name | None:
    """Return the variable that *call* changes, also through other changes in place: ``x`` of ``x.add_(1).mul_(2)``."""
    node: nodes.NodeNG = call
    while isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname in WORDS:
        node = node.func.expr
    return node if isinstance(node, nodes.Name) else None


def _is_named_anew(statement: nodes.NodeNG, call: nodes.Call, tensor: nodes.Name) -> bool:
    if not isinstance(statement, nodes.Assign) or statement.value is not call or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    return isinstance(target, nodes.AssignName) and target.name != tensor.name


def _read_after(graph: Flow, statement: nodes.Assign, tensor: str, other: str) -> nodes.Name | None:
    """Return the first read of *tensor* after *statement*, which changes it, if *other*, its new name, is read too."""
    start = next((point for point in graph.points if point.node is statement), None)
    if start is None or not any(_reads(start, statement, other)):
        return None
    return min(_reads(start, statement, tensor), key=position, default=None)


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


def _message(call: nodes.Call, tensor: str, other: str, read: nodes.Name) -> str:
    method = call.func.attrname
    plain = method.removesuffix("_")
    instead = plain if torch_model.member("torch.Tensor", plain) else f"clone().{method}"
    aliased = f"'{other}' is '{tensor}' itself after '{method}', and line {read.lineno} reads '{tensor}'"
    return f"{aliased}; write '{tensor}.{instead}(...)'"
