"""Trees: building them without imports, finding one's way in them, and an index over them."""
from __future__ import annotations

import ast
import bisect
import collections
import dataclasses
import functools
from collections.abc import Iterator

from astroid import nodes
from astroid.manager import AstroidManager
from astroid.nodes.utils import Position
from astroid.rebuilder import TreeRebuilder

Scope = nodes.Module | nodes.FunctionDef | nodes.Lambda | nodes.ClassDef
FUNCTIONS = (nodes.FunctionDef, nodes.Lambda)
_FUNCTION_TYPES = frozenset((nodes.FunctionDef, nodes.AsyncFunctionDef, nodes.Lambda))
LOOPS = (nodes.For, nodes.While)
FILLERS = frozenset(("append", "extend", "insert"))
_LEAVES = frozenset((nodes.Name, nodes.Const, nodes.AssignName, nodes.DelName, nodes.Pass, nodes.Import,
                     nodes.ImportFrom, nodes.Break, nodes.Continue, nodes.Global, nodes.Nonlocal))  # fmt: skip
COMPREHENSIONS = (nodes.ListComp, nodes.SetComp, nodes.DictComp, nodes.GeneratorExp)


def parse(text: str, name: str, path: str, package: bool = False, parsed: ast.AST | None = None) -> nodes.Module:
    """Return the astroid tree of *text*; *parsed* is what ``ast`` made of it, if someone has asked before.

    astroid's own builder also infers every ``a.b = …`` and runs the transforms of its brains, which
    costs as much again and may import what the file imports. Names bound by imports are added here.

    Raises SyntaxError or ValueError for text that is no Python.
    """
    builder = Rebuilder(AstroidManager())
    module = builder.visit_module(_usable(parsed) or ast.parse(text), name, path, package)
    module.__class__ = Module
    bind_imports(module, builder)
    builder._visit_meths.clear()  # bound methods, which hold the builder
    return module


class Rebuilder(TreeRebuilder):  # type: ignore[misc]
    """astroid's own, but the place of a ``def`` below decorators comes from ``ast``, which spares a tokenizer."""

    def _get_position_info(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, _: object) -> Position:
        return Position(node.lineno, node.col_offset, node.lineno, node.col_offset)


def _usable(parsed: ast.AST | None) -> ast.Module | None:
    return parsed if isinstance(parsed, ast.Module) and parsed.body else None


def bind_imports(module: nodes.Module, builder: TreeRebuilder) -> None:
    """Enter the names that the imports just built bind, which astroid leaves to its own builder."""
    for node, global_names in builder._import_from_nodes:
        for imported, alias in node.names:
            bound = alias or imported
            if bound != "*":
                scope = module if bound in global_names else node.parent
                scope.set_local(bound, node)
                dict.get(scope.scope().locals, bound, []).sort(key=lambda found: found.fromlineno or 0)


def position(node: nodes.NodeNG) -> tuple[int, int]:
    """Return (line, column from 0) of *node* as ``ast`` counts them, also below decorators."""
    place = getattr(node, "position", None)
    if place is not None:
        return place.lineno, place.col_offset
    return node.lineno or 1, node.col_offset or 0


def walk(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield *node* and all below it, parents first, in the order of the text, without recursion."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(node.get_children())))


def walk_scope(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield what *node* runs itself: like ``walk``, but nested functions and classes stay closed."""
    stack = [node]
    first = True
    while stack:
        node = stack.pop()
        yield node
        if first or not isinstance(node, (*FUNCTIONS, nodes.ClassDef)):
            stack.extend(reversed(list(node.get_children())))
        first = False


def ancestors(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the parents of *node*, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def function_of(node: nodes.NodeNG) -> nodes.FunctionDef | nodes.Lambda | nodes.Module:
    """Return the function in whose body *node* runs, or the module."""
    below, parent = node, node.parent
    while parent is not None:  # asked so often that a generator shows
        if type(parent) in _FUNCTION_TYPES and below is not parent.args:
            if below is not getattr(parent, "decorators", None):
                return parent
        below, parent = parent, parent.parent
    return below


def class_of(node: nodes.NodeNG) -> nodes.ClassDef | None:
    """Return the class whose method (also through functions nested in it) *node* stands in."""
    parent = node.parent
    while parent is not None and type(parent) is not nodes.ClassDef:
        parent = parent.parent
    return parent


def method_of(node: nodes.NodeNG) -> nodes.FunctionDef | None:
    """Return the method that *node* stands in, also through functions nested in it."""
    for parent in ancestors(node):
        if isinstance(parent, nodes.FunctionDef) and isinstance(parent.parent, nodes.ClassDef):
            return parent
    return None


def loops_around(node: nodes.NodeNG) -> list[nodes.For | nodes.While]:
    """Return the loops of the same function whose body *node* stands in, innermost first."""
    found = []
    below = node
    for parent in ancestors(node):
        if isinstance(parent, (*FUNCTIONS, nodes.ClassDef)):
            break
        if isinstance(parent, LOOPS) and below in parent.body:
            found.append(parent)
        below = parent
    return found


def block_of(statement: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the list of statements that *statement* is a member of; empty if there is none."""
    parent = statement.parent
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and statement in block:
            return block
    return []


def earlier_in_block(node: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the statements before *node* in the list of statements that it is a member of; none if it is in none."""
    block = block_of(node)
    return block[: block.index(node)] if block else []


def self_name(function: nodes.NodeNG) -> str | None:
    """Return the name of a method's first parameter, None for functions and static methods."""
    if not isinstance(function, nodes.FunctionDef) or not isinstance(function.parent, nodes.ClassDef):
        return None
    if "staticmethod" in decorator_names(function):
        return None
    first = [*function.args.posonlyargs, *(function.args.args or [])][:1]
    return str(first[0].name) if first else None


def decorator_names(function: nodes.NodeNG) -> set[str]:
    """Return the last names of the decorators of *function*."""
    decorators = getattr(function, "decorators", None)
    found = set()
    for node in decorators.nodes if decorators is not None else ():
        target = node.func if isinstance(node, nodes.Call) else node
        if name := last_name(target):
            found.add(name)
    return found


def last_name(node: nodes.NodeNG | None) -> str | None:
    """Return ``c`` of ``a.b.c`` and of ``c``, None for other expressions."""
    if isinstance(node, nodes.Attribute):
        return str(node.attrname)
    if isinstance(node, nodes.Name):
        return str(node.name)
    return None


def dotted(node: nodes.NodeNG | None) -> str | None:
    """Return the text of a chain of names and constant subscripts: ``self.opts['g']``; else None."""
    if isinstance(node, nodes.Attribute) and isinstance(node.expr, nodes.Name):  # what most of them are
        return f"{node.expr.name}.{node.attrname}"
    parts: list[str] = []
    while node is not None:
        if isinstance(node, nodes.Attribute):
            parts.append("." + node.attrname)
            node = node.expr
        elif isinstance(node, nodes.Subscript) and isinstance(node.slice, (nodes.Const, nodes.Name)):
            key = node.slice
            parts.append(f"[{key.value!r}]" if isinstance(key, nodes.Const) else f"[{key.name}]")
            node = node.value
        elif isinstance(node, nodes.Name):
            return str(node.name) + "".join(reversed(parts))
        else:
            return None
    return None


def target_text(target: nodes.NodeNG) -> str | None:
    """Return the text of a name or attribute that is assigned, as ``dotted`` gives it where it is read."""
    if isinstance(target, nodes.AssignName):
        return str(target.name)
    if isinstance(target, nodes.AssignAttr):
        owner = dotted(target.expr)
        return f"{owner}.{target.attrname}" if owner is not None else None
    return None


def text_of(node: nodes.NodeNG | None) -> str:
    """Return how *node* stands in the text, for a message."""
    return dotted(node) or ("" if node is None else str(node.as_string()))


def quoted(node: nodes.NodeNG | None, otherwise: str) -> str:
    """Return the variable or attribute *node* in quotes, for a message; *otherwise* for longer expressions."""
    text = dotted(node)
    return otherwise if text is None else f"'{text}'"


def receiver_of(call: nodes.Call) -> nodes.NodeNG | None:
    """Return the object whose method *call* calls, or the module whose function; None for a plain name."""
    return call.func.expr if isinstance(call.func, nodes.Attribute) else None


def is_called(node: nodes.NodeNG) -> bool:
    """Return whether *node* is what a call calls, not a value handed on."""
    return isinstance(node.parent, nodes.Call) and node.parent.func is node


def is_super(node: nodes.NodeNG) -> bool:
    """Return whether *node* is a call of ``super``."""
    return isinstance(node, nodes.Call) and isinstance(node.func, nodes.Name) and node.func.name == "super"


def own_name(target: nodes.NodeNG) -> str | None:
    """Return the name of a variable or attribute that is assigned, without the object it belongs to."""
    match target:
        case nodes.AssignName(name=name) | nodes.AssignAttr(attrname=name):
            return str(name)
    return None


def argument(call: nodes.Call, index: int | None, name: str | None) -> nodes.NodeNG | None:
    """Return the argument of *call* at position *index* or with keyword *name*, None if it has none.

    A call with ``*args`` before the position, or ``**kwargs``, may hold it unseen: see ``is_open``.
    """
    if index is not None and index < len(call.args):
        if not any(isinstance(arg, nodes.Starred) for arg in call.args[: index + 1]):
            return call.args[index]
    for keyword in call.keywords or ():
        if keyword.arg == name and name is not None:
            return keyword.value
    return None


def is_open(call: nodes.Call) -> bool:
    """Return whether *call* passes arguments that the text does not show (``*args``, ``**kwargs``)."""
    return any(isinstance(arg, nodes.Starred) for arg in call.args) or any(
        keyword.arg is None for keyword in call.keywords or ()
    )


def constant(node: nodes.NodeNG | None) -> object:
    """Return the value of a literal constant (also a negative number), Ellipsis for anything else."""
    if isinstance(node, nodes.Const):
        return node.value
    if isinstance(node, nodes.UnaryOp) and node.op == "-" and isinstance(node.operand, nodes.Const):
        if isinstance(node.operand.value, (int, float)):
            return -node.operand.value
    return ...


@dataclasses.dataclass
class Index:
    """Where a module mentions what: one walk, shared by all rules."""

    by_type: dict[type[nodes.NodeNG], list[nodes.NodeNG]]
    calls: dict[str, list[nodes.Call]]
    """Calls by the last name of what is called."""
    attributes: dict[str, list[nodes.Attribute]]
    """Attributes that are read, by name."""
    stores: dict[str, list[nodes.AssignAttr]]
    """Attributes that are assigned, by name."""
    items: dict[str, list[nodes.Subscript]]
    """Subscripts that are assigned, by the text of the container."""
    filled: dict[str, list[nodes.Call]]
    """Calls that put something into a list, by the text of the list."""
    calls_in: dict[nodes.NodeNG, list[nodes.Call]]
    """Calls by the function (or module) whose body runs them."""
    returns: dict[nodes.NodeNG, list[nodes.Return]]
    yields: dict[nodes.NodeNG, list[nodes.NodeNG]]

    @functools.cached_property
    def reads(self) -> dict[str, list[nodes.Name]]:
        """Names that are read, by name."""
        found: dict[str, list[nodes.Name]] = collections.defaultdict(list)
        for node in self.by_type.get(nodes.Name, ()):
            found[node.name].append(node)
        return found

    @functools.cached_property
    def stores_in(self) -> dict[nodes.ClassDef | None, dict[str, list[nodes.AssignAttr]]]:
        """Attributes that are assigned, by the class in whose methods and by name."""
        found: dict[nodes.ClassDef | None, dict[str, list[nodes.AssignAttr]]] = collections.defaultdict(dict)
        for name, targets in self.stores.items():
            for target in targets:
                found[class_of(target)].setdefault(name, []).append(target)
        return found

    @functools.cached_property
    def asked(self) -> frozenset[tuple[nodes.NodeNG, str]]:
        """The variables of which a function asks ``isinstance`` or ``hasattr``, each behind its function."""
        return frozenset(
            (function_of(call), call.args[0].name)
            for question in ("isinstance", "hasattr")
            for call in self.calls.get(question, ())
            if call.args and isinstance(call.args[0], nodes.Name)
        )

    def of(self, *types: type[nodes.NodeNG]) -> Iterator[nodes.NodeNG]:
        """Yield the nodes of exactly these *types*, in the order of the text for each type."""
        for kind in types:
            yield from self.by_type.get(kind, ())

    def within(self, top: nodes.NodeNG, kind: type[nodes.NodeNG]) -> list[nodes.NodeNG]:
        """Return the nodes of *kind* on the lines of *top*, a function or class."""
        found = self.by_type.get(kind, [])
        start = bisect.bisect_left(found, top.fromlineno, key=_line)
        return found[start : bisect.bisect_right(found, top.tolineno, key=_line)]


def _line(node: nodes.NodeNG) -> int:
    return int(node.lineno or 0)


class Module(nodes.Module):  # type: ignore[misc]  # astroid is not marked as typed
    """A module that keeps its index."""

    @functools.cached_property
    def index(self) -> Index:
        """Where the module mentions what; a tree does not change, so it is made once."""
        return index_below(self)

    def index_of(self, node: nodes.NodeNG) -> Index:
        """Return an index over at least the function or class that *node*, of this module, stands in."""
        del node
        return self.index

    @property
    def star_imports(self) -> list[nodes.ImportFrom]:
        """The ``from … import *`` of the module."""
        return [node for node in self.index.of(nodes.ImportFrom) if node.names[0][0] == "*"]


def index_below(top: nodes.NodeNG) -> Index:
    """Return the index over *top* and all below it."""
    made = Index(*(collections.defaultdict(list) for _ in dataclasses.fields(Index)))
    stack: list[tuple[nodes.NodeNG, nodes.NodeNG]] = [(top, function_of(top))]
    while stack:
        node, function = stack.pop()
        kind = type(node)
        made.by_type[kind].append(node)
        if kind in _LEAVES:
            continue
        if kind is nodes.Call:
            made.calls_in[function].append(node)
            if name := last_name(node.func):
                made.calls[name].append(node)
                if name in FILLERS and (text := dotted(getattr(node.func, "expr", None))):
                    made.filled[text].append(node)
        elif kind is nodes.Attribute:
            made.attributes[node.attrname].append(node)
        elif kind is nodes.AssignAttr:
            made.stores[node.attrname].append(node)
        elif kind is nodes.Subscript:
            if node.ctx.name == "Store" and (text := dotted(node.value)):
                made.items[text].append(node)
        elif kind is nodes.Return:
            made.returns[function].append(node)
        elif kind in (nodes.Yield, nodes.YieldFrom):
            made.yields[function].append(node)
        below = list(node.get_children())
        below.reverse()
        if isinstance(node, nodes.FunctionDef):
            outside = {node.args, node.decorators, node.returns}
            stack.extend((child, function if child in outside else node) for child in below)
        elif kind is nodes.Lambda:
            stack.extend((child, function if child is node.args else node) for child in below)
        else:
            stack.extend([(child, function) for child in below])
    return made
