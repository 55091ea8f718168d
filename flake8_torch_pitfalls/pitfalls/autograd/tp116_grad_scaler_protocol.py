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

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop, scaling_of
from flake8_torch_pitfalls.analysis.protocol import path, reachable
from flake8_torch_pitfalls.analysis.scalers import may_use, scaler_of, scales
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"GradScaler", "scaler", "scale"}


def check(source: Source) -> Iterator[Finding]:
    """Yield what breaks the protocol of a scaler."""
    unused = list(_unused_scalings(source))
    yield from unused
    for run in source.runs.roots:
        question = _Question(source, run)
        if not question.has_scaler():
            continue
        yield from _here(source, question.plain_steps())
        yield from _here(source, question.missing_updates())
        yield from _here(source, question.early_updates())
        if not unused:
            yield from _here(source, question.unscaled_backwards())


def _here(source: Source, found: Iterator[Finding]) -> Iterator[Finding]:
    return (finding for finding in found if finding.node.root() is source.module)


def _unused_scalings(source: Source) -> Iterator[Finding]:
    for call in source.index.calls.get("scale", ()):
        if isinstance(call.parent, nodes.Expr) and _is_scaling(source, call) and call.args:
            scaled = call.as_string()
            yield Finding(call, f"'{scaled}' only returns the scaled loss; write '{scaled}.backward()'")


def _is_scaling(source: Source, call: nodes.Call) -> bool:
    return isinstance(call.func, nodes.Attribute) and scales(source.names, source.kinds, call.func.expr)


class _Question:
    """How one run uses its scalers."""

    def __init__(self, source: Source, run: Run) -> None:
        self.source = source
        self.run = run

    def has_scaler(self) -> bool:
        """Return whether anything in the run goes through a scaler."""
        return any(self._scaler(event) is not None for event in self._events(Do.BACKWARD, Do.STEP, Do.UPDATE))

    def plain_steps(self) -> Iterator[Finding]:
        """Yield steps that an optimizer takes by itself on scaled gradients."""
        for backward in self._through_scaler(Do.BACKWARD):
            scaler = self._scaler(backward.event)
            if self._reaches(backward, self._is_scaled_step, Do.BACKWARD):
                continue
            for stop in reachable(self.run, backward, lambda event: self._may_unscale(event, scaler)):
                if self._is_plain_step(stop.event):
                    optimizer = text_of(stop.event and stop.event.subject)
                    yield Finding(
                        stop.event.node,
                        f"'{optimizer}.step()' takes gradients that '{text_of(scaler)}' has scaled; "
                        f"write '{text_of(scaler)}.step({optimizer})'",
                    )

    def unscaled_backwards(self) -> Iterator[Finding]:
        """Yield backward passes without the scale whose gradients a scaler's step divides by it."""
        if self._scales_elsewhere():
            return
        for step in self._through_scaler(Do.STEP):
            if any(self._reaches(other, lambda event: event is step.event, Do.STEP) for other in self._scaled()):
                continue
            for backward in self.run.events(Do.BACKWARD):
                event = backward.event
                if event.detail or optimizers.is_framework(event) or not isinstance(event.node.func, nodes.Attribute):
                    continue
                if self._reaches(backward, lambda other: other is step.event, Do.BACKWARD, Do.CLEAR, Do.STEP):
                    loss, scaler = text_of(event.node.func.expr), text_of(self._scaler(step.event))
                    yield Finding(
                        event.node,
                        f"'{loss}.backward()' lacks the scale that '{scaler}.step()' divides by; "
                        f"write '{scaler}.scale({loss}).backward()'",
                    )

    def missing_updates(self) -> Iterator[Finding]:
        """Yield steps of a scaler that is never updated."""
        for step in self._through_scaler(Do.STEP):
            scaler = self._scaler(step.event)
            if self._comes_again(step.event) and not self._may_be_updated(step, scaler):
                text = step.event.node.as_string()
                yield Finding(
                    step.event.node,
                    f"'{text}' without '{text_of(scaler)}.update()': the next step raises; update in each iteration",
                )

    def early_updates(self) -> Iterator[Finding]:
        """Yield updates that come before the step of their iteration."""
        for update in self._through_scaler(Do.UPDATE):
            scaler = self._scaler(update.event)
            if any(
                self._reaches(step, lambda event: event is update.event, Do.BACKWARD)
                for step in (*self._through_scaler(Do.STEP), *self.run.events(Do.UNSCALE))
            ):
                continue
            late = path(self.run, update, self._is_scaled_step, lambda event: event.do is Do.BACKWARD)
            if late is not None and any(
                path(self.run, backward, lambda event: event is update.event, lambda event: self._may_step(event, scaler))
                for backward in self._scaled()
            ):
                yield Finding(
                    update.event.node,
                    f"'{text_of(scaler)}.update()' comes before '{late.event.node.as_string()}' and raises; "
                    "update after the step",
                )

    # -- what the run holds ------------------------------------------------------------------------

    def _events(self, *kinds: Do) -> Iterator[Event]:
        return (stop.event for stop in self.run.events(*kinds) if stop.event is not None)

    def _scaler(self, event: Event) -> nodes.NodeNG | None:
        return scaler_of(self.source.names, self.source.kinds, event)

    def _through_scaler(self, kind: Do) -> Iterator[Stop]:
        return (stop for stop in self.run.events(kind) if self._scaler(stop.event) is not None)

    def _scaled(self) -> Iterator[Stop]:
        return self._through_scaler(Do.BACKWARD)

    def _reaches(self, start: Stop, goal, *ends: Do) -> bool:
        return path(self.run, start, goal, lambda event: not goal(event) and event.do in ends) is not None

    def _is_scaled_step(self, event: Event) -> bool:
        return event.do is Do.STEP and event.detail == "scaler"

    def _is_plain_step(self, event: Event | None) -> bool:
        """Return whether one of torch's optimizers, as far as is known, steps by itself."""
        if event is None or event.do is not Do.STEP or event.detail == "scaler":
            return False
        return not self.source.names.callee(event.node)

    def _may_unscale(self, event: Event, scaler: nodes.NodeNG | None) -> bool:
        return event.do in (Do.BACKWARD, Do.UNSCALE, Do.CLEAR) or may_use(self.source.names, event, scaler)

    def _may_step(self, event: Event, scaler: nodes.NodeNG | None) -> bool:
        return event.do in (Do.STEP, Do.UNSCALE) or may_use(self.source.names, event, scaler)

    def _scales_elsewhere(self) -> bool:
        """Return whether the file scales a loss that no backward call names: it may be any."""
        inside = {scaling_of(event.node.func.expr) for event in self._events(Do.BACKWARD) if event.detail == "scaled"}
        return any(
            call not in inside and self.source.kinds.of(getattr(call.func, "expr", None), "scaler") is not False
            for call in self.source.index.calls.get("scale", ())
        )

    # -- updates -----------------------------------------------------------------------------------

    def _comes_again(self, step: Event) -> bool:
        """Return whether the same scaler surely steps again before anybody out of view could update it."""
        around = step.loops()
        if any(loop in around for event in self._events(Do.BACKWARD) for loop in event.loops()):
            return True
        scaler = self._scaler(step)
        return text_of(scaler).startswith("self.") and not around and isinstance(self.run.root, nodes.FunctionDef)

    def _may_be_updated(self, step: Stop, scaler: nodes.NodeNG | None) -> bool:
        """Return whether the scaler is updated after *step*, or somewhere else in the file, or out of view."""
        names = self.source.names
        for stop in reachable(self.run, step, lambda event: False):
            event = stop.event
            if event is None:
                continue
            if event.do is Do.UPDATE and optimizers.same(names, event.subject, scaler) is not False:
                return True
            if may_use(names, event, scaler):
                return True
        inside = {event.node for event in self._events(Do.UPDATE)}
        elsewhere = [call for call in names.index_of(step.event.node).calls.get("update", ()) if call not in inside]
        return any(
            isinstance(call.func, nodes.Attribute) and self.source.kinds.of(call.func.expr, "scaler") is True
            for call in elsewhere
        )
