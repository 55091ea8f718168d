"""A tensor that the loop does not change is copied to the GPU in every pass.

## What happens
`weights.to(device)` copies the tensor each time, although its values are those of the pass before. The copy of
pageable memory makes the CPU wait, too.

## What to write
`weights = weights.to(device)` before the loop; for a tensor of a module, `register_buffer`.

## Silent
- Tensors that the loop makes, takes from the loader, or changes in place.
- `x = x.to(device)` under the same name, which copies once.
- Copies that nobody uses: a warm-up, or a mistake that TP401 reports.
- Tensors that are not known to be on the CPU: there `to` may have nothing to do.

## Known limits
Attributes such as `self.anchors.to(x.device)` in `forward` are not looked at.

## Sources
- `torch.Tensor.to` in PyTorch's documentation: it returns a copy unless the tensor is already as asked for.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices, scopes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import to_accelerator
from flake8_torch_pitfalls.analysis.tree import ancestors, dotted, loops_around, target_text, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"to", "cuda"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the copies to the device, in loops, of tensors that the loop leaves alone."""
    for name in ("to", "cuda"):
        for call in source.index.calls.get(name, ()):
            moved = getattr(call.func, "expr", None)
            loop = next(iter(loops_around(call)), None)
            if loop is None or not isinstance(moved, nodes.Name) or isinstance(call.parent, nodes.Expr):
                continue
            if not _is_kept(moved, loop):
                continue
            if to_accelerator(source.names, call) and _is_on_cpu(source, moved) and not _is_renamed(call, moved):
                yield Finding(call, f"'{moved.name}' is copied to the device in every pass; move it before the loop")


def _is_kept(variable: nodes.Name, loop: nodes.For | nodes.While) -> bool:
    """Return whether *loop* neither sets nor changes *variable*, which a plain assignment made."""
    definitions = scopes.definitions(variable, variable.name)
    made_before = bool(definitions) and all(
        isinstance(one.parent, nodes.Assign) and loop not in ancestors(one) for one in definitions
    )
    return made_before and not any(_changes(node, variable.name) for node in walk(loop))


def _changes(node: nodes.NodeNG, name: str) -> bool:
    """Return whether *node* changes the tensor in the variable *name* in place."""
    match node:
        case nodes.AugAssign():
            return target_text(node.target) == name
        case nodes.Subscript():
            return bool(node.ctx.name == "Store" and dotted(node.value) == name)
        case nodes.Call(func=nodes.Attribute(attrname=method)):
            return method.endswith("_") and dotted(node.func.expr) == name
        case nodes.Keyword(arg="out"):
            return dotted(node.value) == name
    return False


def _is_on_cpu(source: Source, node: nodes.Name) -> bool:
    fact = source.tensors.at(node)
    return isinstance(fact, Tensor) and fact.device == devices.CPU


def _is_renamed(call: nodes.Call, moved: nodes.Name) -> bool:
    """Return whether the copy takes the place of the tensor, so that the next pass has nothing to copy."""
    statement = call.statement()
    return isinstance(statement, nodes.Assign) and moved.name in map(target_text, statement.targets)
