"""Where a file uses what torch deprecated or removed, by the table of lifetimes."""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import byte_masks, compat, scopes
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    argument,
    constant,
    dotted,
    function_of,
    last_name,
    position,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import Instance, Method, Symbol, Unknown, Value
from flake8_torch_pitfalls.torch_model.lifetimes import Lifetime, Version, lifetimes

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.source import Source

ROOTS = frozenset(("torch", "torchvision", "functorch", "caffe2"))
TELLTALE = frozenset((
    "add_", "sub_", "addcmul", "addcmul_", "addcdiv", "addcdiv_", "addmm_", "addmv_", "addr_", "addbmm_", "baddbmm",
    "baddbmm_", "masked_fill", "masked_fill_", "masked_scatter", "masked_scatter_", "register_backward_hook",
    "btrifact", "btrisolve", "trtrs",
))  # fmt: skip
"""Methods that nothing but tensors and modules of torch has: whatever else is known, the object is one of them."""


LONGEST = 40


@dataclasses.dataclass(frozen=True, slots=True)
class Use:
    """A use of *lifetime* at *node*, of what the text calls *text*."""

    lifetime: Lifetime
    node: nodes.NodeNG
    text: str


class Table:
    """The rows that one version of torch has something against, by how code mentions them."""

    def __init__(self, rows: Iterable[Lifetime]) -> None:
        self.symbols: dict[str, Lifetime] = {}
        self.methods: dict[str, list[Lifetime]] = {}
        self.called: dict[str, list[Lifetime]] = {}
        """Rows on calls that their last name finds."""
        self.arguments: dict[str, dict[str, Lifetime]] = {}
        """Rows on an argument that is given by its name, by that name and the public name of the function."""
        self.subscripts: dict[str, Lifetime] = {}
        for row in rows:
            if row.last_name in ("__getitem__", "__setitem__"):
                self.subscripts[row.last_name] = row
            elif row.argument or row.when:
                if row.argument and not row.when.startswith(("missing", "uint8")):
                    self.arguments.setdefault(row.argument, {})[row.name] = row
                if not row.argument or row.when in ("missing", "uint8") or row.position is not None:
                    self.called.setdefault(row.last_name, []).append(row)
            elif row.is_method:
                self.methods.setdefault(row.last_name, []).append(row)
            else:
                self.symbols[row.name] = row
        self.last_names = frozenset(name.rpartition(".")[2] for name in self.symbols)


@functools.cache
def removed(version: Version) -> Table:
    """Return the rows on what torch *version* no longer has."""
    return Table(row for row in lifetimes() if row.is_removed(version))


@functools.cache
def deprecated(version: Version) -> Table:
    """Return the rows on what torch *version* has, and advises against."""
    return Table(row for row in lifetimes() if row.is_deprecated(version))


def uses(source: Source, table: Table) -> list[Use]:
    """Return what *source* uses of *table*, in the order of the text.

    A name counts once, where the file imports or first uses it; an argument at every call that passes it.
    What stands behind a question for the version of torch does not count.
    """
    found = [*_imported(source, table), *_attributes(source, table), *_calls(source, table), *_masks(source, table)]
    found.sort(key=lambda use: position(use.node))
    seen: set[object] = set()
    kept = []
    for use in found:
        key: object = use.lifetime
        if use.lifetime.argument or use.lifetime.when:
            key = (use.lifetime.argument, use.node)
        if key not in seen and not _is_guarded(source, use):
            seen.add(key)
            kept.append(use)
    return kept


def _is_guarded(source: Source, use: Use) -> bool:
    row = use.lifetime
    raises = row.name if row.how == "raises" and not row.argument else None
    named = use.node.func if isinstance(use.node, nodes.Call) else use.node
    if raises is None and row.last_name in _looked_for(source):
        return True
    if row.when == "missing" and _is_given_beside(source, use.node, row.argument):
        return True
    return compat.is_guarded(source.names, named, raises)


def _looked_for(source: Source) -> set[object]:
    """Return the names that the file looks for with ``hasattr``."""
    return {constant(argument(call, 1, None)) for call in source.index.calls.get("hasattr", ())}


def _is_given_beside(source: Source, call: nodes.Call, name: str) -> bool:
    """Return whether the function of *call* makes the same call with *name* too, for a torch that knows it."""
    return any(
        last_name(other.func) == last_name(call.func)
        and any(keyword.arg == name for keyword in other.keywords or ())
        for other in source.index.calls_in.get(function_of(call), ())
    )


# -- names -----------------------------------------------------------------------------------------


def _imported(source: Source, table: Table) -> Iterator[Use]:
    for statement in source.index.of(nodes.Import):
        for name, _ in statement.names:
            if name.partition(".")[0] in ROOTS and (row := _row_above(table, name)) is not None:
                yield Use(row, statement, name)
    for statement in source.index.of(nodes.ImportFrom):
        module = statement.modname
        if statement.level or module.partition(".")[0] not in ROOTS:
            continue
        if (row := _row_above(table, module)) is not None:
            yield Use(row, statement, module)
            continue
        for name, _ in statement.names:
            if name in table.last_names:
                row = table.symbols.get(torch_model.canonical(f"{module}.{name}"))
                if row is not None and row.last_name == name:
                    yield Use(row, statement, f"{module}.{name}")
    for statement in source.module.star_imports:
        if statement.modname.partition(".")[0] in ROOTS:
            yield from _star_imported(source, table)
            break


def _star_imported(source: Source, table: Table) -> Iterator[Use]:
    """Yield the calls of names that only a ``from torch import *`` can have brought."""
    for name in sorted(table.last_names & source.index.calls.keys()):
        for call in source.index.calls[name]:
            if isinstance(call.func, nodes.Name) and not scopes.definitions(call.func, name):
                row = table.symbols.get(source.names.symbol(call.func) or "")
                if row is not None:
                    yield Use(row, call, name)


def _row_above(table: Table, module: str) -> Lifetime | None:
    """Return the row of *module* or of a module that it lies in."""
    while module:
        if module in table.symbols:
            return table.symbols[module]
        module = module.rpartition(".")[0]
    return None


def _attributes(source: Source, table: Table) -> Iterator[Use]:
    attributes = source.index.attributes
    for name in sorted(table.last_names & attributes.keys()):
        for node in attributes[name]:
            if _is_from_import(node):
                row = table.symbols.get(source.names.symbol(node) or "")
                if row is not None and row.last_name == name and (row.how == "gone" or not _is_type(node)):
                    yield Use(row, node, dotted(node) or name)
    for name in sorted(table.methods.keys() & attributes.keys()):
        for node in attributes[name]:
            for row in table.methods[name]:
                if _is_method(source, node, row):
                    yield Use(row, node, dotted(node) or f"{row.owner.rpartition('.')[2]}.{name}")
                    break


def _is_from_import(node: nodes.Attribute) -> bool:
    """Return whether *node* is a chain of names that begins with an import, or with another name for one."""
    root = compat.root_of(node)
    if not isinstance(root, nodes.Name):
        return False
    for definition in scopes.definitions(root, root.name):
        if isinstance(definition, (nodes.Import, nodes.ImportFrom)):
            return True
        if isinstance(definition, nodes.AssignName) and isinstance(definition.parent, nodes.Assign):
            if isinstance(definition.parent.value, (nodes.Name, nodes.Attribute)):
                return True
    return False


def _is_type(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands for a type only: in an annotation, or in a question for the type of something."""
    below = node
    for parent in ancestors(node):
        match parent:
            case nodes.Arguments():
                return below not in (parent.defaults or []) and below not in (parent.kw_defaults or [])
            case nodes.AnnAssign():
                return below is parent.annotation
            case nodes.FunctionDef():
                return below is parent.returns
            case nodes.Call(func=nodes.Name(name="isinstance" | "issubclass" | "cast")):
                return True
        if parent.is_statement:
            return False
        below = parent
    return False


def _is_method(source: Source, node: nodes.Attribute, row: Lifetime) -> bool:
    """Return whether *node* is the method or attribute of *row*, of an object known to be of its class."""
    if node.attrname in TELLTALE and isinstance(node.parent, nodes.Call) and node.parent.func is node:
        if not any(function.name == node.attrname for function in source.index.of(nodes.FunctionDef)):
            return not _is_from_import(node)
    return all(_has_method(source, value, row) for value in source.names.values(node.expr))


def _has_method(source: Source, value: Value, row: Lifetime) -> bool:
    """Return whether *value* is an object of the class that *row* is about, with torch's own method or attribute."""
    if not isinstance(value, Instance) or not source.names.is_a(value, row.owner):
        return False
    classes = (value.cls,) if isinstance(value.cls, str) else source.names.mro(value.cls)
    for base in classes:
        if isinstance(base, nodes.ClassDef):
            if row.last_name in base.locals:
                return False
        elif base is not None and (member := torch_model.member(base, row.last_name)) is not None:
            return member == row.name
    return True


# -- calls -----------------------------------------------------------------------------------------


def _calls(source: Source, table: Table) -> Iterator[Use]:
    for keyword in source.index.of(nodes.Keyword):
        if keyword.arg in table.arguments and isinstance(keyword.parent, nodes.Call):
            row = _row_of_argument(source, keyword.parent, table.arguments[keyword.arg])
            if row is not None and _has_value(source, keyword.value, row):
                yield Use(row, keyword.parent, _text_of(keyword.parent, row))
    for name in sorted(table.called.keys() & source.index.calls.keys()):
        for call in source.index.calls[name]:
            for row in table.called[name]:
                if _may_match(call, row) and _matches(source, call, row) and _is_call_of(source, call, row):
                    yield Use(row, call, _text_of(call, row))


def _text_of(call: nodes.Call, row: Lifetime) -> str:
    """Return how *call* names what it calls, cut to what a message can hold."""
    func = call.args[0] if last_name(call.func) == "partial" and row.last_name != "partial" else call.func
    text = text_of(func)
    return text if len(text) <= LONGEST else row.last_name


def _row_of_argument(source: Source, call: nodes.Call, rows: dict[str, Lifetime]) -> Lifetime | None:
    """Return the row of *rows*, by public name, for what *call* surely calls; a partial is a call."""
    func = call.func
    if last_name(func) == "partial" and call.args:
        func = call.args[0]
    last = last_name(func)
    if isinstance(func, nodes.Attribute) and not any(name.rpartition(".")[2] == last for name in rows):
        return None
    if (module := _looked_up_in(func)) is not None:
        prefix = (source.names.symbol(module) or "?") + "."
        return next((row for name, row in rows.items() if name.startswith(prefix)), None)
    found = [
        rows.get(value.name) if isinstance(value, (Symbol, Method)) else None
        for value in source.names.values(func)
        if not isinstance(value, Unknown)
    ]
    return found[0] if found and None not in found else None


def _looked_up_in(func: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the module that ``models.__dict__[arch]`` or ``getattr(models, arch)`` takes a function from."""
    match func:
        case nodes.Subscript(value=nodes.Attribute(attrname="__dict__", expr=module)):
            return module
        case nodes.Call(func=nodes.Name(name="getattr"), args=[module, _]):
            return module
    return None


def _has_value(source: Source, given: nodes.NodeNG, row: Lifetime) -> bool:
    if not row.when:
        return row.how == "gone" or constant(given) is not None  # None is what leaving it out means
    wanted = {"= True": True, "= False": False}[row.when]
    return constants(source.names, given) == {wanted}


def _may_match(call: nodes.Call, row: Lifetime) -> bool:
    """Return whether the arguments of *call*, as they stand, may be what *row* is about."""
    kind, _, counts = row.when.partition(" ")
    if kind == "positional":
        starred = any(isinstance(arg, nodes.Starred) for arg in call.args)
        return not starred and str(len(call.args)) in counts.split()
    if kind == "missing":
        return all(keyword.arg not in (row.argument, None) for keyword in call.keywords or ())
    if kind in ("called", "uint8"):
        return True
    given = argument(call, row.position, None)
    return given is not None and (row.how == "gone" or constant(given) is not None)


def _is_call_of(source: Source, call: nodes.Call, row: Lifetime) -> bool:
    if not row.is_method:
        return source.names.symbol(call.func) == row.name
    if not isinstance(call.func, nodes.Attribute):
        return False
    if row.last_name == "__init__":
        return source.names.symbol(call.func) == row.name
    return _is_method(source, call.func, row)


def _matches(source: Source, call: nodes.Call, row: Lifetime) -> bool:
    if row.when == "missing":
        return _lacks(call, row)
    if row.when == "uint8":
        assert row.position is not None
        given = arguments(call, row.name).get(row.argument)
        if given is None and len(call.args) > row.position:
            given = call.args[row.position]
        return given is not None and byte_masks.is_byte(source, given)
    return True


def _lacks(call: nodes.Call, row: Lifetime) -> bool:
    """Return whether no argument of *call*, also none out of sight, is the one of *row*."""
    if any(keyword.arg is None for keyword in call.keywords or ()):
        return False
    by_place = any(
        each.name == row.argument and each.kind == "positional" for each in torch_model.parameters(row.name)
    )
    if by_place and any(isinstance(arg, nodes.Starred) for arg in call.args):
        return False
    return row.argument not in arguments(call, row.name)


# -- masks -----------------------------------------------------------------------------------------


def _masks(source: Source, table: Table) -> Iterator[Use]:
    if not table.subscripts or not byte_masks.has_bytes(source):
        return
    for node in source.index.of(nodes.Subscript):
        row = table.subscripts.get("__setitem__" if node.ctx.name == "Store" else "__getitem__")
        if row is not None and not isinstance(node.slice, nodes.Const) and byte_masks.is_byte(source, node.slice):
            yield Use(row, node, dotted(node.value) or "tensor")
