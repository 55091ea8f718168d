"""A `GradScaler` is used out of order: a scaled loss and an unscaled step, or a step without its update.

## What happens
`scaler.scale(loss)` returns the loss times the scale (65536 at first); `scaler.step(optimizer)` divides the gradients
by it, skips the step if they overflowed, and `scaler.update()` adapts the scale. Each part needs the others:

- `scaler.scale(loss).backward()` and then `optimizer.step()`: the update is 65536 times too large.
- `loss.backward()` and then `scaler.step(optimizer)`: the update is 65536 times too small, or, if nothing was ever
  scaled, an `AssertionError`.
- `scaler.scale(loss)` as a statement: the scaled loss is dropped, `loss` stays as it was.
- No `scaler.update()`: the next `scaler.step()` raises `RuntimeError`, and the scale never adapts.
- `scaler.update()` before `scaler.step()`: `AssertionError`, "No inf checks were recorded prior to update".

## What to write
```python
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
```

## Silent
- Several optimizers, each stepped by the scaler, with one update at the end.
- `scaler.unscale_(optimizer)` followed by `optimizer.step()`: the gradients are right.
- Accumulation that steps and updates under one condition, branches with and without a scaler.
- A scaler made with `enabled=False`, scalers of other libraries, wrappers whose own `step` knows the scaler.
- A step whose update may be made by a caller, or by code that is handed the scaler and cannot be read.

## Known limits
An update on some paths only counts as an update. The five kinds are told by the message, not by the code.

## Sources
- `torch.amp.GradScaler` and "Automatic Mixed Precision examples" in PyTorch's documentation.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop, scaling_of
from flake8_torch_pitfalls.analysis.protocol import Test, path, reachable
from flake8_torch_pitfalls.analysis.scalers import may_use, scaler_of, scales
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"GradScaler", "scaler", "scale"}


def check(source: Source) -> Iterator[Finding]:
    """Yield what breaks the protocol of a scaler."""
    unused = list(_unused_scalings(source))
    yield from unused
    for run in source.runs.roots:
        question = _Question(source, run)
        yield from _here(source, question.findings())
        if not unused:
            yield from _here(source, question.unscaled_losses())


def _here(source: Source, found: Iterator[Finding]) -> Iterator[Finding]:
    return (finding for finding in found if finding.node.root() is source.module)


def _unused_scalings(source: Source) -> Iterator[Finding]:
    for call in source.index.calls.get("scale", ()):
        if isinstance(call.parent, nodes.Expr) and _is_scaling(source, call) and call.args:
            scaled = call.as_string()
            yield Finding(call, f"'{scaled}' only returns the scaled loss; write '{scaled}.backward()'")


def _is_scaling(source: Source, call: nodes.Call) -> bool:
    return isinstance(call.func, nodes.Attribute) and scales(source.names, source.kinds, call.func.expr)


@dataclasses.dataclass(frozen=True, slots=True)
class _Use:
    """An event that goes through a scaler."""

    stop: Stop
    event: Event
    scaler: nodes.NodeNG


class _Question:
    """How one run uses its scalers."""

    def __init__(self, source: Source, run: Run) -> None:
        self.source = source
        self.run = run
        self.backwards = self._uses(Do.BACKWARD)
        self.steps = self._uses(Do.STEP)
        self.updates = self._uses(Do.UPDATE)

    def _uses(self, kind: Do) -> list[_Use]:
        return [
            _Use(stop, stop.event, scaler)
            for stop in self.run.events(kind)
            if stop.event is not None
            and (scaler := scaler_of(self.source.names, self.source.kinds, stop.event)) is not None
        ]

    def findings(self) -> Iterator[Finding]:
        """Yield all that breaks the protocol, but for unscaled losses."""
        yield from self._plain_steps()
        yield from self._missing_updates()
        yield from self._early_updates()

    def _plain_steps(self) -> Iterator[Finding]:
        """Yield steps that an optimizer takes by itself on scaled gradients."""
        for backward in self.backwards:
            scaler = text_of(backward.scaler)
            if self._reaches(backward.stop, _is_scaled_step, Do.BACKWARD):
                continue
            for stop in reachable(self.run, backward.stop, self._unscales(backward.scaler)):
                if stop.event is not None and self._is_plain_step(stop.event):
                    optimizer = text_of(stop.event.subject)
                    yield Finding(
                        stop.event.node,
                        f"'{optimizer}.step()' takes gradients that '{scaler}' has scaled; "
                        f"write '{scaler}.step({optimizer})'",
                    )

    def unscaled_losses(self) -> Iterator[Finding]:
        """Yield backward passes without the scale whose gradients a scaler's step divides by it."""
        if self._scales_elsewhere():
            return
        for step in self.steps:
            if any(self._reaches(other.stop, _is(step.event), Do.STEP) for other in self.backwards):
                continue
            for stop in self.run.events(Do.BACKWARD):
                backward = stop.event
                if backward is None or backward.detail or optimizers.is_framework(backward):
                    continue
                if self._reaches(stop, _is(step.event), Do.BACKWARD, Do.CLEAR, Do.STEP):
                    yield Finding(backward.node, _unscaled(text_of(backward.node.func.expr), text_of(step.scaler)))

    def _missing_updates(self) -> Iterator[Finding]:
        """Yield steps of a scaler that is never updated."""
        for step in self.steps:
            if self._comes_again(step) and not self._may_be_updated(step):
                yield Finding(
                    step.event.node,
                    f"'{step.event.node.as_string()}' without '{text_of(step.scaler)}.update()': the next step raises; "
                    "update in each iteration",
                )

    def _early_updates(self) -> Iterator[Finding]:
        """Yield updates that come before the step of their iteration."""
        done = [use.stop for use in self.steps] + list(self.run.events(Do.UNSCALE))
        for update in self.updates:
            if any(self._reaches(stop, _is(update.event), Do.BACKWARD) for stop in done):
                continue
            late = path(self.run, update.stop, _is_scaled_step, lambda event: event.do is Do.BACKWARD)
            if late is None or late.event is None:
                continue
            if any(path(self.run, use.stop, _is(update.event), self._steps(use.scaler)) for use in self.backwards):
                yield Finding(
                    update.event.node,
                    f"'{text_of(update.scaler)}.update()' comes before '{late.event.node.as_string()}' and raises; "
                    "update after the step",
                )

    # -- what the run holds ------------------------------------------------------------------------

    def _reaches(self, start: Stop, goal: Test, *ends: Do) -> bool:
        return path(self.run, start, goal, lambda event: not goal(event) and event.do in ends) is not None

    def _is_plain_step(self, event: Event) -> bool:
        """Return whether one of torch's optimizers, as far as is known, steps by itself."""
        return event.do is Do.STEP and event.detail != "scaler" and not self.source.names.callee(event.node)

    def _unscales(self, scaler: nodes.NodeNG) -> Test:
        ends = (Do.BACKWARD, Do.UNSCALE, Do.CLEAR)
        return lambda event: event.do in ends or may_use(self.source.names, event, scaler)

    def _steps(self, scaler: nodes.NodeNG) -> Test:
        return lambda event: event.do in (Do.STEP, Do.UNSCALE) or may_use(self.source.names, event, scaler)

    def _scales_elsewhere(self) -> bool:
        """Return whether the file scales a loss that no backward call names: it may be any."""
        inside = {scaling_of(use.event.node.func.expr) for use in self.backwards}
        return any(
            call not in inside
            and getattr(call.parent, "attrname", None) != "backward"
            and self.source.kinds.of(getattr(call.func, "expr", None), "scaler") is not False
            for call in self.source.index.calls.get("scale", ())
        )

    # -- updates -----------------------------------------------------------------------------------

    def _comes_again(self, step: _Use) -> bool:
        """Return whether the same scaler surely steps again before anybody out of view could update it."""
        if self._loop(step) is not None:
            return True
        is_method = text_of(step.scaler).startswith("self.") and isinstance(self.run.root, nodes.FunctionDef)
        return is_method and not step.event.loops()

    def _loop(self, step: _Use) -> nodes.For | nodes.While | None:
        """Return the innermost loop that goes backward and steps one and the same optimizer."""
        backwards = [stop.event for stop in self.run.events(Do.BACKWARD) if stop.event is not None]
        trained = {loop for event in backwards for loop in event.loops()}
        around = [loop for loop in step.event.loops() if loop in trained]
        return next((loop for loop in around if not _gives(loop, step.event.subject)), None)

    def _may_be_updated(self, step: _Use) -> bool:
        """Return whether the scaler is updated after *step*, or somewhere else in the file, or out of view."""
        names, kinds = self.source.names, self.source.kinds
        loop = self._loop(step)
        for stop in reachable(self.run, step.stop, lambda event: False):
            event = stop.event
            if event is None or loop is not None and loop not in event.loops():
                continue
            if event.do is Do.UPDATE and optimizers.same(names, event.subject, step.scaler) is not False:
                return True
            if may_use(names, event, step.scaler):
                return True
        if loop is not None and isinstance(step.scaler, nodes.Name):
            return False  # all that reaches a variable is in view
        inside = {stop.event.node for stop in self.run.events(Do.UPDATE) if stop.event is not None}
        return any(
            isinstance(call.func, nodes.Attribute)
            and kinds.of(call.func.expr, "scaler") is True
            and optimizers.same(names, call.func.expr, step.scaler) is not False
            for call in names.index_of(step.event.node).calls.get("update", ())
            if call not in inside
        )


def _gives(loop: nodes.For | nodes.While, optimizer: nodes.NodeNG | None) -> bool:
    """Return whether *loop* goes over optimizers, of which *optimizer* is the one at hand."""
    return isinstance(loop, nodes.For) and optimizer is not None and any(
        definition.statement() is loop
        for node in walk(optimizer)
        if isinstance(node, nodes.Name)
        for definition in scopes.definitions(node, node.name)
    )


def _is(wanted: Event) -> Test:
    return lambda event: event is wanted


def _is_scaled_step(event: Event) -> bool:
    return event.do is Do.STEP and event.detail == "scaler"


def _unscaled(loss: str, scaler: str) -> str:
    return (
        f"'{loss}.backward()' lacks the scale that '{scaler}.step()' divides by; "
        f"write '{scaler}.scale({loss}).backward()'"
    )
