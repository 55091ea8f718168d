"""Calls of torch's own functions and classes, under whatever name, and what they are given.

``torch.load(f)``, ``from torch import load as read; read(f)``, ``read = torch.load; read(f)`` and
``functools.partial(torch.load, f)`` are all calls of ``torch.load``.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.tree import Index, constant, dotted, is_open, last_name, own_name
from flake8_torch_pitfalls.analysis.values import NOTHING, Data, Value

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.source import Source
    from flake8_torch_pitfalls.analysis.symbols import Names


@dataclasses.dataclass(frozen=True, slots=True)
class TorchCall:
    """A call of the function or class *symbol* of torch, with the expressions it is given by parameter name.

    *is_open* says that ``*args`` or ``**kwargs`` may hold more than the text shows; *is_partial* that a later call
    may add some.
    """

    node: nodes.Call
    symbol: str
    given: dict[str, nodes.NodeNG]
    is_open: bool
    is_partial: bool

    def lacks(self, name: str) -> bool:
        """Return whether the parameter *name* surely keeps its default."""
        return name not in self.given and not self.is_open and not self.is_partial

    def place_of(self, name: str) -> nodes.NodeNG:
        """Return where *name* is written in the call: the keyword with its value, or the positional argument."""
        value = self.given[name]
        if not self.node.parent_of(value):
            return self.node  # in a dictionary that the call unpacks
        return value.parent if isinstance(value.parent, nodes.Keyword) else value


def torch_calls(
    source: Source, *symbols: str, where: Callable[[nodes.Call], bool] = lambda call: True
) -> Iterator[TorchCall]:
    """Yield the calls in the file that surely mean one of *symbols*, public dotted names of torch.

    *where*, a cheap test of the call as it stands, comes before the question what is called.
    """
    last_parts = frozenset(symbol.rpartition(".")[2] for symbol in symbols)
    for name in sorted(local_names(source.index, last_parts)):
        for call in source.index.calls.get(name, ()):
            if not where(call) or _holds_partial(call.func):
                continue
            if (symbol := source.names.symbol(call.func)) in symbols:
                yield _torch_call(source.names, call, symbol or "", call.args)
    for call in source.index.calls.get("partial", ()):
        if call.args and last_name(call.args[0]) is not None and where(call):
            if (symbol := source.names.symbol(call.args[0])) in symbols:
                if source.names.symbol(call.func) == "functools.partial":
                    made = _torch_call(source.names, call, symbol or "", call.args[1:])
                    yield dataclasses.replace(made, is_partial=True)


def local_names(index: Index, last_parts: Collection[str]) -> dict[str, str]:
    """Return *last_parts* and the other names that imports and assignments give to them, each with what it renames."""
    found = {part: part for part in last_parts}
    for statement in index.of(nodes.ImportFrom):
        found.update((alias, imported) for imported, alias in statement.names if alias and imported in last_parts)
    for part in last_parts:
        for attribute in index.attributes.get(part, ()):
            if isinstance(attribute.parent, nodes.Assign):
                found.update((name, part) for target in attribute.parent.targets if (name := own_name(target)))
    return found


def _holds_partial(func: nodes.NodeNG) -> bool:
    """Return whether *func* is a variable set from a call: the arguments bound there are out of sight."""
    return isinstance(func, nodes.Name) and any(
        isinstance(definition.parent, nodes.Assign) and isinstance(definition.parent.value, nodes.Call)
        for definition in scopes.definitions(func, func.name)
    )


def _torch_call(names: Names, call: nodes.Call, symbol: str, positional: list[nodes.NodeNG]) -> TorchCall:
    given = arguments(call, symbol, positional)
    unpacked = _unpacked(names, call) if is_open(call) else {}
    return TorchCall(call, symbol, {**given, **(unpacked or {})}, unpacked is None, False)


def _unpacked(names: Names, call: nodes.Call) -> dict[str, nodes.NodeNG] | None:
    """Return what *call* is given by ``**options`` of dictionaries that the text shows, None if some it does not."""
    found: dict[str, nodes.NodeNG] = {}
    if any(isinstance(given, nodes.Starred) for given in call.args):
        return None
    for keyword in call.keywords or ():
        if keyword.arg is None:
            options = _options(names, keyword.value)
            if options is None:
                return None
            found.update(options)
    return found


def _options(names: Names, node: nodes.NodeNG) -> dict[str, nodes.NodeNG] | None:
    """Return the items of the dictionary *node*, where it is one of the text that nothing changes afterwards."""
    if isinstance(node, nodes.Name):
        definitions = scopes.definitions(node, node.name)
        index = names.index_of(node)
        changes = [*index.items.get(node.name, ()), *index.filled.get(node.name, ())]
        changes += [call for call in index.calls.get("update", ()) if dotted(call.func.expr) == node.name]
        if len(definitions) != 1 or changes or not isinstance(definitions[0].parent, nodes.Assign):
            return None
        node = definitions[0].parent.value
    match node:
        case nodes.Dict(items=items) if all(isinstance(constant(key), str) for key, _ in items):
            return {str(constant(key)): value for key, value in items}
        case nodes.Call(args=[], keywords=keywords) if names.symbol(node.func) == "dict":
            if all(keyword.arg is not None for keyword in keywords):
                return {str(keyword.arg): keyword.value for keyword in keywords}
    return None


def arguments(
    call: nodes.Call, symbol: str, positional: list[nodes.NodeNG] | None = None
) -> dict[str, nodes.NodeNG]:
    """Return what *call* gives to each parameter of *symbol* as far as the text shows."""
    given: dict[str, nodes.NodeNG] = {}
    for name, value in zip(positional_names(symbol), call.args if positional is None else positional):
        if isinstance(value, nodes.Starred):
            break
        given[name] = value
    given.update((keyword.arg, keyword.value) for keyword in call.keywords or () if keyword.arg is not None)
    return given


@functools.cache
def positional_names(symbol: str) -> tuple[str, ...]:
    """Return the parameters of *symbol* that may be given by position, in their order."""
    return tuple(each.name for each in torch_model.parameters(symbol) if each.kind == "positional")


def constants(names: Names, node: nodes.NodeNG) -> set[object] | None:
    """Return the constants that *node* may be, None if it may be anything else."""
    found = {constant_of(value) for value in names.values(node)}
    return None if ... in found else found


def constant_of(value: Value) -> object:
    """Return the constant that *value* is, Ellipsis if it is none."""
    match value:
        case Data(nodes.Const(value=constant)):
            return constant
        case _ if value == NOTHING:
            return None
    return ...
