"""Gradients are accumulated over several batches, but the loss is not divided by their number.

## What happens
`backward()` adds to `p.grad`. A step taken in every k-th pass therefore sees the sum of k gradients, where one large
batch would give their mean: the update is k times too large for the learning rate, or clipping cuts it down to a
direction. Adam hides most of it, until weight decay, clipping or a change of k brings it back. No error is raised.

## What to write
```python
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x), y) / every
    loss.backward()
    if (i + 1) % every == 0:
        optimizer.step()
        optimizer.zero_grad()
```

## Silent
- A loss that is divided or multiplied by anything on its way: `loss / k`, `loss = loss * (1 / k)`, in a helper too.
- `reduction="sum"`, `.sum()`, and losses that are sums over the steps of an episode.
- Gradients that are divided before the step, a learning rate that is divided by k.
- Gradients cleared in every pass, so that nothing accumulates; two losses of which one trains every k-th pass only.
- Frameworks that divide by themselves, such as Accelerate; `k` of one.

## Known limits
A loss function that cannot be read counts as a mean, as torch's own are by default. Known windows are `i % k == 0`,
a counter that starts anew, and a loop over the parts of a batch: `chunk(k)`, or `range(k)` where k names it.

## Sources
- "Automatic Mixed Precision examples" in PyTorch's documentation: `loss = loss / iters_to_accumulate`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.accumulation import Accumulation, accumulations, rescales_gradients
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.lineage import Lineage, given_to, handed_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import is_open, last_name, text_of, walk
from flake8_torch_pitfalls.analysis.values import Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}

_SCALING = frozenset("div div_ mul mul_ true_divide true_divide_ divide divide_ multiply multiply_ sum nansum".split())
"""Methods and functions that scale a loss, or make it a sum."""
_JOINING = frozenset(("cat", "concat", "concatenate", "stack", "vstack"))
_DEEPEST = 6


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward passes whose gradients are summed where their mean is meant."""
    reported: set[nodes.NodeNG] = set()
    for found in accumulations(source):
        node = found.backward.node
        if node.root() is source.module and node not in reported and not _is_allowed_for(source, found):
            if not _is_of_whole_batch(source, found) and not _Loss(source, found).is_scaled():
                reported.add(node)
                yield Finding(node, _message(found))


def _message(found: Accumulation) -> str:
    every, loss = text_of(found.every), text_of(found.backward.subject)
    loss = loss if loss.replace(".", "").isidentifier() else "loss"
    return f"gradients of '{every}' passes are summed, not averaged; back-propagate '{loss} / {every}'"


def _is_allowed_for(source: Source, found: Accumulation) -> bool:
    """Return whether gradients or the learning rate are divided instead of the loss."""
    for module in {found.backward.node.root(), found.step.node.root()}:
        if rescales_gradients(source.names.index_of(module)):
            return True
    every = text_of(found.every).rpartition(".")[2]
    return any(
        isinstance(node, nodes.BinOp) and every in node.as_string()
        for call in found.step.made
        for node in walk(call)
    )


def _is_of_whole_batch(source: Source, found: Accumulation) -> bool:
    """Return whether each part of a batch is joined to the others before its loss: gradients of parts then add up."""
    if found.window is not None:
        return False
    computed = Lineage(source.names).computed_along(found.backward.subject, found.backward.stack)
    return any(isinstance(node, nodes.Call) and last_name(node.func) in _JOINING for node in computed)


class _Loss:
    """How the loss that is accumulated is made."""

    def __init__(self, source: Source, found: Accumulation) -> None:
        self.source = source
        self.names = source.names
        self.backward = found.backward
        self.seen: set[nodes.NodeNG] = set()

    def is_scaled(self) -> bool:
        """Return whether the loss may be divided or be a sum, or is not known to be computed at all."""
        call = self.backward.node
        if self.backward.subject is None or call.args or any(
            keyword.arg not in ("retain_graph", "create_graph") for keyword in call.keywords or ()
        ):
            return True
        return self._scaled(self.backward.subject, self.backward.stack, 0)

    def _scaled(self, node: nodes.NodeNG, stack: tuple[nodes.Call, ...], depth: int) -> bool:
        """Return whether *node*, in the function that *stack* leads to, may be scaled."""
        if node in self.seen:
            return False
        self.seen.add(node)
        if depth > _DEEPEST:
            return True
        match node:
            case nodes.BinOp(op=("+" | "-")):
                return self._scaled(node.left, stack, depth) and self._scaled(node.right, stack, depth)
            case nodes.BinOp():
                return True
            case nodes.UnaryOp():
                return self._scaled(node.operand, stack, depth)
            case nodes.IfExp():
                return self._scaled(node.body, stack, depth) or self._scaled(node.orelse, stack, depth)
            case nodes.Name():
                return self._variable_scaled(node, stack, depth)
            case nodes.Attribute():
                return self._scaled(node.expr, stack, depth)
            case nodes.Subscript():
                return self._scaled(node.value, stack, depth)
            case nodes.Call():
                return self._call_scaled(node, stack, depth)
            case nodes.Await():
                return self._scaled(node.value, stack, depth)
        return True  # also a constant, from which a sum starts

    def _variable_scaled(self, name: nodes.Name, stack: tuple[nodes.Call, ...], depth: int) -> bool:
        found = scopes.definitions(name, name.name)
        return not found or any(self._definition_scaled(definition, stack, depth) for definition in found)

    def _definition_scaled(self, definition: nodes.NodeNG, stack: tuple[nodes.Call, ...], depth: int) -> bool:
        statement = definition.parent
        if isinstance(statement, nodes.AugAssign):
            if statement.op not in ("+=", "-="):
                return True
            earlier = [one for one in scopes.definitions(statement, definition.name) if one is not definition]
            return self._scaled(statement.value, stack, depth + 1) and any(
                self._definition_scaled(one, stack, depth + 1) for one in earlier if one not in self.seen
            )
        if is_parameter(definition):
            if not stack:
                return True
            given = handed_to(definition, stack[-1])
            return given is None or self._scaled(given, stack[:-1], depth + 1)
        values = list(given_to(definition))
        if len(values) == 1 and isinstance(values[0], nodes.Call) and isinstance(statement, nodes.Tuple):
            return self._call_scaled(values[0], stack, depth + 1, statement.elts.index(definition))
        return not values or any(self._scaled(value, stack, depth + 1) for value in values)

    def _call_scaled(
        self, call: nodes.Call, stack: tuple[nodes.Call, ...], depth: int, item: int | None = None
    ) -> bool:
        """Return whether what *call* returns, or its *item*, may be scaled."""
        name = last_name(call.func)
        if name in _SCALING:
            return not _sums_up_parts(call)
        handed = [given for given in call.args if "loss" in (last_name(given) or "").lower() or name == "cast"]
        if name in ("scale_loss", "scale", "cast") and handed:
            return self._scaled(handed[-1], stack, depth + 1)
        if self._is_sum(call):
            return True
        functions = self.names.callee(call)
        if functions:
            returned = [
                statement.value
                for function in functions
                for statement in self.names.index_of(function.node).returns.get(function.node, ())
                if statement.value is not None
            ]
            if item is not None:
                returned = [
                    value.elts[item] if isinstance(value, nodes.Tuple) and len(value.elts) > item else value
                    for value in returned
                ]
            return not returned or any(self._scaled(value, (*stack, call), depth + 1) for value in returned)
        if isinstance(call.func, nodes.Attribute) and self.source.kinds.of(call.func.expr, "tensor"):
            return self._scaled(call.func.expr, stack, depth + 1)  # loss.mean(), loss.float()
        return any(self._scaled(given, stack, depth + 1) for given in handed)

    def _is_sum(self, call: nodes.Call) -> bool:
        """Return whether *call* is one of torch's losses with a reduction other than the mean, or an unknown one."""
        for value in self.names.values(call.func):
            match value:
                case Symbol(symbol):
                    given = None if is_open(call) else arguments(call, symbol)
                case Instance(str() as symbol, nodes.Call() as made):
                    given = None if is_open(made) else arguments(made, symbol)
                case _:
                    continue
            if given is None or "size_average" in given or "reduce" in given:
                return True
            if "reduction" in given and constants(self.names, given["reduction"]) not in ({"mean"}, {"none"}):
                return True
        return False


def _sums_up_parts(call: nodes.Call) -> bool:
    """Return whether *call* adds up the losses of a dictionary: ``sum(losses.values())``."""
    return isinstance(call.func, nodes.Name) and any(
        isinstance(node, nodes.Call) and last_name(node.func) == "values" for node in walk(call)
    )
