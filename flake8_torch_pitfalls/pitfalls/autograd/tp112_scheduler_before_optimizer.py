"""The learning rate scheduler steps before the optimizer has taken its first step.

## What happens
A scheduler sets the first learning rate when it is created; each `scheduler.step()` moves on to the next one. Called
before `optimizer.step()` it skips the first value of the schedule, and every later one comes a step too early.
PyTorch warns once: "Detected call of `lr_scheduler.step()` before `optimizer.step()`".

## What to write
```python
for epoch in range(epochs):
    for x, y in loader:
        ...
        optimizer.step()
    scheduler.step()
```

## Silent
- Stepping after the batch loop, or after the optimizer within the batch.
- `ReduceLROnPlateau`, and a scheduler that is told the epoch: `scheduler.step(epoch)` sets that epoch's value.
- A call before the loop, on purpose: to resume, or to warm up.
- A call that the first iterations skip (`if epoch > 0`).
- `scheduler.last_epoch` set back by hand.
- A class of one's own whose `step()` computes the learning rate of the update to come.
- A training function before it that cannot be read and is handed the optimizer.

## Known limits
Schedulers that are not torch's, or whose class is not in view, are left alone, since many are meant to be called
first; so is an optimizer that is stepped only in code that cannot be read.

## Sources
- "How to adjust learning rate" in the documentation of `torch.optim`: since PyTorch 1.1.0 the scheduler is expected
  to be called after the optimizer's update.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.events import Do, Event, Run
from flake8_torch_pitfalls.analysis.protocol import guards
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, function_of, last_name, loops_around, walk
from flake8_torch_pitfalls.analysis.values import Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"step"}
PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau"


def check(source: Source) -> Iterator[Finding]:
    """Yield the scheduler steps that come before the first optimizer step of the run."""
    for run in source.runs.roots:
        for schedule in _events(run, Do.SCHEDULE):
            if schedule.node.root() is not source.module or not _is_plain(source, schedule):
                continue
            step = _first_step(source, run, schedule)
            if step is not None and step.subject is not None:
                scheduler, optimizer = schedule.node.func.expr.as_string(), step.subject.as_string()
                yield Finding(
                    schedule.node,
                    f"'{scheduler}.step()' comes before the first '{optimizer}.step()' and skips the first "
                    "learning rate; call it after the optimizer",
                )


def _events(run: Run, *kinds: Do) -> Iterator[Event]:
    return (stop.event for stop in run.events(*kinds) if stop.event is not None)


def _is_plain(source: Source, schedule: Event) -> bool:
    """Return whether one of torch's schedulers moves on by one: not told the epoch, not waiting for a plateau."""
    call = schedule.node
    if schedule.detail or call.args or call.keywords or _is_set_back(source, schedule):
        return False
    return not any(
        source.names.is_a(value, PLATEAU) or _has_own_step(source, value)
        for value in source.names.known(schedule.subject)
    )


def _is_set_back(source: Source, schedule: Event) -> bool:
    """Return whether somebody writes ``scheduler.last_epoch``, so that the next step is the right one."""
    return any(
        last_name(target.expr) == last_name(schedule.subject)
        for target in source.names.index_of(schedule.node).stores.get("last_epoch", ())
    )


def _has_own_step(source: Source, scheduler: Value) -> bool:
    """Return whether *scheduler* is of a class of the project that decides by itself what a step does."""
    if not isinstance(scheduler, Instance) or not isinstance(scheduler.cls, nodes.ClassDef):
        return False
    return source.names.method(scheduler.cls, "step") is not None


def _first_step(source: Source, run: Run, schedule: Event) -> Event | None:
    """Return the optimizer step that *schedule* precedes, None if a step may have come before."""
    mine = [
        event for event in _events(run, Do.STEP) if _is_scheduled(source, schedule, event) is not False
    ]  # fmt: skip
    place = schedule.order()
    if not mine or any(event.order() < place for event in mine):
        return None
    if any(
        event.order() < place and any(optimizers.touches(source.names, event, step) for step in mine)
        for event in _events(run, Do.UNKNOWN)
    ):
        return None
    around = [loop for loop in schedule.loops() if not _is_over_schedulers(loop, schedule)]
    if not around:
        return mine[0] if _is_amid_update(run, schedule, mine[0]) else None
    step = next((event for event in mine if around[0] in event.loops()), None)
    if step is None:
        return None
    shared = set(guards(step))
    own = [condition for condition in guards(schedule) if condition not in shared]
    asked = {(test.as_string(), taken, frame) for test, taken, frame in shared if _is_settled(test, around[0])}
    inside = [
        test for test, taken, frame in own
        if _stands_in(test, around[0]) and (test.as_string(), taken, frame) not in asked
    ]  # fmt: skip
    return None if any(_changes_in(loop, test) for loop in around for test in inside) else step


def _is_over_schedulers(loop: nodes.For | nodes.While, schedule: Event) -> bool:
    """Return whether *loop* goes over schedulers: ``for scheduler in schedulers: scheduler.step()``."""
    subject = schedule.subject
    return isinstance(loop, nodes.For) and isinstance(subject, nodes.Name) and any(
        definition.statement() is loop for definition in scopes.definitions(subject, subject.name)
    )


def _is_scheduled(source: Source, schedule: Event, step: Event) -> bool | None:
    """Return whether the scheduler drives the optimizer that takes *step*."""
    answers = set()
    for call in schedule.made:
        optimizer = argument(call, 0, "optimizer") if isinstance(call, nodes.Call) else None
        if optimizer is None or step.subject is None:
            return None
        answers.add(optimizers.same(source.names, optimizer, step.subject))
    return answers.pop() if len(answers) == 1 else None


def _is_amid_update(run: Run, schedule: Event, step: Event) -> bool:
    """Return whether, in a function called for each update, *schedule* stands between backward and *step*."""
    if step.stack != schedule.stack or step.loops() or not isinstance(run.root, nodes.FunctionDef):
        return False
    return any(
        event.stack == step.stack and event.order() < schedule.order() for event in _events(run, Do.BACKWARD)
    )


def _is_settled(test: nodes.NodeNG, loop: nodes.For | nodes.While) -> bool:
    """Return whether *test* comes out the same all through one pass of *loop*."""
    assigned = {name.name for name in loop.nodes_of_class(nodes.AssignName) if name.statement() is not loop}
    return not any(
        isinstance(node, nodes.Call) or (isinstance(node, nodes.Name) and node.name in assigned) for node in walk(test)
    )


def _stands_in(test: nodes.NodeNG, loop: nodes.For | nodes.While) -> bool:
    """Return whether *test*, which guards a call that runs in *loop*, is asked anew in each pass of it."""
    return loop in loops_around(test) or function_of(test) is not function_of(loop)


def _changes_in(loop: nodes.For | nodes.While, test: nodes.NodeNG) -> bool:
    """Return whether *test* may come out differently from one pass of *loop* to the next."""
    changing = {name.name for name in loop.nodes_of_class(nodes.AssignName)}
    return any(
        (isinstance(node, nodes.Name) and node.name in changing)
        or isinstance(node, (nodes.BinOp, nodes.Call))
        or (isinstance(node, nodes.Compare) and node.ops[0][0] in ("<", "<=", ">", ">=", "!="))
        for node in walk(test)
    )
