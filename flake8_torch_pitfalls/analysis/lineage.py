"""From which assignments a value is computed, and what a function back-propagates."""
from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Union

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    Index,
    argument,
    class_of,
    constant,
    dotted,
    function_of,
    last_name,
    self_name,
)
from flake8_torch_pitfalls.analysis.values import Function

LONGEST = 400
PUTS = ("append", "appendleft", "extend", "insert", "add", "update", "setdefault")
"""Methods that put something into a container."""

_CUTS = frozenset("item detach tolist numpy size dim numel argmax backward".split())
_CUT_ATTRIBUTES = frozenset(("data", "grad", "shape", "device", "dtype", "requires_grad"))
_PLAIN = frozenset(("float", "int", "bool", "len", "str", "range", "print", "isinstance"))

Key = Union[nodes.NodeNG, tuple[nodes.NodeNG, str]]
"""A variable's definition, or an attribute's text in a function."""


@dataclasses.dataclass(frozen=True, slots=True)
class Backward:
    """A backward pass: where it runs, what it starts from, and whether the graph outlives it."""

    node: nodes.NodeNG
    start: nodes.NodeNG
    retains: bool


class Lineage:
    """Answers where values come from, in one linted file."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._backwards: dict[nodes.NodeNG, tuple[Backward, ...]] = {}
        self._puts: dict[int, dict[tuple[nodes.NodeNG, str], list[nodes.NodeNG]]] = {}

    # -- values ------------------------------------------------------------------------------------

    def sources(self, node: nodes.NodeNG, without: str | None = None) -> frozenset[Key]:
        """Return the definitions that the value of *node* is computed from, not followed through *without*.

        What is taken out of the graph on the way (``detach``, ``item``, ``float``) does not count.
        """
        return self._trace(node, without)[0]

    def computed_by(self, node: nodes.NodeNG) -> frozenset[nodes.NodeNG]:
        """Return the expressions and in-place sums that the value of *node* is computed by."""
        return self._trace(node, None)[1]

    def computed_along(self, node: nodes.NodeNG | None, stack: Sequence[nodes.Call]) -> frozenset[nodes.NodeNG]:
        """Return what ``computed_by`` does, followed through parameters into the calls of *stack*, outermost first."""
        found: frozenset[nodes.NodeNG] = frozenset() if node is None else self.computed_by(node)
        starts = [] if node is None else [node]
        for call in reversed(stack):
            taken = [source for start in starts for source in self.sources(start)]
            parameters = [one for one in taken if isinstance(one, nodes.NodeNG) and is_parameter(one)]
            starts = [given for one in parameters if (given := handed_to(one, call)) is not None]
            found = found.union(*(self.computed_by(start) for start in starts))
        return found

    def _trace(self, node: nodes.NodeNG, without: str | None) -> tuple[frozenset[Key], frozenset[nodes.NodeNG]]:
        found: set[Key] = set()
        passed: set[nodes.NodeNG] = set()
        stack = [node]
        while stack and len(found) < LONGEST:
            current = stack.pop()
            passed.add(current)
            match current:
                case nodes.Name() | nodes.AssignName():
                    if current.name != without:
                        stack += self._behind_name(current, found)
                case nodes.Attribute() | nodes.AssignAttr():
                    if current.attrname not in _CUT_ATTRIBUTES and dotted(current) != without:
                        stack += self._behind_attribute(current, found)
                case nodes.Call():
                    if last_name(current.func) not in (_CUTS if isinstance(current.func, nodes.Attribute) else _PLAIN):
                        stack += [current.func.expr] if isinstance(current.func, nodes.Attribute) else []
                        stack += [*current.args, *(keyword.value for keyword in current.keywords or ())]
                case nodes.Lambda() | nodes.Const():
                    continue
                case _:
                    stack += current.get_children()
        passed.update(key.parent for key in found if isinstance(key, nodes.NodeNG))
        return frozenset(found), frozenset(passed)

    def _behind_name(self, node: nodes.NodeNG, found: set[Key]) -> Iterator[nodes.NodeNG]:
        for definition in scopes.definitions(node, node.name):
            if isinstance(definition, nodes.AssignName) and definition not in found:
                found.add(definition)
                yield from given_to(definition)
                yield from self.put_into(definition.name, function_of(definition))

    def _behind_attribute(self, node: nodes.NodeNG, found: set[Key]) -> Iterator[nodes.NodeNG]:
        text = _text(node)
        function = function_of(node)
        if text is None or (function, text) in found:
            return
        found.add((function, text))
        if not isinstance(node.expr, nodes.Name) or node.expr.name != "self":
            yield node.expr
        for target in self.names.index_of(node).stores.get(node.attrname, ()):
            if function_of(target) is function and _text(target) == text:
                yield from given_to(target)
        yield from self.put_into(text, function)

    def put_into(self, text: str, function: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
        """Yield what *function* puts into the container that *text* names, or into one it holds."""
        index = self.names.index_of(function)
        for target in index.items.get(text, ()):
            if function_of(target) is function and isinstance(target.parent, (nodes.Assign, nodes.AugAssign)):
                yield target.parent.value
        yield from self._put_by_calls(index).get((function, text), ())

    def _put_by_calls(self, index: Index) -> dict[tuple[nodes.NodeNG, str], list[nodes.NodeNG]]:
        """Return what ``append`` and the like put into each container under *index*, by function and text."""
        if id(index) not in self._puts:
            found: dict[tuple[nodes.NodeNG, str], list[nodes.NodeNG]] = collections.defaultdict(list)
            for call in (call for name in PUTS for call in index.calls.get(name, ())):
                if isinstance(call.func, nodes.Attribute) and call.args:
                    if (text := container_text(call.func.expr)) is not None:
                        found[function_of(call), text] += call.args
            self._puts[id(index)] = found
        return self._puts[id(index)]

    # -- backward passes ---------------------------------------------------------------------------

    def backwards(self, function: nodes.NodeNG) -> tuple[Backward, ...]:
        """Return the backward passes that *function* runs itself or through helpers it hands the loss to."""
        if function not in self._backwards:
            self._backwards[function] = ()  # for recursion
            self._backwards[function] = tuple(self._find_backwards(function))
        return self._backwards[function]

    def _find_backwards(self, function: nodes.NodeNG) -> Iterator[Backward]:
        index = self.names.index_of(function)
        for call in index.calls_in.get(function, ()):
            name = last_name(call.func)
            if name in ("backward", "manual_backward"):
                if (start := self._start(call)) is not None:
                    yield Backward(call, start, _retains(call))
            elif name is not None and (call.args or call.keywords):
                yield from self._through(call)
        yield from self._by_framework(function)

    def _start(self, call: nodes.Call) -> nodes.NodeNG | None:
        """Return the expression of the loss from which *call* goes backward."""
        first = argument(call, 0, None)
        receiver = call.func.expr if isinstance(call.func, nodes.Attribute) else None
        if receiver is None or (isinstance(receiver, nodes.Call) and last_name(receiver.func) == "super"):
            return None
        if call.func.attrname == "manual_backward" or self.names.symbol(call.func) == "torch.autograd.backward":
            return first
        if first is not None and "loss" in (last_name(first) or "").lower():
            return first  # accelerator.backward(loss), engine.backward(loss)
        if isinstance(receiver, nodes.Call) and last_name(receiver.func) in ("scale", "scale_loss"):
            return argument(receiver, 0, None)
        return receiver

    def _through(self, call: nodes.Call) -> Iterator[Backward]:
        """Yield the backward passes that a function of the project runs from an argument of *call*."""
        if not self.goes_backward(last_name(call.func)):
            return
        for function in self.names.callee(call)[:2]:
            given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
            for inner in self.backwards(function.node):
                for source in self.sources(inner.start):
                    if isinstance(source, nodes.AssignName) and isinstance(source.parent, nodes.Arguments):
                        if source.parent.parent is function.node and source.name in given:
                            yield Backward(call, given[source.name], inner.retains)

    def goes_backward(self, name: str | None) -> bool:
        """Return whether a function called *name* that any module in view defines may go backward."""
        return name in self._reaching

    @functools.cached_property
    def _reaching(self) -> frozenset[str]:
        return reaching(self.names.module, self.names.project, frozenset(("backward", "manual_backward")))

    def _by_framework(self, function: nodes.NodeNG) -> Iterator[Backward]:
        """Yield what Lightning back-propagates: what ``training_step`` returns."""
        if not isinstance(function, nodes.FunctionDef) or function.name != "training_step":
            return
        owner = class_of(function)
        if owner is None or not self.names.derives(owner, "lightning.pytorch.LightningModule"):
            return
        for statement in self.names.index_of(function).returns.get(function, ()):
            if statement.value is not None:
                yield Backward(statement, statement.value, False)

    def consumes_result(self, function: Function) -> bool:
        """Return whether *function* has already back-propagated the graph of what it returns."""
        returned = [r.value for r in self.names.index_of(function.node).returns.get(function.node, ()) if r.value]
        if not returned:
            return False
        results = frozenset[Key]().union(*(self.sources(value) for value in returned))
        return any(
            not backward.retains and not results.isdisjoint(self.sources(backward.start))
            for backward in self.backwards(function.node)
        )


def _retains(call: nodes.Call) -> bool:
    return any(
        keyword.arg in ("retain_graph", "create_graph", None) and constant(keyword.value) not in (False, None)
        for keyword in call.keywords or ()
    )


def _text(node: nodes.NodeNG) -> str | None:
    if isinstance(node, nodes.AssignAttr):
        base = dotted(node.expr)
        return None if base is None else f"{base}.{node.attrname}"
    return dotted(node)


def container_text(node: nodes.NodeNG) -> str | None:
    """Return the text of the variable or attribute that holds the container *node*: ``h`` of ``h[k]['loss']``."""
    while True:
        if isinstance(node, nodes.Subscript):
            node = node.value
        elif isinstance(node, nodes.Call) and last_name(node.func) in ("setdefault", "get"):
            node = node.func.expr if isinstance(node.func, nodes.Attribute) else node.func
        else:
            break
    return node.name if isinstance(node, nodes.AssignName) else _text(node)


def given_to(target: nodes.NodeNG) -> Iterable[nodes.NodeNG]:
    """Return the expressions from which an assignment gives *target*, a name or attribute in it, its value."""
    node, parent = target, target.parent
    position: int | None = None
    while isinstance(parent, (nodes.Tuple, nodes.List, nodes.Starred)):
        if not isinstance(parent, nodes.Starred):
            position = parent.elts.index(node)
        node, parent = parent, parent.parent
    match parent:
        case nodes.Assign(value=nodes.Tuple() as value) if position is not None and node is not target:
            whole = node.elts if isinstance(node, (nodes.Tuple, nodes.List)) else []
            return (value.elts[position],) if len(whole) == len(value.elts) else (value,)
        case nodes.Assign() | nodes.NamedExpr():
            return (parent.value,)
        case nodes.AnnAssign():
            return () if parent.value is None else (parent.value,)
        case nodes.AugAssign():
            return (parent.value, parent.target)
        case nodes.For() | nodes.Comprehension():
            return (parent.iter,)
        case nodes.With():
            return tuple(context for context, bound in parent.items if bound is node)
    return ()


def is_parameter(definition: nodes.NodeNG) -> bool:
    """Return whether *definition* is a parameter of a function."""
    return isinstance(definition.parent, nodes.Arguments) and isinstance(definition.parent.parent, FUNCTIONS)


def handed_to(parameter: nodes.AssignName, call: nodes.Call) -> nodes.NodeNG | None:
    """Return what *call*, a call of the function of *parameter*, gives to it, as far as the text shows."""
    function = parameter.parent.parent
    return scopes.match_arguments(function, call, bound=self_name(function) is not None).get(parameter.name)
