"""Gradients are cleared after `backward()` and before the `step()` that should use them.

## What happens
`zero_grad()` drops what `backward()` has just computed. The step that follows finds no gradient: parameters do not
move (with momentum or weight decay they drift), and no error is raised.

With gradient accumulation the same happens where every batch clears but only each n-th steps: the gradients of all
batches but the last are dropped.

## What to write
```python
optimizer.zero_grad()
loss.backward()
optimizer.step()
```
When you accumulate, clear where you step, under the same condition.

## Silent
- Several optimizers, each cleared apart: clearing the discriminator's gradients before the generator's step.
- `zero_grad()` of a module whose parameters the stepped optimizer does not hold.
- Clearing on some paths only: a guard that drops gradients that are not finite.
- Code between the clearing and the step that cannot be read and may go backward itself.

## Known limits
`model.zero_grad()` is reported only where the optimizer's creation shows that it holds that model's parameters.
Clearing parameter by parameter (`p.grad = None`) is not reported.

## Sources
- `torch.optim.Optimizer.zero_grad` in PyTorch's documentation; "Optimizing Model Parameters", PyTorch tutorials.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.protocol import guards, path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant
from flake8_torch_pitfalls.finding import Finding

WORDS = {"zero_grad"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the clearings that come between a backward pass and the step meant to use it."""
    for run in source.runs.roots:
        clearings = [stop for stop in run.events(Do.CLEAR) if _is_reportable(source, stop.event)]
        for step in run.events(Do.STEP) if clearings else ():
            for clearing in clearings:
                assert clearing.event is not None and step.event is not None
                if _comes_between(source, run, clearing, step):
                    yield Finding(clearing.event.node, _message(clearing.event, step.event))
                elif _drops_batches(source, run, clearing.event, step):
                    yield Finding(clearing.event.node, _message_for_batches(clearing.event, step.event))


def _is_reportable(source: Source, clear: Event | None) -> bool:
    return clear is not None and clear.subject is not None and clear.node.root() is source.module


def _message(clear: Event, step: Event) -> str:
    assert clear.subject is not None and step.subject is not None
    cleared, stepped = clear.subject.as_string(), step.subject.as_string()
    return (
        f"'{cleared}.zero_grad()' drops the gradients that '{stepped}.step()' should use; "
        "call it before 'backward()' or after the step"
    )


def _message_for_batches(clear: Event, step: Event) -> str:
    assert clear.subject is not None and step.subject is not None
    cleared, stepped = clear.subject.as_string(), step.subject.as_string()
    return (
        f"'{cleared}.zero_grad()' in every pass drops what earlier passes accumulated for '{stepped}.step()'; "
        "clear where you step"
    )


def _comes_between(source: Source, run: Run, clearing: Stop, step: Stop) -> bool:
    clear, taken = clearing.event, step.event
    assert clear is not None and taken is not None
    if clear.loops() != taken.loops() or not clear.order() < taken.order():
        return False
    if optimizers.clears(source.names, source.kinds, clear, taken) is not True:
        return False
    if path(run, clearing, lambda event: event is taken, _may_go_backward) is None:
        return False
    return any(
        _comes_before(run, backward, clearing, step) for backward in run.events(Do.BACKWARD)
    ) and optimizers.never_sees_gradients(source.names, source.kinds, run, step)


def _comes_before(run: Run, backward: Stop, clearing: Stop, step: Stop) -> bool:
    """Return whether *backward* runs before *clearing* in the same pass, with no *step* between."""
    first, clear = backward.event, clearing.event
    assert first is not None and clear is not None
    around = clear.loops()
    same_pass = first.loops()[-len(around) :] == around if around else True
    if not same_pass or not first.order() < clear.order():
        return False
    return path(run, backward, lambda event: event is clear, lambda event: event is step.event) is not None


def _may_go_backward(event: Event) -> bool:
    return event.do in (Do.BACKWARD, Do.FORWARD, Do.UNKNOWN) or _puts_gradient(event)


def _puts_gradient(event: Event) -> bool:
    """Return whether the event is ``p.grad = g``: what was saved, or computed apart, is put back."""
    match event.node:
        case nodes.AssignAttr(parent=nodes.Assign(value=given)) | nodes.Call(args=[_, _, given]):
            return event.do is Do.CLEAR and constant(given) is not None
        case nodes.AssignAttr():
            return event.do is Do.CLEAR
    return False


def _drops_batches(source: Source, run: Run, clear: Event, step: Stop) -> bool:
    """Return whether every pass of a loop clears and goes backward, but only each n-th steps."""
    taken = step.event
    assert taken is not None
    if not clear.loops() or clear.loops() != taken.loops():
        return False
    if optimizers.clears(source.names, source.kinds, clear, taken) is not True:
        return False
    always = set(guards(clear))
    extra = [test for test, outcome, frame in guards(taken) if outcome and (test, outcome, frame) not in always]
    if len(extra) != 1 or not _is_modulus(extra[0]) or len(list(guards(taken))) != len(always) + 1:
        return False
    used = [backward for backward in run.events(Do.BACKWARD) if _is_used(run, backward, step)]
    return bool(used) and all(
        backward.event is not None
        and set(guards(backward.event)) == always
        and clear.order() < backward.event.order() < taken.order()
        for backward in used
    )


def _is_used(run: Run, backward: Stop, step: Stop) -> bool:
    """Return whether *step* may use the gradients of *backward*: nothing steps or clears in between."""
    found = path(
        run, backward, lambda event: event is step.event,
        lambda event: event.do is Do.CLEAR or (event.do is Do.STEP and event is not step.event),
    )  # fmt: skip
    return found is not None


def _is_modulus(test: nodes.NodeNG) -> bool:
    """Return whether *test* is true in each n-th pass: ``(i + 1) % n == 0``, also with an ``or`` for the last."""
    if isinstance(test, nodes.BoolOp) and test.op == "or":
        return any(_is_modulus(value) for value in test.values)
    return (
        isinstance(test, nodes.Compare)
        and test.ops[0][0] == "=="
        and isinstance(test.left, nodes.BinOp)
        and test.left.op == "%"
        and constant(test.left.right) != 1
    )
