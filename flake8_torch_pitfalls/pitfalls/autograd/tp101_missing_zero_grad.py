"""Gradients accumulate over iterations because nothing clears them.

## What happens
`backward()` adds to `p.grad`. Where no `zero_grad()` comes between one iteration's `step()` and the next
`backward()`, every step uses the sum of all gradients so far.

## What to write
`optimizer.zero_grad()` once per step: before `backward()`, or after `step()`.

## Silent
- Accumulation that clears where it steps.
- Clearing through the module, through `p.grad = None`, in a helper, in a closure, or by a framework.
- A single backward in a script.

## Known limits
Optimizers that are not torch's, and objects handed to code that cannot be read, are left alone.

## Sources
- "Zeroing out gradients in PyTorch", PyTorch recipes.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.events import Do, Event, Stop
from flake8_torch_pitfalls.analysis.protocol import path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}


def check(source: Source) -> Iterator[Finding]:
    for run in source.runs.roots:
        for step in run.events(Do.STEP):
            hit = path(run, step, lambda e: e.do is Do.BACKWARD, lambda e: e.do is Do.CLEAR)
            if hit is not None:
                yield Finding(hit.event.node, "zero_grad")
