"""`torch.tensor` of a tensor warns and copies, `torch.Tensor` of a tensor shares its memory.

## What happens
`torch.tensor(t)` and `x.new_tensor(t)` read `t` as data: the copy has no graph, so a loss that is computed from it
does not train what made `t`, and every call warns that `detach().clone()` is to be preferred. `torch.Tensor(t)`,
`torch.FloatTensor(t)` and their like copy nothing: the result is an alias that keeps the dtype and the graph of
`t`, and an in-place change of one changes the other.

## What to write
`t.detach().clone()` for a copy without a graph, `t.clone()` for one that keeps it, `torch.as_tensor(t)` where `t` may
also be a list or an array; `t.to(dtype)` or `t.float()` to convert.

## Silent
- Lists, numbers, NumPy arrays, and everything that is not known to be a tensor.
- What the function tests to be a tensor: `torch.tensor(x) if not torch.is_tensor(x) else x`.
- `torch.Tensor(x)` of a value without a name, and `x = torch.Tensor(x)`: nothing is left to share memory with.
- Annotations that allow something else: `x: torch.Tensor | numpy.ndarray`.

## Known limits
A list of tensors, `torch.tensor([a, b])`, is not reported here.

## Sources
- `torch.tensor` in PyTorch's documentation: "When working with tensors prefer using `torch.Tensor.clone`,
  `torch.Tensor.detach`, and `torch.Tensor.requires_grad_` for readability".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, dotted, function_of, last_name, target_text, text_of
from flake8_torch_pitfalls.finding import Finding

CONSTRUCTORS = (
    "Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor", "IntTensor", "ShortTensor", "ByteTensor",
    "CharTensor", "BoolTensor",
)  # fmt: skip
WORDS = {"tensor", "new_tensor", *CONSTRUCTORS}


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls that read a tensor as if it were data."""
    for call in torch_calls(source, "torch.tensor"):
        yield from _copied(source, call.node, call.given.get("data"))
    for node in source.index.calls.get("new_tensor", ()):
        if source.names.symbol(node.func) == "torch.Tensor.new_tensor":
            yield from _copied(source, node, argument(node, 0, "data"))
    for call in torch_calls(source, *(f"torch.{name}" for name in CONSTRUCTORS)):
        if len(call.node.args) == 1 and not call.node.keywords and _is_alias(source, call.node):
            what, name = _names(call.node.args[0])
            yield Finding(
                call.node,
                f"'{text_of(call.node.func)}' of {what} shares its memory; use '{name}.clone()', or '.to()' to convert",
            )


def _copied(source: Source, call: nodes.Call, data: nodes.NodeNG | None) -> Iterator[Finding]:
    if data is not None and _is_tensor(source, data):
        what, name = _names(data)
        yield Finding(
            call, f"'{last_name(call.func)}' of {what} warns and cuts its graph; use '{name}.detach().clone()'"
        )


def _names(tensor: nodes.NodeNG) -> tuple[str, str]:
    """Return what to call *tensor* in a sentence, and in front of a method."""
    name = dotted(tensor)
    return (f"the tensor '{name}'", name) if name is not None else ("a tensor", "")


def _is_alias(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* makes a second name for a tensor that has one, and keeps it."""
    [data] = call.args
    statement = call.parent
    if isinstance(statement, nodes.Assign) and any(target_text(target) == dotted(data) for target in statement.targets):
        return False
    return isinstance(data, (nodes.Name, nodes.Attribute, nodes.Subscript)) and _is_tensor(source, data)


def _is_tensor(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a tensor by everything that is known of it, and nothing asks whether it is one."""
    values = source.names.values(node)
    return all(source.kinds.is_kind(value, "tensor") is True for value in values) and not _is_tested(source, node)


def _is_tested(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether the function of *node* asks for the type of what it is, or is made from."""
    asked = {dotted(node), *(name.name for name in node.nodes_of_class(nodes.Name))} - {None, "self"}
    return any(
        call.args and dotted(call.args[0]) in asked
        for name in ("isinstance", "is_tensor", "type", "hasattr")
        for call in source.index.calls.get(name, ())
        if function_of(call) is function_of(node)
    )
