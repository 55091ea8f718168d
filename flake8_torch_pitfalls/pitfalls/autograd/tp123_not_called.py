"""A method is named but not called, so nothing happens.

## What happens
`optimizer.step`, `optimizer.zero_grad`, `loss.backward`, `model.eval`, `scheduler.step` without parentheses are
expressions: Python looks the method up and drops it. Parameters do not move, gradients are not cleared, the model
stays in train mode, and no error is raised.

## What to write
`optimizer.step()`, with the parentheses.

## Silent
- A method that is passed on, returned, assigned or tested.
- A property, or an attribute that holds data: `splits.train`.
- An expression in a `try` that finds out whether the attribute exists.
- An object that nothing shows to be torch's.

## Known limits
The value at the end of a notebook's cell is a statement like any other.

## Sources
- The methods' pages in PyTorch's documentation: `Optimizer.step`, `Tensor.backward`, `Module.eval`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.kinds import CALLED
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, last_name, walk
from flake8_torch_pitfalls.analysis.values import Function, Method
from flake8_torch_pitfalls.finding import Finding

METHODS = {
    "optimizer": {"step", "zero_grad"},
    "scheduler": {"step"},
    "module": {"eval", "train", "zero_grad", "cuda", "cpu", "half", "float", "double"},
    "tensor": {"backward", "zero_", "detach_", "retain_grad", "requires_grad_"},
    "scaler": {"step", "update", "unscale_"},
}
"""Methods that are called for what they do, by kind of object."""
TELLING = frozenset(("backward", "zero_grad"))
"""Methods whose name alone says that the object is torch's, where nothing else is known of it."""
OF_MODULES = frozenset((CALLED, "parameters", "state_dict", "load_state_dict", "train", "eval"))
"""What is done to a module, where nothing else is known of the object whose ``eval`` or ``train`` is named."""
FUNCTIONS = frozenset(
    "torch.cuda.empty_cache torch.cuda.synchronize torch.distributed.barrier torch.distributed.destroy_process_group "
    "torch.cuda.reset_peak_memory_stats torch.mps.empty_cache torch.mps.synchronize".split()
)
WORDS = set().union(*METHODS.values()) | {name.rpartition(".")[2] for name in FUNCTIONS}


def check(source: Source) -> Iterator[Finding]:
    """Yield the methods and functions that stand as a statement without being called."""
    for statement in source.index.of(nodes.Expr):
        for node in _values(statement.value):
            if last_name(node) in WORDS and _does_something(source, node) and not _is_probe(node):
                named = node.as_string()
                yield Finding(node, f"'{named}' is not called and does nothing; write '{named}()'")


def _values(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions whose value *node*, a statement's expression, drops."""
    match node:
        case nodes.IfExp():
            yield from _values(node.body)
            yield from _values(node.orelse)
        case nodes.BoolOp():
            yield from _values(node.values[-1])
        case nodes.Tuple() | nodes.List():
            for element in node.elts:
                yield from _values(element)
        case nodes.ListComp():
            yield from _values(node.elt)
        case nodes.Attribute() | nodes.Name():
            yield node


def _does_something(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a function or method that is called for its effect."""
    names = source.names
    symbol = names.symbol(node)
    if symbol in FUNCTIONS:
        return True
    if not isinstance(node, nodes.Attribute):
        return False
    known = names.known(node)
    if any(not isinstance(value, (Function, Method)) for value in known):
        return False
    name, kinds = node.attrname, source.kinds
    if any(name in methods and kinds.of(node.expr, kind) for kind, methods in METHODS.items()):
        return True
    if known or not kinds.is_unknown(node.expr):
        return False
    if name in ("eval", "train"):
        return not OF_MODULES.isdisjoint(kinds.methods_called(node.expr))
    if name == "step":
        return kinds.named_like(node.expr, "optimizer") or kinds.named_like(node.expr, "scheduler")
    return name in TELLING


def _is_probe(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands in a ``try`` that expects the attribute to be missing."""
    below = node
    for parent in ancestors(node):
        if isinstance(parent, nodes.Try) and below in parent.body:
            for handler in parent.handlers:
                caught = {last_name(inner) for inner in walk(handler.type)} if handler.type is not None else set()
                if "AttributeError" in caught:
                    return True
        below = parent
    return False
