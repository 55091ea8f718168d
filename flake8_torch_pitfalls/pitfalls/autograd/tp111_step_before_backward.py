"""The optimizer steps before `backward()` has run, on gradients that were just cleared.

## What happens
After `zero_grad()` there are no gradients until `backward()` makes some. A `step()` in between changes nothing (with
momentum or weight decay parameters drift), and what `backward()` computes after it is cleared at the start of the
next iteration. The model never learns, and no error is raised.

## What to write
```python
optimizer.zero_grad()
loss = criterion(model(x), y)
loss.backward()
optimizer.step()
```

The same holds where the gradients are cleared at the end of the iteration, after `backward()`.

## Silent
- A loop that steps at its top for the iteration before, and does not clear in between.
- A step that some path reaches with gradients of an earlier `backward()`.
- Code between the clearing and the step that is handed the optimizer, or a loss, and cannot be read.

## Known limits
A step before the first `backward()` with nothing cleared before it is left alone, unless TP101 reports it.

## Sources
- "Optimizing Model Parameters", PyTorch tutorials; `torch.optim` in PyTorch's documentation.
"""
from __future__ import annotations

import functools
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.graphs import argument_of
from flake8_torch_pitfalls.analysis.protocol import path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"zero_grad"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the steps that come after the clearing and before the backward pass of their iteration."""
    for run in source.runs.roots:
        for step in run.events(Do.STEP):
            assert step.event is not None
            if step.event.subject is None or step.event.node.root() is not source.module:
                continue
            backward = _late_backward(source, run, step)
            if backward is not None:
                optimizer, call = step.event.subject.as_string(), backward.node.func.as_string()
                call = f"{call}()" if len(call) < 40 else "backward()"
                yield Finding(
                    step.event.node,
                    f"'{optimizer}.step()' runs before '{call}', on cleared gradients; step after the backward pass",
                )


def _late_backward(source: Source, run: Run, step: Stop) -> Event | None:
    """Return the backward pass that comes too late for *step*, None if the step has gradients to use."""
    taken = step.event
    assert taken is not None
    around = taken.loops()
    late = [
        stop
        for stop in run.events(Do.BACKWARD)
        if stop.event is not None and stop.event.loops() == around and taken.order() < stop.event.order()
    ]
    if not late or late[0].event is None or not _loss_stands_before(late[0].event, taken):
        return None
    for clearing in run.events(Do.CLEAR):
        clear = clearing.event
        if clear is None or clear.loops() != around:
            continue
        if optimizers.clears(source.names, source.kinds, clear, taken) is not True:
            continue
        if not _starves(source, run, clearing, step, late[0]):
            continue
        if optimizers.never_sees_gradients(source.names, source.kinds, run, step):
            return late[0].event
    return None


def _starves(source: Source, run: Run, clearing: Stop, step: Stop, backward: Stop) -> bool:
    """Return whether *clearing* comes before *step*, or after *backward*: then the next pass finds nothing."""
    clear, taken, late = clearing.event, step.event, backward.event
    assert clear is not None and taken is not None and late is not None
    if clear.order() < taken.order():
        without = functools.partial(_may_go_backward, source, step=taken)
        return path(run, clearing, lambda event: event is taken, without) is not None
    if clear.order() > late.order():
        return path(run, backward, lambda event: event is clear, lambda event: event is taken) is not None
    return False


def _loss_stands_before(backward: Event, step: Event) -> bool:
    """Return whether the loss of *backward* is a variable that has its value before *step* comes."""
    if backward.subject is None:
        return False
    loss, frames = argument_of(backward.subject, backward.stack)
    if not isinstance(loss, nodes.Name) or step.stack[: len(frames)] != frames:
        return False
    way = (*step.stack, step.node)
    given = loss.frame().locals.get(loss.name, [])
    return any(node.fromlineno <= way[len(frames)].fromlineno for node in given)


def _may_go_backward(source: Source, event: Event, step: Event) -> bool:
    if event.do is Do.BACKWARD:
        return True
    if event.do is not Do.UNKNOWN:
        return False
    name = last_name(getattr(event.node, "func", None)) or ""
    return "backward" in name or optimizers.touches(source.names, event, step)
