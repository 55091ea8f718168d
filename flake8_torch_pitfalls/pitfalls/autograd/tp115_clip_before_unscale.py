"""Gradients are clipped while they are still multiplied by the loss scale.

## What happens
`scaler.scale(loss).backward()` leaves gradients that are some 65536 times too large. `clip_grad_norm_` with a limit
of 1.0 then shrinks all of them to that norm, and `scaler.step()` divides by the scale: the update that remains is
about 65536 times smaller than the clipped one should be. The model hardly learns, and no error is raised. The norm
that clipping returns is wrong by the same factor.

## What to write
```python
scaler.scale(loss).backward()
scaler.unscale_(optimizer)
torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
scaler.step(optimizer)
scaler.update()
```
`scaler.step()` knows that the gradients are unscaled already.

## Silent
- `unscale_` before clipping, also under a condition, or in a helper.
- A scaler made with `enabled=False`.
- Scalers of other libraries (apex), frameworks that unscale by themselves (Accelerate).
- Code that divides by `scaler.get_scale()` itself, or multiplies the limit by it.
- A scaler or optimizer handed to code in between that cannot be read.

## Known limits
With several optimizers, any `unscale_` on the way counts as the right one. A norm that is read without clipping is
not seen.

## Sources
- "Automatic Mixed Precision examples" in PyTorch's documentation: gradient clipping.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.protocol import path
from flake8_torch_pitfalls.analysis.scalers import may_use, scaler_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import function_of, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"scale"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the clippings that a scaled backward pass reaches before any ``unscale_``."""
    for run in source.runs.roots:
        for clip in run.events(Do.CLIP):
            assert clip.event is not None
            if clip.event.node.root() is not source.module or _is_unscaled(run, clip) or _by_hand(source, clip.event):
                continue
            step = _scaled_step(source, run, clip)
            if step is not None and _is_scaled(source, run, clip, step):
                yield Finding(clip.event.node, _message(clip.event, step))


def _message(clip: Event, step: Event) -> str:
    scaler = step.node.func.expr.as_string()
    optimizer = "optimizer" if step.subject is None else step.subject.as_string()
    return (
        f"'{last_name(clip.node.func)}' sees gradients that '{scaler}' has scaled; "
        f"call '{scaler}.unscale_({optimizer})' before it"
    )


def _is_unscaled(run: Run, clip: Stop) -> bool:
    """Return whether some path unscales the gradients that *clip* finds."""
    return any(
        path(run, unscale, lambda event: event is clip.event, lambda event: event.do in (Do.STEP, Do.BACKWARD))
        for unscale in run.events(Do.UNSCALE)
    )


def _scaled_step(source: Source, run: Run, clip: Stop) -> Event | None:
    """Return the step through a scaler that uses what *clip* has clipped."""

    def uses(event: Event) -> bool:
        return event.do is Do.STEP and scaler_of(source.names, source.kinds, event) is not None

    found = path(run, clip, uses, lambda event: event.do is Do.BACKWARD)
    return None if found is None else found.event


def _is_scaled(source: Source, run: Run, clip: Stop, step: Event) -> bool:
    """Return whether *clip* follows a scaled backward pass, with nothing between that may unscale."""

    def ends(event: Event) -> bool:
        return event.do in (Do.STEP, Do.UPDATE) or may_use(source.names, event, step.node.func.expr, step.subject)

    return any(
        backward.event is not None
        and scaler_of(source.names, source.kinds, backward.event) is not None
        and path(run, backward, lambda event: event is clip.event, ends) is not None
        and not _unscales_otherwise(run, backward, clip)
        for backward in run.events(Do.BACKWARD)
    )


def _unscales_otherwise(run: Run, backward: Stop, clip: Stop) -> bool:
    """Return whether another branch than that of *clip* unscales: this one may be for runs without a scaler."""

    def ends(event: Event) -> bool:
        return event.do in (Do.STEP, Do.BACKWARD)

    return any(
        path(run, backward, lambda event: event is unscale.event, ends) is not None
        and path(run, clip, lambda event: event is unscale.event, ends) is None
        for unscale in run.events(Do.UNSCALE)
    )


def _by_hand(source: Source, clip: Event) -> bool:
    """Return whether the function of *clip* computes with the scale: it may divide the gradients itself."""
    return any(
        isinstance(call.parent, (nodes.BinOp, nodes.Assign))
        for call in source.index.calls_in.get(function_of(clip.node), ())
        if last_name(call.func) == "get_scale"
    )
