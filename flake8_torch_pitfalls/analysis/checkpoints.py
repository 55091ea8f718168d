"""Which files a program saves and loads, and what is in them."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import arguments, constant_of, torch_calls
from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.origins import origins, uses_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    class_of,
    constant,
    dotted,
    function_of,
    last_name,
    walk,
)

_PASSES_PATH = {"str", "open", "fspath", "Path", "PosixPath", "BytesIO", "abspath", "expanduser", "realpath"}
"""Functions that give a path, or its file, for a path."""
_FIELD = re.compile(r"\{[^{}]*\}|%[-+ #0-9.]*[a-zA-Z]")
_UNKNOWN_PART = "{}"
_TELLING = re.compile(r"[A-Za-z0-9]{2}")

Key = tuple[object, str]
"""A file: its name where that is known, else the owner of a variable and its text."""


@dataclasses.dataclass(frozen=True, slots=True)
class Save:
    """A call of ``torch.save``: what it saves, and as which file."""

    node: nodes.Call
    saved: nodes.NodeNG
    keys: frozenset[Key]


def saves(source: Source) -> list[Save]:
    """Return the calls of ``torch.save`` in the file and in the project's files that it imports from."""
    found = [
        _save(source.names, call.node, call.given) for call in torch_calls(source, "torch.save") if "obj" in call.given
    ]
    for call in _imported_saves(source):
        given = arguments(call, "torch.save")
        if "obj" in given:
            found.append(_save(source.names, call, given))
    return found


def _save(names: Names, call: nodes.Call, given: dict[str, nodes.NodeNG]) -> Save:
    return Save(call, given["obj"], file_keys(names, given["f"]) if "f" in given else frozenset())


def _imported_saves(source: Source) -> Iterator[nodes.Call]:
    """Yield the calls of ``torch.save`` in what the file imports by name: the trees of other statements stay unmade."""
    for statement in source.index.of(nodes.ImportFrom):
        module = source.project.imported(source.module, statement.modname, statement.level or 0)
        if isinstance(module, ImportedModule):
            wanted = {imported for imported, _ in statement.names}
            for number, (bound, mentioned) in enumerate(module.words):
                if "save" in mentioned and "torch" in mentioned and ("*" in wanted or not bound.isdisjoint(wanted)):
                    for call in module.index_of(module.part(number)).calls.get("save", ()):
                        if source.names.symbol(call.func) == "torch.save":
                            yield call


# -- files --------------------------------------------------------------------------------------------


def file_keys(names: Names, node: nodes.NodeNG) -> frozenset[Key]:
    """Return by what the file at the path *node* can be recognised elsewhere in the project; empty if by nothing."""
    found: set[Key] = set()
    for made in (node, *origins(names, node)):
        name = _FIELD.sub(_UNKNOWN_PART, _file_name(names, made).rpartition("/")[2])
        if _is_telling(name):
            found.add((None, name))
        elif (owner := _owner(made)) is not None:
            found.add((owner, str(made.as_string())))
    return frozenset(found)


def may_be_one(some: frozenset[Key], others: frozenset[Key]) -> bool:
    """Return whether files known by the keys *some* and *others* are one, as far as their names tell."""
    return not some.isdisjoint(others) or any(
        _fits(name, other) or _fits(other, name)
        for owner, name in some
        for other_owner, other in others
        if owner is other_owner is None
    )


def _fits(name: str, pattern: str) -> bool:
    """Return whether *name* is one that *pattern* stands for."""
    if _UNKNOWN_PART not in pattern:
        return False
    return re.fullmatch(".+".join(map(re.escape, pattern.split(_UNKNOWN_PART))), name) is not None


def _is_telling(name: str) -> bool:
    """Return whether *name* says more of a file than its extension."""
    if _UNKNOWN_PART not in name:
        return bool(name)
    stem = name.rpartition(".")[0] or name
    return _TELLING.search(stem.replace(_UNKNOWN_PART, "")) is not None


def _file_name(names: Names, node: nodes.NodeNG, depth: int = 0) -> str:
    """Return the end of the path *node* as far as it is known, ``{}`` for parts that are not."""
    if depth > 8:
        return _UNKNOWN_PART
    match node:
        case nodes.Const(value=str() as text):
            return text.replace("\\", "/")
        case nodes.JoinedStr():
            return "".join(known if isinstance(known := constant(part), str) else _UNKNOWN_PART for part in node.values)
        case nodes.BinOp(op="+"):
            return _file_name(names, node.left, depth + 1) + _file_name(names, node.right, depth + 1)
        case nodes.BinOp(op="%"):
            return _file_name(names, node.left, depth + 1)
        case nodes.BinOp(op="/"):
            return "/" + _file_name(names, node.right, depth + 1)
        case nodes.Call(func=nodes.Attribute(attrname="format", expr=template)):
            return _file_name(names, template, depth + 1)
        case nodes.Call(args=[*_, last]) if last_name(node.func) in ("join", "joinpath"):
            return "/" + _file_name(names, last, depth + 1)
        case nodes.Call(args=[first, *_]) if last_name(node.func) in _PASSES_PATH:
            return _file_name(names, first, depth + 1)
        case nodes.Name() | nodes.Attribute():
            texts = {_file_name(names, made, depth + 1) for made in origins(names, node) if made is not node}
            texts |= {known for value in names.known(node) if isinstance(known := constant_of(value), str)}
            return texts.pop() if len(texts) == 1 else _UNKNOWN_PART
    return _UNKNOWN_PART


def _owner(node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return whose variables the path *node* is made of: a class's ``self`` or a file's options and globals."""
    roots = [part for part in walk(node) if isinstance(part, nodes.Name)]
    if roots and all(root.name == "self" for root in roots):
        return class_of(node)
    if isinstance(node, nodes.Attribute) and dotted(node) is not None:
        module: nodes.NodeNG = node.root()
        return module
    if isinstance(node, nodes.Name):
        scope = function_of(node)
        while scope.parent is not None and node.name not in scope.locals:
            scope = function_of(scope)
        return scope if node.name in scope.locals else None
    return None


# -- contents -----------------------------------------------------------------------------------------


def items(
    names: Names, container: nodes.NodeNG, within: frozenset[nodes.NodeNG] = frozenset()
) -> Iterator[tuple[object, nodes.NodeNG]]:
    """Yield (key, value) of what *container* displays, and of what its function puts into it later.

    The key is Ellipsis where it is not a constant, or where there is none, as in a list. *within* are the displays
    around it, which a loop may bring back: ``state = {**state, key: value}``.
    """
    for made in origins(names, container):
        if made in within:
            continue
        yield from _displayed(names, made, within | {made})
        if isinstance(made.parent, nodes.Assign):
            for target in made.parent.targets:
                if isinstance(target, (nodes.AssignName, nodes.AssignAttr)):
                    yield from _put_later(names, target)


def _displayed(
    names: Names, display: nodes.NodeNG, within: frozenset[nodes.NodeNG] = frozenset()
) -> Iterator[tuple[object, nodes.NodeNG]]:
    match display:
        case nodes.Dict():
            for key, value in display.items:
                if isinstance(key, nodes.DictUnpack):
                    yield from items(names, value, within)
                else:
                    yield constant(key), value
        case nodes.List() | nodes.Tuple() | nodes.Set():
            yield from ((..., element) for element in display.elts)
        case nodes.ListComp(elt=element) | nodes.DictComp(value=element):
            yield ..., element
        case nodes.Call() if last_name(display.func) in ("dict", "OrderedDict", "list", "tuple"):
            for keyword in display.keywords or ():
                if keyword.arg is not None:
                    yield keyword.arg, keyword.value
            for argument in display.args[:1]:
                yield from items(names, argument, within)


def _put_later(names: Names, target: nodes.NodeNG) -> Iterator[tuple[object, nodes.NodeNG]]:
    """Yield what ``c[key] = value``, ``c.append(value)`` and ``c.update(…)`` put into the container at *target*."""
    index = names.index_of(target)
    text = target.as_string()
    scope_of = class_of if isinstance(target, nodes.AssignAttr) else function_of
    scope = scope_of(target)
    for item in index.items.get(text, ()):
        if scope_of(item) is scope and isinstance(item.parent, nodes.Assign):
            yield constant(item.slice), item.parent.value
    for call in index.filled.get(text, ()):
        if scope_of(call) is scope and call.args and call.func.attrname == "append":
            yield ..., call.args[0]
    for call in index.calls.get("update", ()):
        if scope_of(call) is scope and dotted(getattr(call.func, "expr", None)) == text:
            for keyword in call.keywords or ():
                if keyword.arg is not None:
                    yield keyword.arg, keyword.value
            for given in call.args[:1]:
                if isinstance(given, nodes.Dict):
                    yield from _displayed(names, given)


def keys_read(names: Names, loaded: nodes.NodeNG) -> set[str]:
    """Return the constant keys under which the program reads the value of *loaded*."""
    found = set()
    for use in _directly(names, loaded):
        match use.parent:
            case nodes.Subscript(slice=nodes.Const(value=str() as key)) if use.parent.value is use:
                found.add(key)
            case nodes.Attribute(attrname="get" | "pop", parent=nodes.Call(args=[nodes.Const(value=str() as key), *_])):
                found.add(key)
    return found


def _directly(names: Names, loaded: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    yield loaded
    if isinstance(loaded.parent, nodes.Assign):
        for target in loaded.parent.targets:
            yield from uses_of(names, target)
