"""What the batches of a torch ``DataLoader`` are made of.

The default collate function makes tensors of tensors, arrays and numbers, keeps strings, goes through lists,
tuples and dictionaries, and raises for anything else. So whatever has a ``to`` in such a batch is a tensor.
"""
from __future__ import annotations

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import SEQUENCES, Names
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open
from flake8_torch_pitfalls.analysis.values import NOTHING, Data, Instance

LOADER = "torch.utils.data.DataLoader"
_DEEPEST = 8
_COLLATE = 6
_PASSES_ITEMS_ON = SEQUENCES | {"enumerate", "zip"}


def collates_by_default(names: Names, call: nodes.Call) -> bool:
    """Return whether the loader that *call* makes surely builds its batches with torch's own function."""
    if constant(argument(call, 1, "batch_size")) is None:
        return False
    if is_open(call) and not all(_leaves_collation(names, keyword) for keyword in call.keywords if not keyword.arg):
        return False
    if any(isinstance(given, nodes.Starred) for given in call.args):
        return False
    collate = argument(call, _COLLATE, "collate_fn")
    return collate is None or constant(collate) is None


def _leaves_collation(names: Names, options: nodes.Keyword) -> bool:
    """Return whether ``**options`` is always a dictionary in view that says nothing of batches."""
    displays = [value.node for value in names.values(options.value) if isinstance(value, Data)]
    return len(displays) == len(names.values(options.value)) and all(
        isinstance(display, nodes.Dict)
        and all(constant(key) not in (..., "collate_fn", "batch_size") for key, _ in display.items)
        for display in displays
    )


def is_default_loader(names: Names, node: nodes.NodeNG) -> bool:
    """Return whether *node* is always a loader of torch that builds its batches with torch's own function."""
    found = [value for value in names.values(node) if value != NOTHING]
    return bool(found) and all(
        isinstance(value, Instance)
        and value.cls == LOADER
        and isinstance(value.made_at, nodes.Call)
        and collates_by_default(names, value.made_at)
        for value in found
    )


def is_of_batch(names: Names, node: nodes.NodeNG | None, depth: int = 0) -> bool:
    """Return whether *node* is a batch of such a loader, or something taken out of one."""
    if depth > _DEEPEST:
        return False
    match node:
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
            return bool(found) and all(_is_bound_to_batch(names, one, depth + 1) for one in found)
        case nodes.Subscript():
            return is_of_batch(names, node.value, depth + 1)
        case nodes.Call(func=nodes.Attribute(attrname="items" | "values")):
            return is_of_batch(names, node.func.expr, depth + 1)
        case nodes.Call(args=[iterator, *_]) if names.symbol(node.func) == "next":
            return _gives_batches(names, iterator, depth + 1)
    return False


def _is_bound_to_batch(names: Names, target: nodes.NodeNG, depth: int) -> bool:
    if not isinstance(target, nodes.AssignName):
        return False
    parent = target.parent
    while isinstance(parent, (nodes.Tuple, nodes.List)):
        parent = parent.parent
    match parent:
        case nodes.For() | nodes.Comprehension():
            return _gives_batches(names, parent.iter, depth)
        case nodes.Assign():
            return is_of_batch(names, parent.value, depth)
    return False


def _gives_batches(names: Names, node: nodes.NodeNG, depth: int) -> bool:
    """Return whether iterating over *node* gives batches, or parts of one."""
    if depth > _DEEPEST:
        return False
    if isinstance(node, nodes.Call) and node.args and names.symbol(node.func) in _PASSES_ITEMS_ON:
        return all(_gives_batches(names, given, depth + 1) for given in node.args[:2])
    if isinstance(node, nodes.Name):
        value = _assigned_call(node)
        if value is not None and names.symbol(value.func) in _PASSES_ITEMS_ON:
            return _gives_batches(names, value, depth + 1)
    return is_default_loader(names, node) or is_of_batch(names, node, depth)


def _assigned_call(node: nodes.Name) -> nodes.Call | None:
    """Return the call whose result *node* is, as in ``bar = tqdm(loader)``."""
    found = scopes.definitions(node, node.name)
    if len(found) == 1 and isinstance(found[0].parent, nodes.Assign):
        value = found[0].parent.value
        return value if isinstance(value, nodes.Call) else None
    return None
