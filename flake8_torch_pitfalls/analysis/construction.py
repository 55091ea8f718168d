"""Where modules are put together: ``self``, the methods that only a constructor runs, who keeps his own books."""
from __future__ import annotations

import re

from astroid import nodes

from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import class_of, dotted, function_of, self_name

_OWN_BOOKKEEPING = ("parameters", "named_parameters", "_apply", "children", "named_children")
_STARTS_ANEW = re.compile(r"^reset(?!_(param|weight))")
"""Names of methods that others call later, too, to start anew."""
_DEEPEST = 3


def is_self(node: nodes.NodeNG | None) -> bool:
    """Return whether *node* is the object whose method it stands in."""
    return isinstance(node, nodes.Name) and self_name(function_of(node)) == node.name


def keeps_own_books(names: Names, cls: nodes.ClassDef) -> bool:
    """Return whether *cls* says by itself what its parameters are, or what moves with it."""
    return any(names.method(cls, name) is not None for name in _OWN_BOOKKEEPING)


def constructs(names: Names, function: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *function* is a constructor, or a method that nothing but constructors call."""
    if not isinstance(function, nodes.FunctionDef) or not isinstance(function.parent, nodes.ClassDef):
        return False
    if function.name in ("__init__", "__post_init__"):
        return True
    if _STARTS_ANEW.match(function.name):
        return False
    calls = [
        call
        for call in names.index_of(function).calls.get(function.name, ())
        if class_of(call) is function.parent and is_self(getattr(call.func, "expr", None))
    ]
    return bool(calls) and depth < _DEEPEST and all(constructs(names, function_of(call), depth + 1) for call in calls)


def is_given(node: nodes.NodeNG, text: str) -> bool:
    """Return whether *node*, an argument, is the variable or attribute *text*, unpacked and joined or not."""
    if isinstance(node, nodes.Starred):
        node = node.value
    if isinstance(node, nodes.BinOp):
        return is_given(node.left, text) or is_given(node.right, text)
    if isinstance(node, nodes.Call):
        return any(is_given(inner, text) for inner in node.args)
    return dotted(node) == text
