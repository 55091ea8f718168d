"""Gradients are clipped before `backward()` makes them, or after `step()` has used them.

## What happens
Clipping changes the gradients that are there when it is called. Before `backward()` there are none, or those of the
iteration before, which are cleared or were used already. After `optimizer.step()` the parameters have moved by
the full gradients. Either way nothing is clipped, and no error is raised.

## What to write
```python
loss.backward()
torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
optimizer.step()
```

## Silent
- Clipping between `backward()` and `step()`, also under a condition, in a helper, or for each of several losses.
- A loop that clips and steps at its top for the backward pass of the iteration before.
- An infinite limit, which only measures the norm.
- Clipping the gradients of a module that another optimizer steps.
- Code before the clipping that cannot be read and may go backward itself.

## Known limits
With several optimizers, clipping is judged only where it is known which of them holds the clipped parameters.

## Sources
- `torch.nn.utils.clip_grad_norm_` and "Automatic Mixed Precision examples" in PyTorch's documentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers
from flake8_torch_pitfalls.analysis.events import CLIPPERS, Do, Event, Run, Stop, is_unreadable
from flake8_torch_pitfalls.analysis.protocol import Test, path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, function_of, last_name, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = set(CLIPPERS)

GOES_BACKWARD = re.compile(r"backward|step|train|update|grad|learn|fit|scal|optim", re.IGNORECASE)
"""Names of functions that may go backward though their result is used."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the clippings whose work no step uses."""
    for run in source.runs.roots:
        steps = [stop.event for stop in run.events(Do.STEP) if stop.event and stop.event.subject is not None]
        for clip in run.events(Do.CLIP) if steps else ():
            assert clip.event is not None
            if clip.event.node.root() is not source.module or _only_measures(source, clip.event):
                continue
            message = _Question(source, run, clip, steps).answer()
            if message is not None:
                yield Finding(clip.event.node, message)


def _only_measures(source: Source, clip: Event) -> bool:
    """Return whether the limit of *clip* is infinite."""
    limit = argument(clip.node, 1, "max_norm")
    return limit is not None and (
        source.names.symbol(limit) in ("math.inf", "numpy.inf", "torch.inf") or "inf" in limit.as_string().lower()
    )


class _Question:
    """Whether the gradients that one clipping changes are made before it, and used after it."""

    def __init__(self, source: Source, run: Run, clip: Stop, steps: list[Event]) -> None:
        assert clip.event is not None
        self.source = source
        self.run = run
        self.stop = clip
        self.clip: Event = clip.event
        self.step = self._step_of(steps)

    def answer(self) -> str | None:
        """Return what is wrong with the order, None if nothing is known to be."""
        if self.step is None or self._finds_gradients() or self._is_used():
            return None
        backward = self._backward_of_step()
        if backward is None:
            return None
        called, optimizer = last_name(self.clip.node.func), text_of(self.step.subject)
        pass_ = f"{backward.node.func.as_string()}()"
        pass_ = pass_ if len(pass_) < 40 else "backward()"
        if self.step.order() < self.clip.order():
            return f"'{called}' runs after '{optimizer}.step()', which has used the gradients; clip before the step"
        return f"'{called}' runs before '{pass_}' makes the gradients; clip between it and '{optimizer}.step()'"

    def _step_of(self, steps: list[Event]) -> Event | None:
        """Return the step that the clipping is meant for: of its iteration, and of the optimizer that holds it."""
        names, kinds = self.source.names, self.source.kinds
        mine = [step for step in steps if optimizers.clears(names, kinds, self.clip, step) is True]
        if not mine:
            mine = [step for step in steps if optimizers.clears(names, kinds, self.clip, step) is None]
            if len({text_of(step.subject) for step in steps}) > 1:
                return None
        around = self.clip.loops()
        mine = [step for step in mine if step.loops() == around]
        return mine[0] if mine else None

    def _is_mine(self, event: Event) -> bool:
        """Return whether *event*, a step or a clearing, is of the same optimizer."""
        assert self.step is not None
        names = self.source.names
        if event.do is Do.STEP:
            return event.subject is None or optimizers.same(names, event.subject, self.step.subject) is not False
        return optimizers.clears(names, self.source.kinds, event, self.step) is not False

    def _ends_gradients(self, event: Event) -> bool:
        """Return whether after *event* the gradients are used up or gone."""
        return event.do in (Do.STEP, Do.CLEAR) and self._is_mine(event)

    def _finds_gradients(self) -> bool:
        """Return whether some backward pass may come before the clipping, with nothing between that ends its work."""
        return self._hides_backward() or any(
            stop.event is not None
            and _may_go_backward(stop.event)
            and path(self.run, stop, self._is_clip, self._ends_gradients) is not None
            for stop in self.run.events(Do.BACKWARD, Do.UNKNOWN)
        )

    def _hides_backward(self) -> bool:
        """Return whether a function that cannot be read is called for its effect before the clipping."""
        events = {event.node for event in self._events()}
        return any(
            isinstance(call.parent, nodes.Expr)
            and call.fromlineno < place.fromlineno
            and call not in events
            and (isinstance(call.func, nodes.Name) or "backward" in (last_name(call.func) or ""))
            and is_unreadable(self.source.names, call)
            for place in (self.clip.node, *self.clip.stack)
            for call in self.source.names.index_of(place).calls_in.get(function_of(place), ())
        )

    def _events(self) -> Iterator[Event]:
        return (stop.event for stop in self.run.events() if stop.event is not None)

    def _is_used(self) -> bool:
        """Return whether a step may use what the clipping leaves, before more is added or all is cleared."""

        def uses(event: Event) -> bool:
            return event.do is Do.STEP and self._is_mine(event)

        def ends(event: Event) -> bool:
            return event.do is Do.BACKWARD or event.do is Do.CLEAR and self._is_mine(event)

        return path(self.run, self.stop, uses, ends) is not None

    def _backward_of_step(self) -> Event | None:
        """Return the backward pass of the iteration, if the step follows it and the clipping stands outside the two."""
        step = self.step
        assert step is not None
        around = step.loops()
        for stop in self.run.events(Do.BACKWARD):
            event = stop.event
            if event is None or not event.order() < step.order():
                continue
            if event.order() < self.clip.order() < step.order() or not _runs_in(event, around):
                continue
            if path(self.run, stop, lambda other: other is step, self._ends_before(step)) is not None:
                return event
        return None

    def _ends_before(self, step: Event) -> Test:
        return lambda event: event is not step and self._ends_gradients(event)

    def _is_clip(self, event: Event) -> bool:
        return event is self.clip


def _may_go_backward(event: Event) -> bool:
    if event.do is Do.BACKWARD:
        return True
    name = last_name(getattr(event.node, "func", None)) or ""
    return isinstance(event.node.parent, nodes.Expr) or GOES_BACKWARD.search(name) is not None


def _runs_in(event: Event, loops: list[nodes.For | nodes.While]) -> bool:
    """Return whether *event* runs in each pass of the innermost of *loops*, maybe in loops of its own."""
    return not loops or loops[0] in event.loops()
