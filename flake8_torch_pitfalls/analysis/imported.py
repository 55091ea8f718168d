"""Modules that the linted file imports: only what is asked for becomes a tree.

Most of an imported file is of no interest. Its text is parsed once by ``ast``, ten times cheaper than a tree of
astroid, to see where its top-level statements are; a statement becomes a tree, with an index of its own, when one of
its names is asked for. What is kept in between is text: Python's collector would look through trees again and again.
"""
from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Iterator

from astroid import nodes
from astroid.manager import AstroidManager

from flake8_torch_pitfalls.analysis.tree import Index, Module, Rebuilder, bind_imports, index_below


@dataclasses.dataclass(frozen=True, slots=True)
class _Statement:
    """A top-level statement: its lines, its number among those that share them, and what it binds."""

    first: int
    last: int
    number: int
    bound: tuple[str, ...]
    methods: tuple[str, ...]


class ImportedModule(Module):
    """A module of the project whose statements are built on demand; see ``locals``."""

    def __init__(self, text: str, name: str, path: str, package: bool) -> None:
        super().__init__(name=name, file=path, path=[path], package=package)
        self.postinit([])
        self.locals = self.globals = _Locals(self)
        self._lines = text.split("\n")
        self._statements = list(_statements(ast.parse(text).body))
        self._builder = Rebuilder(AstroidManager())
        self._built: dict[int, nodes.NodeNG] = {}
        self._indices: dict[nodes.NodeNG, Index] = {}
        self._binders: dict[str, list[int]] = {}
        for number, statement in enumerate(self._statements):
            for bound in statement.bound:
                self._binders.setdefault(bound, []).append(number)

    def build(self, name: str) -> None:
        """Make trees of the statements that bind *name*."""
        for number in self._binders.get(name, ()):
            self.part(number)

    def part(self, number: int) -> nodes.NodeNG:
        """Return the tree of the top-level statement *number*."""
        if number not in self._built:
            statement = self._statements[number]
            text = "\n" * (statement.first - 1) + self._text_of(statement)
            self._builder._import_from_nodes.clear()
            self._built[number] = self._builder.visit(ast.parse(text).body[statement.number], self)
            bind_imports(self, self._builder)
            for bound in statement.bound:
                dict.get(self.locals, bound, []).sort(key=lambda node: node.fromlineno or 0)
        return self._built[number]

    def _text_of(self, statement: _Statement) -> str:
        return "\n".join(self._lines[statement.first - 1 : statement.last])

    def part_of(self, node: nodes.NodeNG) -> nodes.NodeNG:
        """Return the top-level statement that *node* stands in."""
        while node.parent is not self:
            node = node.parent
        return node

    def index_of(self, node: nodes.NodeNG) -> Index:
        """Return the index over the top-level statement of *node*, over the whole module for the module itself."""
        if node is self:
            everything: Index = self.index
            return everything
        part = self.part_of(node)
        if part not in self._indices:
            self._indices[part] = index_below(part)
        return self._indices[part]

    @functools.cached_property
    def index(self) -> Index:
        """Where the module mentions what: this makes trees of all of it."""
        self.body = [self.part(number) for number in range(len(self._statements))]
        return index_below(self)

    @functools.cached_property
    def words(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """For each top-level statement the names it binds and the words in its text."""
        return [
            (frozenset(statement.bound), frozenset(re.findall(r"\w+", self._text_of(statement))))
            for statement in self._statements
        ]

    def reaching(self, words: frozenset[str]) -> dict[str, tuple[str, ...]]:
        """Return the top-level names whose text mentions one of *words*, or one of these names.

        With each name come the methods that its class defines.
        """
        found: dict[str, tuple[str, ...]] = {}
        waiting = list(zip(self._statements, self.words))
        grown = True
        while grown:
            grown = False
            for part in list(waiting):
                statement, (bound, mentioned) = part
                if not mentioned.isdisjoint(words) or not mentioned.isdisjoint(found.keys() - bound):
                    waiting.remove(part)
                    found.update(dict.fromkeys(bound, statement.methods))
                    grown = True
        return found

    @property
    def star_imports(self) -> list[nodes.ImportFrom]:
        """The ``from … import *`` at top level."""
        return [self.part(number) for number in self._binders.get("*", ())]


class _Locals(dict[str, list[nodes.NodeNG]]):
    """The names of a module: looking one up builds the statements that bind it."""

    def __init__(self, module: ImportedModule) -> None:
        super().__init__()
        self._module = module

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
        self._module.build(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> list[nodes.NodeNG]:
        self._module.build(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._module.build(str(name))
        return super().__contains__(name)


def _statements(body: list[ast.stmt]) -> Iterator[_Statement]:
    """Yield what is kept of the statements of a module."""
    groups: list[list[ast.stmt]] = []
    last = 0
    for statement in body:
        if _first_line(statement) <= last:  # a = 1; b = 2
            groups[-1].append(statement)
        else:
            groups.append([statement])
        last = statement.end_lineno or 0
    for group in groups:
        first, last = _first_line(group[0]), group[-1].end_lineno or 0
        for number, statement in enumerate(group):
            yield _Statement(first, last, number, tuple(_bound_by(statement)), _methods(statement))


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _methods(statement: ast.stmt) -> tuple[str, ...]:
    if not isinstance(statement, ast.ClassDef):
        return ()
    return tuple(one.name for one in statement.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level *statement* binds, "*" for a star import."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Import() | ast.ImportFrom():
            for alias in statement.names:
                whole = isinstance(statement, ast.ImportFrom)
                yield alias.asname or (alias.name if whole else alias.name.partition(".")[0])
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.stmt):
                    yield from _bound_by(child)
                elif isinstance(child, ast.ExceptHandler):
                    for inner in child.body:
                        yield from _bound_by(inner)
                else:
                    yield from _stored(child)
        case _:
            yield from _stored(statement)


def _stored(node: ast.AST) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
