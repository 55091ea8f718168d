"""The run itself: the statements of a scope along its control flow, until nothing new is learnt."""
from __future__ import annotations

import collections

from astroid import nodes

from flake8_torch_pitfalls.analysis import operations
from flake8_torch_pitfalls.analysis.expressions import Expressions
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Tensor, either, element_of, merged
from flake8_torch_pitfalls.analysis.flow import Point, evaluated, flow
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.passes import Pass, State
from flake8_torch_pitfalls.analysis.tree import dotted

LARGEST_SCOPE = 3_000
ROUNDS = 4


class Statements(Expressions):
    """Runs through a scope."""

    def run(self) -> Pass | None:
        """Return what a run through the whole scope finds; None for one too large."""
        graph = flow(self.scope)
        if len(graph.points) > LARGEST_SCOPE:
            return None
        order = _reverse_postorder(graph.entry)
        arriving = collections.Counter(id(edge.to) for point in order for edge in point.edges)
        before: dict[int, State] = {id(graph.entry): State(self.parameters(), {})}
        waiting = {id(graph.entry)}
        for _ in range(ROUNDS):
            for point in order:
                if id(point) not in waiting:
                    continue
                waiting.discard(id(point))
                moves_on = len(point.edges) == 1 and arriving[id(point.edges[0].to)] == 1
                self.state = before[id(point)].copy()
                self._point(point)
                self.tensors.steps += 1
                for edge in point.edges:
                    if edge.test is not None and self.decided(edge.test) not in (None, edge.taken):
                        continue
                    to = id(edge.to)
                    if to not in before:
                        before[to] = self.state if moves_on else self.state.copy()
                        waiting.add(to)
                    elif before[to].absorb(self.state):
                        waiting.add(to)
            if not waiting:
                break
        returned: Fact | None = None
        for number, fact in enumerate(self.returns.values()):
            returned = merged(returned, fact) if number else fact
        last = before.get(id(graph.exit))
        saved = last.saved if last is not None else {}
        leaving = last.variables if last is not None else {}
        graph.close()
        return Pass(self.facts, self.overwrites, self.views, returned, saved, self.callees, self.clashes, leaving)

    def _point(self, point: Point) -> None:
        node = evaluated(point)
        match node:
            case None:
                return
            case nodes.For():
                self.bind(node.target, element_of(self.known(node.iter)))
                self.assume_of_batch(node.target)
            case nodes.Assign():
                self.narrow(node)
                fact = self.fact(node.value)
                for target in node.targets:
                    self.bind(target, fact)
            case nodes.AnnAssign():
                if node.value is not None:
                    self.bind(node.target, self.fact(node.value))
            case nodes.AugAssign():
                self._augment(node)
            case nodes.Return():
                self.returns[node] = self.fact(node.value) if node.value is not None else None
            case nodes.Expr() | nodes.Await():
                self.fact(node.value)
            case nodes.Delete():
                for target in node.targets:
                    if (text := dotted(target)) is not None:
                        self.state.variables.pop(text, None)
            case nodes.Lambda() | nodes.Import() | nodes.ImportFrom() | nodes.Pass() | nodes.Global():
                return
            case nodes.Assert():
                self.fact(node.test)
            case nodes.Raise():
                return
            case _:
                self.fact(node)
        if isinstance(self.scope, nodes.Lambda) and node is getattr(self.scope, "body", None):
            self.returns[node] = self.fact(node)

    def _augment(self, node: nodes.AugAssign) -> None:
        value = self.fact(node.value)
        self.clashes.pop(node, None)
        target = node.target
        if isinstance(target, nodes.Subscript):
            before = self.fact(target.value)
            self.facts[target] = before
        else:
            before = self.variable(target)
            self.facts[target] = before
        if isinstance(before, Tensor):
            operands = [Operand("self", before), Operand("other", value if isinstance(value, Tensor) else None)]
            after = self.operate(operations.OPERATORS.get(node.op[:-1], "add") + "_", operands, node)
            self.rebind(target.value if isinstance(target, nodes.Subscript) else target, after)
        elif isinstance(before, Group):
            self.rebind(target, Group(None, either(before.any(), element_of(value))))
        elif isinstance(value, Tensor):
            after = self.operate(operations.OPERATORS.get(node.op[:-1], "add"), [Operand("self", value)], node)
            self.rebind(target, after)
        else:
            self.rebind(target, None)


def _reverse_postorder(entry: Point) -> list[Point]:
    seen = {id(entry)}
    order: list[Point] = []
    stack: list[tuple[Point, int]] = [(entry, 0)]
    while stack:
        point, number = stack.pop()
        if number < len(point.edges):
            stack.append((point, number + 1))
            to = point.edges[number].to
            if id(to) not in seen:
                seen.add(id(to))
                stack.append((to, 0))
        else:
            order.append(point)
    order.reverse()
    return order
