"""A parameter is changed in place where autograd records, or replaced by the result of its own update.

## What happens
A leaf that requires grad cannot be changed in place while gradients are recorded: `w -= lr * w.grad`, `w.add_(…)` and
`w[0] = 1` raise "a leaf Variable that requires grad is being used in an in-place operation".

The update `w = w - lr * w.grad` does not raise, but binds the name to another tensor. While gradients are recorded
that is no leaf, so that the next `w.grad` is `None`; under `torch.no_grad()` it does not require grad, so that the
next `backward()` raises or leaves it out. Where `w` is the variable of a loop over `parameters()`, the model stays as
it is.

## What to write
The change in place, with recording off:

```python
with torch.no_grad():
    w -= lr * w.grad
```

## Silent
- Changes under `torch.no_grad()`, through `.data` or `.detach()`, and those of `torch.nn.init`.
- Changes of `w.grad`, of tensors that do not require grad, and of copies.
- Parameters that the file freezes.
- A new leaf made of the update: `w = (w - lr * w.grad).detach().requires_grad_()`.
- Updates that are meant to stay in the graph, from `torch.autograd.grad` (meta-learning).

## Known limits
Only what the text shows to be a leaf: `nn.Parameter`, `parameters()` of a module, `requires_grad=True`. The weight of
a module that only an `isinstance` in a loop over `modules()` tells the type of is not, nor are the items of a list of
leaves that is handed to another function.

## Sources
- "In-place operations with autograd" and "Locally disabling gradient computation", PyTorch notes.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    constant,
    dotted,
    function_of,
    last_name,
    loops_around,
    target_text,
    text_of,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

_NO_LEAVES = (nodes.BinOp, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.ListComp, nodes.Compare)
WORDS = {"requires_grad", "requires_grad_", "Parameter", "parameters", "weight", "bias"}

_NO_CHANGE = frozenset(("requires_grad_", "detach_", "retain_grad_", "share_memory_", "resize_"))
"""Methods with an underscore that leave the values, and that a leaf allows."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the in-place changes of leaves, and the updates that put another tensor in their place."""
    for node, changed in _changes(source):
        if _is_leaf(source, changed) and source.tensors.recording(node) is True and not _may_be_frozen(source, changed):
            name = target_text(changed) or text_of(changed)
            yield Finding(node, f"'{name}' is a leaf that requires grad, so this raises; wrap in 'torch.no_grad()'")
    for assign in source.index.of(nodes.Assign):
        updated = _updated(assign)
        if updated is not None and _loses_leaf(source, assign, updated):
            yield Finding(
                assign, f"'{updated}' is another tensor from here on; write '{updated} -= …' under 'torch.no_grad()'"
            )


# -- changes in place -----------------------------------------------------------------------------------


def _changes(source: Source) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG]]:
    """Yield each in-place change with the expression of the tensor that it changes."""
    for node in source.index.of(nodes.AugAssign):
        yield node, node.target
    for assign in source.index.of(nodes.Assign):
        for target in assign.targets:
            if isinstance(target, nodes.Subscript):
                yield assign, target.value
    for name, calls in source.index.calls.items():
        op = torch_model.op(name) if name.endswith("_") and name not in _NO_CHANGE else None
        if op is not None and op.in_place:
            for call in calls:
                if isinstance(call.func, nodes.Attribute):
                    yield call, call.func.expr


def _can_be_leaf(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* may be a leaf by what it was made by; asked before its function is passed through."""
    if isinstance(node, (nodes.Name, nodes.AssignName)):
        made = [getattr(definition.parent, "value", None) for definition in scopes.definitions(node, node.name)]
        return not made or any(not isinstance(value, _NO_LEAVES) and _may_make_leaf(value) for value in made)
    if any(source.names.is_a(value, "torch.nn.Parameter") for value in source.names.values(node)):
        return True
    return any(keyword.arg == "requires_grad" for keyword in source.index.of(nodes.Keyword))


def _may_make_leaf(value: nodes.NodeNG | None) -> bool:
    if not isinstance(value, nodes.Call):
        return True
    if last_name(value.func) in ("Parameter", "requires_grad_", "to", "next", "getattr"):
        return True
    return any(keyword.arg in ("requires_grad", None) for keyword in value.keywords or ())


def _is_leaf(source: Source, node: nodes.NodeNG) -> bool:
    if not _can_be_leaf(source, node) and not _is_switched_on(source, node):
        return False
    fact = source.tensors.at(node)
    if isinstance(fact, Tensor):
        return fact.leaf and fact.graph is True or _is_parameter_in_turn(source, node)
    return _is_parameter_in_turn(source, node)


def _is_switched_on(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether something in the file switches the gradients of a variable with this name on."""
    text = target_text(node) or text_of(node)
    switches = [call.func.expr for call in source.index.calls.get("requires_grad_", ()) if hasattr(call.func, "expr")]
    switches += [target.expr for target in source.index.stores.get("requires_grad", ())]
    return any(dotted(switch) == text for switch in switches)


def _is_parameter_in_turn(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is the variable of a loop over parameters, and bound by the loop alone."""
    if not isinstance(node, (nodes.Name, nodes.AssignName)):
        return False
    for loop in loops_around(node):
        targets = [target for target in walk(loop) if isinstance(target, nodes.AssignName) and target.name == node.name]
        if targets and isinstance(loop, nodes.For):
            first, *others = targets
            values = source.names.values(first) if first in set(walk(loop.target)) else ()
            return (
                bool(values)
                and all(source.names.is_a(value, "torch.nn.Parameter") for value in values)
                and all(isinstance(other.parent, nodes.AugAssign) or other.lineno >= node.lineno for other in others)
            )
    return False


def _may_be_frozen(source: Source, changed: nodes.NodeNG) -> bool:
    """Return whether something in the file may switch the gradients of *changed* off."""
    name = (target_text(changed) or text_of(changed)).partition(".")[0]
    stores = [
        target.expr
        for target in source.index.stores.get("requires_grad", ())
        if constant(getattr(target.parent, "value", None)) is not True
    ]
    calls = [
        call.func.expr
        for call in source.index.calls.get("requires_grad_", ())
        if isinstance(call.func, nodes.Attribute) and call.args and constant(call.args[0]) is not True
    ]
    return any(name == "self" or name in (names := _owners(node)) or not names for node in [*stores, *calls])


def _owners(switched: nodes.NodeNG) -> set[str]:
    """Return the variables that *switched*, whose gradients are switched off, may be part of; none if any may be."""
    found = _names_in(switched)
    for loop in loops_around(switched):
        if isinstance(loop, nodes.For) and found & _names_in(loop.target):
            found |= _names_in(loop.iter)
    function = function_of(switched)
    is_from_caller = isinstance(function, FUNCTIONS) and found & {each.name for each in function.args.arguments}
    return set() if is_from_caller or dotted(switched) is None else found


def _names_in(node: nodes.NodeNG) -> set[str]:
    return {each.name for each in walk(node) if isinstance(each, (nodes.Name, nodes.AssignName))}


# -- updates that are assigned --------------------------------------------------------------------------


def _updated(assign: nodes.Assign) -> str | None:
    """Return ``w`` of ``w = w - lr * w.grad``."""
    target, value = assign.targets[0], assign.value
    if not isinstance(target, nodes.AssignName) or len(assign.targets) != 1:
        return None
    if not isinstance(value, nodes.BinOp) or value.op not in ("-", "+"):
        return None
    name = str(target.name)
    if dotted(value.left) not in (name, f"{name}.data"):
        return None
    return name if any(dotted(node) == f"{name}.grad" for node in walk(value.right)) else None


def _loses_leaf(source: Source, assign: nodes.Assign, name: str) -> bool:
    """Return whether *name* is a leaf before *assign* and none when its loop goes backward again."""
    loops = loops_around(assign)
    if not loops or not _is_leaf_at_first(source, assign, name):
        return False
    if not any(set(loops_around(call)) & set(loops) for call in source.index.calls.get("backward", ())):
        return False
    renewed = [
        *(call.func.expr for call in source.index.calls.get("requires_grad_", ())
          if isinstance(call.func, nodes.Attribute)),
        *(target.expr for target in source.index.stores.get("requires_grad", ())),
    ]  # fmt: skip
    return not any(dotted(node) == name and set(loops_around(node)) & set(loops) for node in renewed)


def _is_leaf_at_first(source: Source, assign: nodes.Assign, name: str) -> bool:
    used = next(node for node in walk(assign.value) if isinstance(node, nodes.Name) and node.name == name)
    if _is_leaf(source, used):
        return True
    others = [definition for definition in scopes.definitions(used, name) if definition.parent is not assign]
    return bool(others) and all(
        isinstance(definition.parent, nodes.Assign)
        and definition.parent.targets[0] is definition
        and not set(loops_around(definition)) & set(loops_around(assign))
        and _is_leaf(source, definition.parent.value)
        for definition in others
    )
