"""The loss is a sum over the batch, so the size of a step grows with the number of samples in it.

## What happens
With `reduction="sum"` gradients grow with the batch: twice the batch is twice the step at the same learning rate, and
the last, smaller batch of an epoch counts less. The learning rate holds for one batch size only.

## What to write
The mean, which is the default, or a division by the batch: `loss = criterion(output, target) / len(target)`.

## Silent
- Losses that are divided, averaged or weighted by a count before the backward pass, gradients that are divided.
- Sums that are only reported: `total += F.cross_entropy(output, y, reduction="sum").item()`.

## Known limits
A sum that is meant, as in a variational bound with a learning rate found for it, is reported too: hence advice.

## Sources
- `torch.nn.CrossEntropyLoss` in PyTorch's documentation: `reduction`.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.accumulation import rescales_gradients
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.events import Do
from flake8_torch_pitfalls.analysis.lineage import Lineage
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import is_open, last_name
from flake8_torch_pitfalls.analysis.values import Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"reduction"}

_DIVIDING = frozenset("div div_ true_divide divide divide_ mean mul mul_ multiply reciprocal".split())


def check(source: Source) -> Iterator[Finding]:
    """Yield the losses that are summed over a batch and back-propagated as they are."""
    if not _asks_for_sum(source) or rescales_gradients(source.index):
        return
    lineage = Lineage(source.names)
    reported: set[nodes.NodeNG] = set()
    for run in source.runs.roots:
        for stop in run.events(Do.BACKWARD):
            if stop.event is None or stop.event.subject is None:
                continue
            computed = _with_returned(
                source, lineage, lineage.computed_along(stop.event.subject, stop.event.stack)
            )
            divided = {
                part
                for node in computed
                if _divides(node)
                for part in _with_returned(source, lineage, lineage.computed_by(_whole(node)))
            }
            for node in _in_order(computed - divided):
                if isinstance(node, nodes.Call) and (made := _summed(source, node)) and made not in reported:
                    reported.add(made)
                    yield Finding(
                        made, "'reduction=\"sum\"' makes steps grow with the batch; average, or divide by its size"
                    )


def _asks_for_sum(source: Source) -> bool:
    return any(node.arg == "reduction" for node in source.index.of(nodes.Keyword))


def _with_returned(
    source: Source, lineage: Lineage, computed: Iterable[nodes.NodeNG]
) -> set[nodes.NodeNG]:
    """Return *computed* with what computes the results of the project's functions that are called there."""
    found = set(computed)
    for call in list(found):
        for function in source.names.callee(call) if isinstance(call, nodes.Call) else ():
            for statement in source.names.index_of(function.node).returns.get(function.node, ()):
                if statement.value is not None:
                    found |= lineage.computed_by(statement.value)
    return found


def _whole(division: nodes.NodeNG) -> nodes.NodeNG:
    return division.target if isinstance(division, nodes.AugAssign) else division


def _in_order(computed: Iterable[nodes.NodeNG]) -> list[nodes.NodeNG]:
    return sorted(computed, key=lambda node: (node.lineno or 0, node.col_offset or 0))


def _divides(node: nodes.NodeNG) -> bool:
    if isinstance(node, (nodes.BinOp, nodes.AugAssign)):
        return node.op in ("/", "/=")
    return isinstance(node, nodes.Call) and last_name(node.func) in _DIVIDING


def _summed(source: Source, call: nodes.Call) -> nodes.Call | None:
    """Return the call in the file that asks for the sum which *call* computes, None if it computes none."""
    for value in source.names.values(call.func):
        made, symbol = call, ""
        if isinstance(value, Instance) and isinstance(value.cls, str) and isinstance(value.made_at, nodes.Call):
            made, symbol = value.made_at, value.cls
        elif isinstance(value, Symbol):
            symbol = value.name
        if symbol.startswith("torch.nn.") and made.root() is source.module and not is_open(made):
            reduction = arguments(made, symbol).get("reduction")
            if reduction is not None and constants(source.names, reduction) == {"sum"}:
                return made
    return None
