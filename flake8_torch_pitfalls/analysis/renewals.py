"""Optimizers that are left with parameters which their module no longer has.

An optimizer holds the parameters that it was made with. What gives the module new ones after that, a wrapper or a new
layer, leaves it behind. What such a change is, each rule says by itself. Here it is found in the scope that makes the
optimizer, in the functions that this scope hands the module to, and in other methods of a class that keeps both.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers, parameters, scopes
from flake8_torch_pitfalls.analysis.events import Do
from flake8_torch_pitfalls.analysis.flow import Point, evaluated, flow
from flake8_torch_pitfalls.analysis.places import Place, place
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, function_of, last_name, loops_around, walk
from flake8_torch_pitfalls.analysis.values import Class, Function

DEEPEST = 3
_WALKERS = ("modules", "named_modules", "children", "named_children", "values", "items")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A module: the expression that names it, where it lives, and the calls that may have made it."""

    node: nodes.NodeNG
    place: Place | None
    made: frozenset[nodes.NodeNG]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Making:
    """*call* makes an optimizer over parameters of *modules*; *node* is where the scope does that.

    *place* is where the optimizer then lives.
    """

    node: nodes.NodeNG
    call: nodes.Call
    modules: tuple[Held, ...]
    place: Place | None


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Change:
    """*cause* gives *module*, or what is inside it, new parameters; *node* is where the scope does that."""

    node: nodes.NodeNG
    cause: nodes.NodeNG
    module: Held


Candidates = Callable[[nodes.NodeNG, frozenset[str]], Iterable[tuple[nodes.NodeNG, nodes.NodeNG]]]
"""Gives what may change a module in a scope, told by names alone, and the expression of the module.

Only modules in variables of the names given matter.
"""
Confirms = Callable[[Making, Change], bool]
"""Returns whether a candidate leaves the optimizer behind; asked once it is known to be about its module."""


class Renewals:
    """Finds the changes that leave an optimizer of one linted file behind."""

    def __init__(self, source: Source, candidates: Candidates, confirms: Confirms) -> None:
        self.source = source
        self.names = source.names
        self.candidates = candidates
        self.confirms = confirms
        self._changes: dict[tuple[nodes.NodeNG, frozenset[str], int], list[Change]] = {}
        self._makings: dict[nodes.NodeNG, list[Making]] = {}

    def left_behind(self) -> Iterator[tuple[Making, Change]]:
        """Yield each optimizer that still takes steps after a change, and the change."""
        for scope in self._scopes():
            for making in self.makings(scope):
                for change in self._changes_after(scope, making):
                    if change.node.root() is self.source.module:
                        yield making, change

    def _scopes(self) -> list[nodes.NodeNG]:
        """Return the functions, and the module, that make an optimizer or call what does."""
        index = self.source.index
        found = {function_of(call) for name in self._leading for call in index.calls.get(name, ())}
        scopes_ = [self.source.module, *index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)]
        return [scope for scope in scopes_ if scope in found]

    @functools.cached_property
    def _leading(self) -> frozenset[str]:
        """The names of functions that may lead to the making of an optimizer."""
        return reaching(self.source.module, self.source.project, parameters.OPTIMIZERS)

    # -- optimizers that are made ------------------------------------------------------------------

    def makings(self, scope: nodes.NodeNG, depth: int = 0) -> list[Making]:
        """Return the optimizers that *scope* makes, also through the functions it calls."""
        if scope not in self._makings:
            self._makings[scope] = []  # for recursion
            self._makings[scope] = list(self._find_makings(scope, depth))
        return self._makings[scope]

    def _find_makings(self, scope: nodes.NodeNG, depth: int) -> Iterator[Making]:
        for call in self.names.index_of(scope).calls_in.get(scope, ()):
            name = last_name(call.func)
            if name in parameters.OPTIMIZERS:
                if parameters.makes_optimizer(self.names, call):
                    shares = parameters.shares(parameters.given(call))
                    yield Making(call, call, tuple(self.held(share.module) for share in shares), self._target(call))
            elif name in self._leading and depth < DEEPEST:
                for function in self.names.callee(call)[:2]:
                    for inner in self.makings(function.node, depth + 1):
                        yield self._as_called(inner, function, call)

    def _as_called(self, inner: Making, function: Function, call: nodes.Call) -> Making:
        """Return the making *inner* of *function* as the scope sees it that makes *call*."""
        modules = [dataclasses.replace(held, place=self._renamed(held.place, function, call)) for held in inner.modules]
        handed = parameters.given(inner.call)
        if isinstance(handed, nodes.Name) and not modules:
            given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
            modules = [self.held(share.module) for share in parameters.shares(given.get(handed.name))]
        kept = self._renamed(inner.place, function, call)
        return Making(call, inner.call, tuple(modules), kept or self._target(call))

    def _target(self, call: nodes.Call) -> Place | None:
        """Return where the result of *call* is kept."""
        return self.held(call.parent.targets[0]).place if isinstance(call.parent, nodes.Assign) else None

    def held(self, node: nodes.NodeNG) -> Held:
        """Return what is known of the module that *node*, an expression or a target, names."""
        node = _iterated(node)
        if isinstance(node, nodes.AssignName):
            return Held(node, Place(node.scope(), node.name), frozenset())
        made = frozenset() if isinstance(node, nodes.AssignAttr) else optimizers.made(self.names, node)
        return Held(node, place(self.names, node), made)

    # -- changes -----------------------------------------------------------------------------------

    def _changes_after(self, scope: nodes.NodeNG, making: Making) -> Iterator[Change]:
        """Yield the changes of a module of *making* after which its optimizer takes steps in *scope*."""
        wanted = {held.place.root for held in making.modules if held.place is not None}
        if making.node is not making.call:  # model, optimizer = build()
            wanted.update(node.name for node in walk(making.node.statement()) if isinstance(node, nodes.AssignName))
        order: _Order | None = None
        for change in self.changes(scope, frozenset(wanted), _start(making.node)):
            if not self._is_about(change, making):
                continue
            order = order or _Order(scope)
            remade = [other.node for other in self.makings(scope) if _takes_over(other, making, change)]
            after = order.reached(change.node, remade)
            if order.leads(making.node, change.node, remade) and self.confirms(making, change):
                if self._steps(making, scope, order, after):
                    yield change
        yield from self._changes_elsewhere(scope, making)

    def _changes_elsewhere(self, scope: nodes.NodeNG, making: Making) -> Iterator[Change]:
        """Yield the changes that other methods make after ``__init__`` has made the optimizer."""
        owner = class_of(scope)
        if owner is None or scope.parent is not owner or getattr(scope, "name", "") != "__init__":
            return
        others = [one for one in owner.body if isinstance(one, nodes.FunctionDef) and one is not scope]
        if any(self.makings(other) for other in others):
            return
        called = {last_name(call.func) for call in self.names.index_of(scope).calls_in.get(scope, ())}
        for method in others:
            if method.name in called:
                continue
            for cause, module in self.candidates(method, frozenset(("self",))):
                change = Change(cause, cause, self.held(module))
                if self._is_about(change, making) and self.confirms(making, change):
                    if self._steps(making, scope, None, set()):
                        yield change

    def _is_about(self, change: Change, making: Making) -> bool:
        return any(self._affects(change.module, held) for held in making.modules)

    def changes(self, scope: nodes.NodeNG, wanted: frozenset[str], start: int = 0, depth: int = 0) -> list[Change]:
        """Return what may change modules that variables of the names *wanted* hold, also through functions called.

        Only what stands at the line *start* of *scope* or below it counts.
        """
        key = scope, wanted, start
        if key not in self._changes:
            self._changes[key] = []  # for recursion
            self._changes[key] = list(self._find_changes(scope, wanted, start, depth))
        return self._changes[key]

    def _find_changes(self, scope: nodes.NodeNG, wanted: frozenset[str], start: int, depth: int) -> Iterator[Change]:
        for cause, module in self.candidates(scope, wanted):
            if cause.fromlineno >= start:
                yield Change(cause, cause, self.held(module))
        for call in self.names.index_of(scope).calls_in.get(scope, ()) if depth < DEEPEST else ():
            if call.fromlineno < start or not any(_root(node) in wanted for node in _handed(call)):
                continue
            if self._makes_object(call):
                continue
            for function in self.names.callee(call)[:2]:
                inside = self._names_inside(function, call, wanted)
                for inner in self.changes(function.node, inside, 0, depth + 1) if inside else ():
                    there = self._renamed(inner.module.place, function, call)
                    yield Change(call, inner.cause, dataclasses.replace(inner.module, place=there))

    def _makes_object(self, call: nodes.Call) -> bool:
        """Return whether *call* makes an object that starts with what its ``__init__`` gives it."""
        return any(isinstance(value, Class) for value in self.names.values(call.func))

    def _names_inside(self, function: Function, call: nodes.Call, wanted: frozenset[str]) -> frozenset[str]:
        """Return under which names *function* sees the variables *wanted* of its caller."""
        given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        found = {name for name, node in given.items() if _root(node) in wanted}
        if function.receiver is not None and _root(getattr(call.func, "expr", None)) in wanted | {"super"}:
            found.add("self")
        return frozenset(found)

    def _renamed(self, where: Place | None, function: Function, call: nodes.Call) -> Place | None:
        """Return the place *where* of *function* as the caller knows it that makes *call*."""
        if where is None:
            return None
        base: Place | None = None
        if where.owner is function.node:
            given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
            base = place(self.names, given.get(where.root))
        elif isinstance(where.owner, nodes.ClassDef) and where.root == "self" and function.receiver is not None:
            base = self._receiver(call)
        else:
            return where
        return None if base is None else Place(base.owner, base.path + where.path[len(where.root) :])

    def _receiver(self, call: nodes.Call) -> Place | None:
        """Return where the object lives on which *call* runs a method, or that it makes."""
        if self._makes_object(call):
            return self._target(call)
        if not isinstance(call.func, nodes.Attribute):
            return place(self.names, call.func)
        if isinstance(call.func.expr, nodes.Call) and last_name(call.func.expr.func) == "super":
            owner = class_of(call)
            return None if owner is None else Place(owner, "self")
        return place(self.names, call.func.expr)

    def _affects(self, changed: Held, held: Held) -> bool:
        """Return whether a change of one module is a change of the other, or of what is inside it."""
        if changed.place is not None and held.place is not None:
            if changed.place.holds(held.place) or held.place.holds(changed.place):
                return True
        return (
            len(held.made) == 1
            and held.made == changed.made
            and all(parameters.makes_one(self.names, maker, held.node) for maker in held.made)
        )

    # -- steps -------------------------------------------------------------------------------------

    def _steps(self, making: Making, scope: nodes.NodeNG, order: _Order | None, after: set[int]) -> bool:
        """Return whether the optimizer steps at one of the points *after*, or outside of *scope*."""
        mine = {other.call for other in self.makings(scope)}
        for run in self.source.runs.roots:
            for stop in run.events(Do.STEP):
                event = stop.event
                kept = event is not None and event.place is not None and event.place == making.place
                if event is None or not (kept or making.call in event.made):
                    continue
                here = next((node for node in (*event.stack, event.node) if function_of(node) is scope), None)
                if here is None:
                    if (kept or event.made <= mine) and (order is None or id(order.exit) in after):
                        return True
                elif order is None or id(order.point(here)) in after:
                    return True
        return False


class _Order:
    """What may run after what in one scope."""

    def __init__(self, scope: nodes.NodeNG) -> None:
        graph = flow(scope)
        self.exit = graph.exit
        self._points = {node: point for point in graph.points if (node := evaluated(point)) is not None}

    def point(self, node: nodes.NodeNG) -> Point | None:
        """Return the point at which *node* is evaluated."""
        return next((self._points[one] for one in (node, *ancestors(node)) if one in self._points), None)

    def reached(self, start: nodes.NodeNG, without: Iterable[nodes.NodeNG]) -> set[int]:
        """Return the ids of the points that control may reach after *start* before it comes to any *without*."""
        closed = {id(self.point(node)) for node in without}
        first = self.point(start)
        stack = [first] if first is not None else []
        found: set[int] = set()
        while stack:
            for edge in stack.pop().edges:
                if id(edge.to) not in found and id(edge.to) not in closed:
                    found.add(id(edge.to))
                    stack.append(edge.to)
        return found

    def leads(self, start: nodes.NodeNG, goal: nodes.NodeNG, without: Iterable[nodes.NodeNG]) -> bool:
        """Return whether control may come from *start* to *goal* before it comes to any *without*."""
        return id(self.point(goal)) in self.reached(start, without)


def _start(node: nodes.NodeNG) -> int:
    """Return the first line that may run after *node*: its own, or that of the outermost loop around it."""
    return int((loops_around(node) or [node])[-1].fromlineno)


def _takes_over(other: Making, making: Making, change: Change) -> bool:
    """Return whether the optimizer *other* is given a module of *making*, or what *change* has made new."""
    mine = {held.place for held in making.modules}
    new = change.module.place
    return other is making or any(
        held.place is not None and (held.place in mine or (new is not None and new.holds(held.place)))
        for held in other.modules
    )


def _handed(call: nodes.Call) -> list[nodes.NodeNG]:
    """Return the object whose method *call* runs, and its arguments."""
    receiver = [call.func.expr] if isinstance(call.func, nodes.Attribute) else []
    return [*receiver, *call.args, *(keyword.value for keyword in call.keywords or ())]


def _root(node: nodes.NodeNG | None) -> str | None:
    """Return the variable in which *node*, a chain of attributes, begins; "super" for ``super()``."""
    while isinstance(node, (nodes.Attribute, nodes.AssignAttr, nodes.Subscript)):
        node = node.value if isinstance(node, nodes.Subscript) else node.expr
    if isinstance(node, nodes.Call) and last_name(node.func) == "super":
        return "super"
    return str(node.name) if isinstance(node, (nodes.Name, nodes.AssignName)) else None


def _iterated(node: nodes.NodeNG) -> nodes.NodeNG:
    """Return the module over whose parts a loop runs that gives *node* its value, else *node* itself."""
    definitions = scopes.definitions(node, node.name) if isinstance(node, nodes.Name) else []
    loop = definitions[0].statement() if len(definitions) == 1 else None
    if not isinstance(loop, nodes.For) or definitions[0] not in (loop.target, *getattr(loop.target, "elts", ())):
        return node
    over = loop.iter
    while isinstance(over, nodes.Call):
        if isinstance(over.func, nodes.Attribute) and over.func.attrname in _WALKERS:
            return _iterated(over.func.expr)
        if not over.args:
            return node
        over = over.args[0]
    return over
