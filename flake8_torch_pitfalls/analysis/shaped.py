"""Which expressions may have a shape that the text tells: by names alone, as a sieve before the value pass is asked."""
from __future__ import annotations

import enum
import functools
import operator
from collections.abc import Iterable

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name

REDUCING = frozenset("sum mean argmax argmin max min amax amin norm prod std var logsumexp select unbind mv".split())
"""Calls that drop a dimension, unless told to keep it with size 1."""
SHAPING = frozenset(
    "view reshape squeeze flatten expand zeros ones rand randn full randint arange linspace empty".split()
)
"""Other calls that set the shape of their result: a dimension of size 1 is written there."""
WIDENING = frozenset(
    "unsqueeze gather topk t eye tensor as_tensor matmul mm diagonal index_select take_along_dim".split()
)
"""Those whose result may have a last dimension of size 1 in any case."""
KEEPING = frozenset(
    "float double half long int bool detach clone to cpu cuda type type_as contiguous exp log sqrt abs relu tanh "
    "sigmoid softmax log_softmax clamp Variable requires_grad_".split()
)
"""Calls whose result has the shape of the tensor."""
DEEPEST = 5


class Hint(enum.Flag):
    """What the text says of a shape."""

    NOTHING = 0
    KNOWN = enum.auto()
    """It may be known."""
    SET = enum.auto()
    """It is set right there, not by a module or function that is called."""
    COLUMN = enum.auto()
    """The text may give it a last dimension of size 1."""
    OUTPUT = enum.auto()
    """It is the output of something that is called, whose last layer may do so."""


CALLED = Hint.KNOWN | Hint.OUTPUT
SHAPED = Hint.KNOWN | Hint.SET


def known_by_name(source: Source, left: nodes.NodeNG, right: nodes.NodeNG, are_classes: bool = False) -> bool:
    """Return whether the shapes of both may be known, the text sets that of one, and one may be a column.

    *are_classes*: they are compared for equality, as the outputs of layers are not.
    """
    one, other = _hint(source, left, DEEPEST), _hint(source, right, DEEPEST)
    columns = Hint.COLUMN if are_classes else Hint.COLUMN | Hint.OUTPUT
    return Hint.KNOWN in one & other and Hint.SET in one | other and bool(columns & (one | other))


def _hint(source: Source, node: nodes.NodeNG | None, depth: int) -> Hint:
    if depth == 0:
        return CALLED | SHAPED
    match node:
        case nodes.BinOp(op="@"):
            return SHAPED | Hint.COLUMN
        case nodes.BinOp(left=left, right=right):
            return _hint(source, left, depth - 1) | _hint(source, right, depth - 1)
        case nodes.UnaryOp(operand=operand) | nodes.Attribute(attrname="data", expr=operand):
            return _hint(source, operand, depth)
        case nodes.Attribute(attrname="values" | "indices" | "T" | "mT", expr=expr):
            return _hint(source, expr, depth) | SHAPED
        case nodes.Subscript(slice=nodes.Const(value=str())):
            return Hint.NOTHING
        case nodes.Subscript(slice=nodes.Tuple()):
            return SHAPED | Hint.COLUMN
        case nodes.Subscript(value=value):
            return _hint(source, value, depth)
        case nodes.Call():
            return _of_call(source, node, depth)
        case nodes.Name(name=name):
            return _all(_of_definition(source, each, depth - 1) for each in scopes.definitions(node, name))
    return Hint.NOTHING


def _all(hints: Iterable[Hint]) -> Hint:
    return functools.reduce(operator.or_, hints, Hint.NOTHING)


def _of_call(source: Source, call: nodes.Call, depth: int) -> Hint:
    name = last_name(call.func)
    if name in KEEPING:
        is_method = isinstance(call.func, nodes.Attribute) and last_name(call.func.expr) not in ("torch", "F")
        return _hint(source, call.func.expr if is_method else argument(call, 0, "input"), depth)
    given = [constant(node) for node in (*call.args, *(keyword.value for keyword in call.keywords or ()))]
    if name in REDUCING:
        return SHAPED | Hint.COLUMN if any(value is True for value in given) else SHAPED
    if name in SHAPING:
        lists = any(isinstance(node, (nodes.List, nodes.Tuple)) for node in call.args)
        return SHAPED | Hint.COLUMN if 1 in given or lists or call.keywords else SHAPED
    return SHAPED | Hint.COLUMN if name in WIDENING else CALLED


def _of_definition(source: Source, definition: nodes.NodeNG, depth: int) -> Hint:
    parent = definition.parent
    match parent:
        case nodes.Assign(value=value) | nodes.AugAssign(value=value):
            return _hint(source, value, depth)
        case nodes.Arguments():
            return _of_parameter(source, definition, depth)
        case nodes.Tuple(parent=nodes.Assign(value=nodes.Tuple(elts=values))) if len(values) == len(parent.elts):
            return _hint(source, values[parent.elts.index(definition)], depth)
        case nodes.Tuple(parent=nodes.Assign(value=nodes.Call() as value)):
            return _hint(source, value, depth)
    is_batch = any(isinstance(above, nodes.For) for above in (parent, parent.parent))
    return SHAPED if is_batch and "DataLoader" in source.index.calls else Hint.NOTHING


def _of_parameter(source: Source, parameter: nodes.NodeNG, depth: int) -> Hint:
    """Return what callers by the name of the function, in the same file, hand over."""
    function = parameter.parent.parent
    if not isinstance(function, nodes.FunctionDef):
        return Hint.NOTHING
    is_method = isinstance(function.parent, nodes.ClassDef)
    given = (
        scopes.match_arguments(function, call, bound=is_method).get(parameter.name)
        for call in source.index.calls.get(function.name, ())
    )
    return _all(_hint(source, node, depth) for node in given if node is not None)
