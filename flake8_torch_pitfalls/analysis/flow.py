"""The control-flow graph of one function or module body.

A point is a statement or an expression that is evaluated; edges lead to what may be evaluated next and
carry the test that was decided on the way. Loops are drawn as "at least once" with one extra edge, marked
``empty``, for the iteration that never happens, so that a question may leave it out. Exceptions lead from
the start of a ``try`` to its handlers, as if the body had not run: a path that breaks off halfway would
make every order in the body look like a mistake.
"""
from __future__ import annotations

import dataclasses

from astroid import nodes

from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, constant, dotted

ENDS_PROGRAM = {"exit", "quit", "sys.exit", "os._exit", "os.abort"}


@dataclasses.dataclass(slots=True)
class Edge:
    """The way to a next point: taken when *test*, if there is one, is *taken*."""

    to: Point
    test: nodes.NodeNG | None = None
    taken: bool = True
    empty: bool = False


@dataclasses.dataclass(slots=True, eq=False)
class Point:
    """Something that is evaluated (None: a mere joint), and where control goes from there."""

    node: nodes.NodeNG | None
    edges: list[Edge] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class Flow:
    """The graph of a scope: one way in, one way out; ``raise`` and ``sys.exit`` lead nowhere."""

    entry: Point
    exit: Point
    points: list[Point]

    def close(self) -> None:
        """Cut the cycles of the graph, which is of no more use then."""
        for point in self.points:
            point.edges.clear()


_Loose = list[tuple[Point, nodes.NodeNG | None, bool, bool]]
"""Edges whose far end is not known yet: (from, test, taken, empty)."""


def flow(scope: nodes.NodeNG) -> Flow:
    """Return the control-flow graph of *scope*, a function, lambda or module."""
    builder = _Builder()
    if isinstance(scope, nodes.Lambda) and not isinstance(scope, nodes.FunctionDef):
        ends = builder.point(scope.body, [(builder.entry, None, True, False)])
    else:
        ends = builder.body(scope.body, [(builder.entry, None, True, False)])
    builder.join(ends, builder.exit)
    return Flow(builder.entry, builder.exit, builder.points)


class _Builder:
    def __init__(self) -> None:
        self.entry, self.exit = Point(None), Point(None)
        self.points = [self.entry, self.exit]
        self.loops: list[tuple[_Loose, _Loose]] = []
        """For each loop around: the edges of its ``continue`` and ``break`` statements."""
        self.finals: list[_Loose] = []
        """For each ``finally`` around: the edges of the ``return`` statements that run it first."""

    def point(self, node: nodes.NodeNG | None, incoming: _Loose) -> _Loose:
        made = Point(node)
        self.points.append(made)
        self.join(incoming, made)
        return [(made, None, True, False)]

    @staticmethod
    def join(incoming: _Loose, to: Point) -> None:
        for point, test, taken, empty in incoming:
            point.edges.append(Edge(to, test, taken, empty))

    def body(self, statements: list[nodes.NodeNG], incoming: _Loose) -> _Loose:
        for statement in statements:
            if not incoming:
                break
            incoming = self.statement(statement, incoming)
        return incoming

    def statement(self, node: nodes.NodeNG, incoming: _Loose) -> _Loose:
        match node:
            case nodes.If():
                return self.branch(node, incoming)
            case nodes.While():
                return self.while_loop(node, incoming)
            case nodes.For():
                return self.for_loop(node, incoming)
            case nodes.With():
                for context, _ in node.items:
                    incoming = self.point(context, incoming)
                return self.body(node.body, incoming)
            case nodes.Try() | nodes.TryStar():
                return self.attempt(node, incoming)
            case nodes.Match():
                return self.match(node, incoming)
            case nodes.Return():
                self.leave(self.point(node, incoming))
                return []
            case nodes.Raise():
                self.point(node, incoming)
                return []
            case nodes.Break() | nodes.Continue() if self.loops:
                self.loops[-1][isinstance(node, nodes.Break)].extend(incoming)
                return []
            case nodes.Expr(value=nodes.Call() as call) if dotted(call.func) in ENDS_PROGRAM:
                self.point(node, incoming)
                return []
        return self.point(node, incoming)

    def leave(self, ends: _Loose) -> None:
        if self.finals:
            self.finals[-1].extend(ends)
        else:
            self.join(ends, self.exit)

    def branch(self, node: nodes.If, incoming: _Loose) -> _Loose:
        ends: _Loose = []
        while True:  # a ladder of elif is nested as deep as it is long
            [(test, *_)] = self.point(node.test, incoming)
            decided = constant(node.test)
            if decided is ... or decided:
                ends += self.body(node.body, [(test, node.test, True, False)])
            incoming = [(test, node.test, False, False)] if decided is ... or not decided else []
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], nodes.If) or not incoming:
                return ends + self.body(node.orelse, incoming)
            node = node.orelse[0]

    def while_loop(self, node: nodes.While, incoming: _Loose) -> _Loose:
        forever = bool(constant(node.test)) and constant(node.test) is not ...
        [(first, *_)] = self.point(node.test, incoming)
        head = Point(None)
        self.points.append(head)
        self.join([(first, node.test, True, False)], head)
        self.loops.append(([], []))
        ends = self.body(node.body, [(head, None, True, False)])
        continued, broken = self.loops.pop()
        out: _Loose = [] if forever else [(first, node.test, False, True)]
        if ends or continued:
            [(again, *_)] = self.point(node.test, ends + continued)
            self.join([(again, node.test, True, False)], head)
            out += [] if forever else [(again, node.test, False, False)]
        return self.body(node.orelse, out) + broken

    def for_loop(self, node: nodes.For, incoming: _Loose) -> _Loose:
        [(iterable, *_)] = self.point(node.iter, incoming)
        [(head, *_)] = self.point(node, [(iterable, None, True, False)])
        self.loops.append(([], []))
        ends = self.body(node.body, [(head, None, True, False)])
        continued, broken = self.loops.pop()
        out: _Loose = [(iterable, None, True, True)]
        if ends or continued:
            [(again, *_)] = self.point(None, ends + continued)
            self.join([(again, None, True, False)], head)
            out.append((again, None, True, False))
        return self.body(node.orelse, out) + broken

    def attempt(self, node: nodes.Try | nodes.TryStar, incoming: _Loose) -> _Loose:
        [(start, *_)] = self.point(None, incoming)
        if node.finalbody:
            self.finals.append([])
        ends = self.body(node.body, [(start, None, True, False)])
        ends = self.body(node.orelse, ends)
        for handler in node.handlers:
            caught = self.point(handler.type, [(start, None, True, False)])
            ends += self.body(handler.body, caught)
        if not node.finalbody:
            return ends
        returned = self.finals.pop()
        after = self.body(node.finalbody, ends + returned)
        if returned:
            self.leave(list(after))
        return after if ends else []

    def match(self, node: nodes.Match, incoming: _Loose) -> _Loose:
        [(subject, *_)] = self.point(node.subject, incoming)
        ends: _Loose = []
        exhaustive = False
        for case in node.cases:
            start: _Loose = [(subject, None, True, False)]
            if case.guard is not None:
                start = self.point(case.guard, start)
            elif isinstance(case.pattern, nodes.MatchAs) and case.pattern.pattern is None:
                exhaustive = True
            ends += self.body(case.body, start)
        return ends if exhaustive else [*ends, (subject, None, True, False)]


def evaluated(point: Point) -> nodes.NodeNG | None:
    """Return the node whose expressions *point* evaluates; None for joints and for definitions."""
    node = point.node
    if isinstance(node, (*FUNCTIONS, nodes.ClassDef)) and not (
        isinstance(node, nodes.Lambda) and not isinstance(node, nodes.FunctionDef)
    ):
        return None
    return node
