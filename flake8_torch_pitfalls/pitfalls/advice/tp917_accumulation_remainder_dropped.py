"""The last, partial window of a gradient accumulation is never stepped.

## What happens
A step under `(i + 1) % k == 0` leaves out the last batches where their number is no multiple of k. Their gradients
are dropped when the next epoch clears them; where nothing does, they are added to the first window of the next epoch.
With a small data set and a large k that may be most of the data.

## What to write
```python
if (i + 1) % every == 0 or i + 1 == len(loader):
    optimizer.step()
    optimizer.zero_grad()
```

## Silent
- Any further way to step: an `or` in the test, a step after the loop.
- A counter that runs on over all epochs, so that a window may straddle two of them.
- A number of batches that is known, asserted or computed to be a multiple of k; an endless loader.
- A step that waits for no gradients: one of two losses that trains in every k-th pass only.

## Known limits
Whether the number of batches happens to be a multiple of k is not known: hence advice. Only `for` loops are judged.

## Sources
- "Automatic Mixed Precision examples", gradient accumulation, in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.accumulation import Accumulation, Window, accumulations, loop_of
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.events import Do
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    dotted,
    function_of,
    last_name,
    loops_around,
    target_text,
    text_of,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}

_ENDLESS = frozenset(("count", "cycle", "repeat", "iter"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the tests that leave out the last window."""
    reported: set[nodes.NodeNG] = set()
    for found in accumulations(source):
        window, loop = found.window, loop_of(found)
        if window is None or not isinstance(loop, nodes.For) or window.statement in reported:
            continue
        if window.statement.root() is source.module and _leaves_remainder(source, found, window, loop):
            reported.add(window.statement)
            yield Finding(
                window.statement,
                f"the last passes, fewer than '{text_of(found.every)}', are never stepped; "
                f"step '{text_of(found.step.subject)}' in the last pass, too",
            )


def _leaves_remainder(source: Source, found: Accumulation, window: Window, loop: nodes.For) -> bool:
    return (
        _counts_passes(window, loop)
        and not _may_come_out_even(source, found.every, loop)
        and not _steps_else(source, found, window)
    )


def _counts_passes(window: Window, loop: nodes.For) -> bool:
    """Return whether *window* counts from the start of *loop*, which runs once or starts the count anew."""
    if loop.root() is not window.counter.root():
        return False
    outer = loops_around(loop)
    names = [node for node in walk(window.counter) if isinstance(node, nodes.Name)]
    if any(_is_of_loop(name, around) for name in names for around in outer):
        return False
    if any(_is_of_loop(name, loop) for name in names):
        return True
    text = dotted(window.counter)
    if not outer:
        return isinstance(window.counter, nodes.Name)  # an attribute may count on in the next call
    return any(
        isinstance(statement, nodes.Assign) and any(target_text(target) == text for target in statement.targets)
        for statement in outer[0].body
    )


def _is_of_loop(name: nodes.Name, loop: nodes.For) -> bool:
    """Return whether *name* is bound by *loop*, or computed from what is."""
    for definition in scopes.definitions(name, name.name):
        if not isinstance(definition, nodes.AssignName):
            continue
        if definition.statement() is loop:
            return True
        value = getattr(definition.parent, "value", None)
        if isinstance(definition.parent, nodes.Assign) and loop in loops_around(definition):
            if any(one.statement() is loop for inner in walk(value) if isinstance(inner, nodes.Name)
                   for one in scopes.definitions(inner, inner.name)):  # fmt: skip
                return True
    return False


def _may_come_out_even(source: Source, window: nodes.NodeNG, loop: nodes.For) -> bool:
    """Return whether the text gives a reason why the last *window* passes are whole, or there are no last ones."""
    every = text_of(window)
    if any(isinstance(node, nodes.Call) and last_name(node.func) in _ENDLESS for node in walk(loop.iter)):
        return True
    if every.rpartition(".")[2] in loop.iter.as_string():
        return True
    tests = source.names.index_of(loop).within(function_of(loop), nodes.BinOp)
    if any(node.op == "%" and node.right.as_string() == every and "len" in node.left.as_string() for node in tests):
        return True
    if isinstance(loop.iter, nodes.Call) and last_name(loop.iter.func) == "range" and len(loop.iter.args) == 1:
        passes = constants(source.names, loop.iter.args[0])
        sizes = constants(source.names, window)
        if passes is not None and sizes is not None:
            return all(
                isinstance(many, int) and isinstance(size, int) and size > 0 and many % size == 0
                for many in passes
                for size in sizes
            )
    return False


def _steps_else(source: Source, found: Accumulation, window: Window) -> bool:
    """Return whether the optimizer also steps at other times: an alternative in the test, or another step."""
    if any(isinstance(node, nodes.BoolOp) and node.op == "or" for node in _test_parts(window.test)):
        return True
    others = (stop.event for stop in found.run.events(Do.STEP))
    return any(
        other is not None and other.node is not found.step.node and optimizers.touches(source.names, other, found.step)
        for other in others
    )


def _test_parts(test: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the parts of *test*, also of the variables that it reads; a negated ``and`` is an ``or``."""
    for node in walk(test):
        yield node
        if isinstance(node, nodes.Name):
            for definition in scopes.definitions(node, node.name):
                if isinstance(definition.parent, nodes.Assign):
                    yield from walk(definition.parent.value)
