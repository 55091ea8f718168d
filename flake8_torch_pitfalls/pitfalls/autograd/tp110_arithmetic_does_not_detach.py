"""A copy made by `clone()`, `x + 0` or `x * 1` is still part of the graph: gradients flow through it.

## What happens
Whatever is computed from a tensor that requires grad requires grad itself, a plain copy too. A target, a baseline or
old probabilities that were "saved" this way are trained along with what they are compared with: the loss pulls both
together. Where a tensor is compared with its own copy, as in `exp(log_prob - log_prob.clone())`, the two gradients
cancel out and nothing is learned at all. Kept over several steps, such a copy makes the second `backward()` raise.

## What to write
```python
old_log_prob = log_prob.detach()
target = encoder(x).detach()
```
with `.detach().clone()` where the copy or the tensor is changed in place later.

## Silent
- `.detach()` on either side of the copy, or where the copy is used.
- Copies made under `torch.no_grad()`, and copies of tensors without a graph.
- `before = p.clone()` to be compared by `torch.equal` or `allclose`, or printed.
- Copies that get new values before they are a target: there is nothing left to flow.
- Skip connections and other copies that are meant to carry their gradient.

## Known limits
A copy counts as a target if it is compared with its own source, stands second in one of torch's losses, or is called
a target, a baseline or old. Copies that pile up over the steps of a loop are reported as `TP103`.

## Sources
- `torch.clone`: "This function is differentiable, so gradients will flow back from the result of this operation".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.cuts import Cuts, is_loss
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, dotted, function_of
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "manual_backward", "training_step"}

_NAMES_COPY = re.compile(r"(^|_)(targets?|baselines?|old|teacher|frozen|fixed|expected)($|_|\d)", re.IGNORECASE)
_NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1}
"""Operators, each with the number that leaves its other operand what it is."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the copies with a graph that are compared with what is trained."""
    cuts = Cuts(source)
    for copy, copied in _copies(source):
        if any(_is_compared(source, cuts, copied, use, name) for use, name in _uses_of(source, copy)):
            if cuts.of(copied).graph is True and cuts.of(copy).graph is True and not expects_failure(copy):
                yield Finding(copy, _message(copy, copied))


def _copies(source: Source) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG]]:
    """Yield each expression that copies a tensor, with the expression of that tensor."""
    for call in source.index.calls.get("clone", ()):
        if isinstance(call.func, nodes.Attribute):
            if source.names.symbol(call.func) == "torch.clone":
                if call.args:
                    yield call, call.args[0]
            elif not call.args:
                yield call, call.func.expr
    for node in source.index.of(nodes.BinOp):
        if (neutral := _NEUTRAL.get(node.op)) is not None:
            if _is_number(node.right, neutral):
                yield node, node.left
            elif node.op in ("+", "*") and _is_number(node.left, neutral):
                yield node, node.right


def _is_number(node: nodes.NodeNG, wanted: int) -> bool:
    value = constant(node)
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == wanted


def _uses_of(source: Source, copy: nodes.NodeNG) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield where the value of *copy* is used, with the name of the variable; itself where it has none."""
    if not isinstance(copy.parent, nodes.Assign):
        yield copy, ""
        return
    target = copy.parent.targets[0]
    if len(copy.parent.targets) != 1 or not isinstance(target, nodes.AssignName):
        return
    function = function_of(copy)
    if _gets_new_values(source, target.name, function):
        return
    for use in source.index.of(nodes.Name):
        if use.name == target.name and function_of(use) is function and target in definitions(use, use.name):
            yield use, target.name


def _gets_new_values(source: Source, name: str, function: nodes.NodeNG) -> bool:
    """Return whether something changes the variable *name* of *function* in place."""
    index = source.index
    if any(function_of(target) is function for target in index.items.get(name, ())):
        return True
    return any(
        dotted(call.func.expr) == name and call.func.attrname.endswith("_")
        and (op := torch_model.op(call.func.attrname)) is not None and op.in_place
        for call in index.calls_in.get(function, ())
        if isinstance(call.func, nodes.Attribute)
    )  # fmt: skip


def _is_compared(source: Source, cuts: Cuts, copied: nodes.NodeNG, use: nodes.NodeNG, name: str) -> bool:
    """Return whether *use*, a copy of *copied* called *name*, is compared with something in a loss."""
    parent = use.parent
    if isinstance(parent, nodes.BinOp) and parent.op in ("-", "/"):
        other = parent.right if use is parent.left else parent.left
        is_target = _NAMES_COPY.search(name) is not None or _is_same_variable(copied, other)
    elif isinstance(parent, nodes.Call) and use in parent.args[:2] and is_loss(source.names, parent):
        other = parent.args[1 - parent.args.index(use)] if len(parent.args) > 1 else None
        is_second = parent.args.index(use) == 1 and not name
        is_target = is_second or _NAMES_COPY.search(name) is not None or _is_same_variable(copied, other)
    else:
        return False
    if not is_target or other is None:
        return False
    if cuts.of(other).graph is not True and not _weighs(source, cuts, parent):
        return False
    return Use.BACKWARD in uses(source.names, parent)


def _weighs(source: Source, cuts: Cuts, difference: nodes.NodeNG) -> bool:
    """Return whether something with a graph of its own is multiplied by what is computed from *difference*."""
    for product in source.index.within(function_of(difference), nodes.BinOp):
        if product.op != "*":
            continue
        for side, other in ((product.left, product.right), (product.right, product.left)):
            if difference in cuts.lineage.computed_by(side) and cuts.of(other).graph is True:
                return difference not in cuts.lineage.computed_by(other)
    return False


def _is_same_variable(node: nodes.NodeNG, other: nodes.NodeNG | None) -> bool:
    """Return whether *node* and *other* are one variable with one value."""
    if not isinstance(node, nodes.Name) or not isinstance(other, nodes.Name) or node.name != other.name:
        return False
    return definitions(node, node.name) == definitions(other, other.name)


def _message(copy: nodes.NodeNG, copied: nodes.NodeNG) -> str:
    text = dotted(copied)
    how = "'clone()'" if isinstance(copy, nodes.Call) else f"'{copy.op}' with a number"
    what = f"'{text}'" if text is not None else "the tensor"
    fix = f"'{text}.detach()'" if text is not None else "'.detach()'"
    return f"{how} leaves {what} in the graph, so the loss also trains this copy; write {fix}"
