"""Compiling `model.forward` instead of the model leaves out the module's hooks.

## What happens
`torch.compile(model.forward)` gives a plain function. Calling it enters `forward` directly: forward hooks and
pre-hooks of the module do not run, without an error, and the function has no `eval()`, `parameters()` or
`state_dict()`.

## What to write
`torch.compile(model)`, or `model.compile()`, which compiles in place and keeps `model(x)`.

## Silent
- `model.forward = torch.compile(model.forward)` and `model.compile()`: `model(x)` still runs the hooks.
- `torch.jit.trace(model.forward, …)`, which is the same as tracing the module.
- Other methods (`model.generate`, `model.decode`), functions, and `Net.forward` of the class.

## Known limits
Whether hooks are registered is not known. An object about which nothing is known counts as a module only if its
name also says so.

## Sources
- `torch.compile` and `torch.nn.Module.compile` in PyTorch's documentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}

_MODULE_NAME = re.compile(r"(^|_)(model|net|network|module|encoder|decoder|unet|backbone|transformer|policy)\d*$")


def check(source: Source) -> Iterator[Finding]:
    """Yield compilations of a module's bound ``forward`` whose result does not become its ``forward``."""
    for compiled in torch_calls(source, "torch.compile"):
        call = compiled.node
        method = compiled.given.get("model")
        if method is None and isinstance(call.parent, nodes.Call) and call.parent.func is call:
            call = call.parent  # torch.compile(mode="…")(model.forward)
            method = argument(call, 0, None)
        if method is None or not _is_bound_forward(source, method) or _becomes_forward(source, call):
            continue
        text = method.as_string()
        module = text.removesuffix(".forward")
        written = f"'torch.compile({module})'" if module != text else "the module"
        yield Finding(method, f"'{text}' is compiled without the module's hooks; compile {written} instead")


def _is_bound_forward(source: Source, node: nodes.NodeNG) -> bool:
    if isinstance(node, nodes.Attribute) and node.attrname == "forward":
        if isinstance(node.expr, nodes.Call) and last_name(node.expr.func) == "super":
            return False
        if source.kinds.of(node.expr, "module"):
            return True
        name = last_name(node.expr) or ""
        return source.kinds.is_unknown(node.expr) and _MODULE_NAME.search(name) is not None
    values = source.names.known(node)
    return bool(values) and all(_forward_of_module(source, value) for value in values)


def _forward_of_module(source: Source, value: object) -> bool:
    match value:
        case Function(nodes.FunctionDef(name="forward"), Instance() as receiver):
            return source.kinds.is_kind(receiver, "module") is True
        case Method(name, receiver):
            return name.endswith(".forward") and source.kinds.is_kind(receiver, "module") is True
    return False


def _becomes_forward(source: Source, call: nodes.NodeNG) -> bool:
    """Return whether what *call* gives is put back as the ``forward`` of an object."""
    while isinstance(call.parent, (nodes.IfExp, nodes.BoolOp, nodes.NamedExpr)):
        call = call.parent
    match call.parent:
        case nodes.Assign(targets=targets):
            return any(_is_forward(target) or _is_copied_to_forward(source, target) for target in targets)
        case nodes.AnnAssign(target=target):
            return _is_copied_to_forward(source, target)
        case nodes.Return():
            function = call.frame()
            return any(
                isinstance(store.parent, nodes.Assign)
                and isinstance(store.parent.value, nodes.Call)
                and any(value.node is function for value in source.names.callee(store.parent.value))
                for store in source.index.stores.get("forward", ())
            )
        case nodes.Call() as outer:
            return last_name(outer.func) in ("setattr", "__setattr__") and any(
                isinstance(argument, nodes.Const) and argument.value == "forward" for argument in outer.args
            )
    return False


def _is_forward(target: nodes.NodeNG) -> bool:
    return isinstance(target, nodes.AssignAttr) and target.attrname == "forward"


def _is_copied_to_forward(source: Source, target: nodes.NodeNG) -> bool:
    """Return whether the variable *target* is assigned to some ``x.forward``."""
    return isinstance(target, nodes.AssignName) and any(
        isinstance(store.parent, nodes.Assign)
        and isinstance(store.parent.value, nodes.Name)
        and store.parent.value.name == target.name
        for store in source.index.stores.get("forward", ())
    )
