"""Operators defined with ``torch.library.custom_op``, and what is registered for them in view."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import Index, argument, constant, is_open, last_name, target_text
from flake8_torch_pitfalls.analysis.values import Function

CUSTOM_OP = "torch.library.custom_op"


@dataclasses.dataclass(frozen=True, slots=True)
class CustomOp:
    """An operator: the call that defines it, its qualified *name*, its *function*, the *variable* it is bound to."""

    node: nodes.Call
    name: str
    function: nodes.FunctionDef
    variable: str
    mutates: bool

    @property
    def returns_nothing(self) -> bool:
        """Return whether its function is declared to give nothing."""
        return constant(self.function.returns) is None and self.function.returns is not None


def custom_ops(source: Source) -> Iterator[CustomOp]:
    """Yield the operators that the file defines, as far as their name, function and mutations are in view."""
    for call in torch_calls(source, CUSTOM_OP):
        names = constants(source.names, call.given.get("name") or call.node)
        mutates = call.given.get("mutates_args")
        if call.is_open or call.is_partial or not names or len(names) != 1:
            continue
        if not isinstance(mutates, (nodes.Tuple, nodes.List, nodes.Set, nodes.Dict, nodes.Const, nodes.Call)):
            continue
        bound = _bound(source, call.node)
        if bound is not None:
            yield CustomOp(call.node, str(next(iter(names))), *bound, mutates=not _is_empty(mutates))


def _is_empty(mutates: nodes.NodeNG) -> bool:
    if isinstance(mutates, nodes.Call):
        return not mutates.args
    return not isinstance(mutates, nodes.Const) and not getattr(mutates, "elts", getattr(mutates, "items", ()))


def _bound(source: Source, call: nodes.Call) -> tuple[nodes.FunctionDef, str] | None:
    """Return the function of the operator that *call* defines, and the name of the result."""
    if isinstance(call.parent, nodes.Decorators):
        function = call.parent.parent
        return (function, function.name) if isinstance(function, nodes.FunctionDef) else None
    whole, given = call, argument(call, 1, "fn")
    if given is None and isinstance(call.parent, nodes.Call) and call.parent.func is call:
        whole, given = call.parent, argument(call.parent, 0, None)
    values = source.names.values(given) if given is not None else ()
    match values, whole.parent:
        case (Function(nodes.FunctionDef() as function),), nodes.Assign(targets=[target]):
            if text := target_text(target):
                return function, text.rpartition(".")[2]
    return None


def is_registered(source: Source, op: CustomOp, others: list[CustomOp], words: set[str], keys: set[str]) -> bool:
    """Return whether one of *words*, or an implementation for one of the dispatch *keys*, may be about *op*.

    The files that this one imports count. A registration that cannot be told to be about another of the file's
    operators is taken to be about this one.
    """
    mine = {op.name, op.variable}
    theirs = {name for other in others for name in (other.name, other.variable)} - mine
    for index in _indices(source):
        for target in _registered(source, index, words, keys):
            if target is None or target in mine:
                return True
            if index is source.index and target not in theirs and "::" not in target:
                return True
    return False


def _indices(source: Source) -> Iterator[Index]:
    yield source.index
    for statement in source.index.of(nodes.ImportFrom, nodes.Import):
        imported = [(statement.modname, statement.level or 0)] if isinstance(statement, nodes.ImportFrom) else [
            (name, 0) for name, _ in statement.names
        ]
        for name, level in imported:
            module = source.project.imported(source.module, name, level)
            if module is not None:
                yield source.names.index_of(module)


def _registered(source: Source, index: Index, words: set[str], keys: set[str]) -> Iterator[str | None]:
    """Yield what is registered with one of *words* or *keys*: a qualified name, a variable, None if unknown."""
    for word in sorted(words):
        for attribute in index.attributes.get(word, ()):
            if last_name(attribute.expr) != "library":
                yield last_name(attribute.expr)
            elif isinstance(attribute.parent, nodes.Call) and attribute.parent.func is attribute:
                yield _named(source, attribute.parent)
        for call in index.calls.get(word, ()):
            if isinstance(call.func, nodes.Name):
                yield _named(source, call)
    for call in index.calls.get("impl", ()):
        if any(constant(given) in keys for given in (*call.args, *(each.value for each in call.keywords or ()))):
            yield _named(source, call)


def _named(source: Source, call: nodes.Call) -> str | None:
    """Return the operator that *call* names first, None if that is not in view."""
    given = call.args[0] if call.args and not is_open(call) else None
    text = constant(given)
    if isinstance(text, str):
        return text
    found = constants(source.names, given) if given is not None else None
    if found and len(found) == 1:
        return str(next(iter(found)))
    return last_name(given)
