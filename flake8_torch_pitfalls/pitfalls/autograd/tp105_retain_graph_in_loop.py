"""`backward(retain_graph=True)` keeps a graph that nothing uses again.

## What happens
The graph of every pass stays in memory until the last tensor that refers to it is gone: training needs more memory
and, where passes are linked by a hidden state, ever more memory and time. Where the state is what made
`backward()` raise "Trying to backward through the graph a second time", retaining only moves the error: after
`optimizer.step()` the old graph holds weights that have changed, and the next `backward()` raises "modified by an
inplace operation".

## What to write
`loss.backward()`. A state that is carried from one pass to the next wants `detach()`:
```python
hidden = hidden.detach()
output, hidden = rnn(x, hidden)
```

## Silent
- A second backward pass, or `torch.autograd.grad`, in the same pass of the loop: several losses, adversarial training.
- Code after it that may go backward and cannot be read.
- A hidden state carried on purpose, with the step after the inner loop (truncated backpropagation).
- A loss computed from a tensor with a graph that was made before the loop, or that a caller may have made.
- `create_graph=True`.

## Known limits
Only loops in view that also step an optimizer in every pass are judged.

## Sources
- `torch.Tensor.backward` in PyTorch's documentation: "in nearly all cases setting this option to True is not needed".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.lineage import Lineage, is_parameter
from flake8_torch_pitfalls.analysis.protocol import path, reachable
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    argument,
    constant,
    dotted,
    function_of,
    last_name,
    self_name,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"retain_graph"}

GOES_BACKWARD = re.compile(r"backward|grad|step|update|train|learn|optim|hess|jac", re.IGNORECASE)
"""Names of functions that may go backward once more."""
Loop = nodes.For | nodes.While


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward calls whose retained graph nothing can use."""
    lineage = Lineage(source.names)
    for run in source.runs.roots:
        for stop in run.events(Do.BACKWARD):
            backward = stop.event
            assert backward is not None
            if backward.node.root() is source.module and _retains(backward.node) and backward.loops():
                if _ends_in_step(run, stop) and not _is_used_later(source, lineage, run, stop):
                    if not _Origin(source, lineage, backward).is_outside():
                        called = f"{backward.node.func.as_string()}()"
                        yield Finding(
                            backward.node,
                            "'retain_graph=True' keeps the graph of every pass, and nothing uses it again; "
                            f"write '{called if len(called) < 40 else 'backward()'}'",
                        )


def _retains(call: nodes.Call) -> bool:
    retained = argument(call, 2 if last_name(getattr(call.func, "expr", None)) == "autograd" else 1, "retain_graph")
    return constant(retained) is True and constant(argument(call, None, "create_graph")) is not True


def _ends_in_step(run: Run, backward: Stop) -> bool:
    """Return whether each way to the next pass of the loop goes through a step of an optimizer."""
    again = path(run, backward, lambda event: event is backward.event, lambda event: False)
    unstepped = path(run, backward, lambda event: event is backward.event, lambda event: event.do is Do.STEP)
    return again is not None and unstepped is None


def _is_used_later(source: Source, lineage: Lineage, run: Run, backward: Stop) -> bool:
    """Return whether a backward pass further down, or code that may hold one, can use the graph."""
    first = backward.event
    assert first is not None
    for stop in reachable(run, backward, lambda event: event is first):
        event = stop.event
        if event is None or not first.order() < event.order():
            continue
        if event.do is Do.BACKWARD and not _are_apart(source, lineage, first, event):
            return True
        if event.do is Do.UNKNOWN and GOES_BACKWARD.search(last_name(getattr(event.node, "func", None)) or ""):
            return True
    judged = {stop.event.node for stop in run.events(Do.BACKWARD) if stop.event is not None}
    return any(
        last_name(call.func) in ("grad", "backward") and call.fromlineno > place.fromlineno and call not in judged
        for place in (first.node, *first.stack)
        for call in source.names.index_of(place).calls_in.get(function_of(place), ())
    )


def _are_apart(source: Source, lineage: Lineage, one: Event, other: Event) -> bool:
    """Return whether the losses of two backward passes surely have no part of their graphs in common."""
    if one.subject is None or other.subject is None or one.stack or other.stack:
        return False
    mine, theirs = lineage.sources(one.subject), lineage.sources(other.subject)
    if any(isinstance(key, tuple) for key in mine | theirs):
        return False  # attributes, which any method may have set
    loops = [loop.iter for loop in one.loops() if isinstance(loop, nodes.For)]
    data = frozenset[object]().union(*(lineage.sources(given) for given in loops))
    given = frozenset[nodes.NodeNG]().union(*(lineage.computed_by(given) for given in loops))
    parameters = [key for key in mine & theirs - data if isinstance(key, nodes.AssignName) and is_parameter(key)]
    computed = lineage.computed_by(one.subject) & lineage.computed_by(other.subject) - given
    return all(
        _is_owner_of_modules(source, lineage, parameter, one.subject, other.subject) for parameter in parameters
    ) and all(_is_without_graph(source, node) for node in computed if isinstance(node, (nodes.Call, nodes.BinOp)))


def _is_without_graph(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* computes a tensor without a graph, or a part of what makes one: ``torch.ones(len(x))``."""
    facts = [source.tensors.at(one) for one in (node, *ancestors(node)) if isinstance(one, nodes.Call)]
    return any(isinstance(fact, Tensor) and fact.graph is False for fact in facts)


def _is_owner_of_modules(
    source: Source, lineage: Lineage, definition: nodes.AssignName, *losses: nodes.NodeNG
) -> bool:
    """Return whether *definition* is ``self``, of which nothing but modules are called to compute *losses*."""
    function = definition.parent.parent
    calls = [
        call
        for loss in losses
        for call in lineage.computed_by(loss)
        if isinstance(call, nodes.Call) and (dotted(call.func) or "").startswith(f"{definition.name}.")
    ]
    return self_name(function) == definition.name and all(source.kinds.of(call.func, "module") for call in calls)


class _Origin:
    """Where the graph of a loss begins."""

    def __init__(self, source: Source, lineage: Lineage, backward: Event) -> None:
        self.source = source
        self.backward = backward
        self.loops = backward.loops()
        self.computed = lineage.computed_by(backward.subject) if backward.subject is not None else frozenset()
        given = [node for loop in self.loops if isinstance(loop, nodes.For) for node in lineage.computed_by(loop.iter)]
        self.data = frozenset(given)

    def is_outside(self) -> bool:
        """Return whether part of the graph may have been made before the loop, by this function or a caller."""
        return self.backward.subject is None or any(
            self._may_carry(node) for node in self.computed - self.data
        )

    def _may_carry(self, node: nodes.NodeNG) -> bool:
        match node:
            case nodes.Name() | nodes.Attribute() if _is_owner(node) or self._is_module(node):
                return False
            case nodes.Name():
                return any(self._is_unsure(definition) for definition in scopes.definitions(node, node.name))
            case nodes.Attribute():
                return self._is_tensor(node)
            case nodes.Call() | nodes.BinOp():
                return not self._runs_in_loop(node) and self._has_graph(node) is True
        return False

    def _is_unsure(self, definition: nodes.NodeNG) -> bool:
        """Return whether *definition* may give its variable a graph from before the loop."""
        if is_parameter(definition):
            return self._is_given_a_graph(definition)
        value = getattr(definition.parent, "value", None)
        if value is None or self._runs_in_loop(definition):
            return False
        return isinstance(value, (nodes.List, nodes.Dict, nodes.ListComp)) or self._has_graph(value) is True

    def _is_given_a_graph(self, parameter: nodes.AssignName) -> bool:
        """Return whether some caller, or one out of view, may pass *parameter* a tensor with a graph."""
        function = parameter.parent.parent
        values = self.source.names.known(parameter)
        if values and not any(self.source.kinds.is_kind(value, "tensor") for value in values):
            return False
        if not isinstance(function, nodes.FunctionDef):
            return True
        bound = isinstance(function.parent, nodes.ClassDef)
        given = [
            scopes.match_arguments(function, call, bound).get(parameter.name)
            for call in self.source.names.call_sites(function)
        ]
        return not given or any(node is not None and self._has_graph(node) is True for node in given)

    def _runs_in_loop(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* runs in each pass of the innermost loop, maybe in a function called there."""
        if function_of(node) is not function_of(self.loops[0]):
            return True
        return any(parent is self.loops[0] for parent in ancestors(node))

    def _has_graph(self, node: nodes.NodeNG) -> bool | None:
        fact = self.source.tensors.at(node)
        return fact.graph if isinstance(fact, Tensor) and not fact.leaf else None

    def _is_tensor(self, node: nodes.Attribute) -> bool:
        return any(self.source.kinds.is_kind(value, "tensor") for value in self.source.names.known(node))

    def _is_module(self, node: nodes.NodeNG) -> bool:
        return self.source.kinds.of(node, "module") is True


def _is_owner(node: nodes.NodeNG) -> bool:
    """Return whether *node* is an object one of whose parts is called, and no tensor: ``self`` of ``self.net(x)``."""
    attribute = node.parent
    if not isinstance(attribute, nodes.Attribute):
        return False
    if not isinstance(attribute.parent, nodes.Call) or attribute.parent.func is not attribute:
        return True  # the attribute itself is looked at
    return torch_model.member("torch.Tensor", attribute.attrname) is None
