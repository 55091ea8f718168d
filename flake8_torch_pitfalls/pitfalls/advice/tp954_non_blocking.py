"""Pinned memory and `non_blocking=True` are of use together only, and one of them is missing.

## What happens
From a loader with `pin_memory=True`, `x.to(device)` still makes the CPU wait until the copy is done; only
`x.to(device, non_blocking=True)` goes on at once. The other way round, `non_blocking=True` cannot be kept for memory
that is not pinned: CUDA first copies it to a buffer while the CPU waits.

## What to write
`DataLoader(dataset, pin_memory=True)` and `x = x.to(device, non_blocking=True)`.

## Silent
- Both, or neither (TP953).
- `non_blocking` and `pin_memory` that a variable or option decides, and calls with `**kwargs`.
- Moves of other things than batches of a `DataLoader`, and outside training loops.

## Known limits
The first move of a batch in a loop is reported. Copies back to the CPU are TP405.

## Sources
- "A guide on good usage of `non_blocking` and `pin_memory()`", PyTorch tutorials. The gain cannot be seen without a
  GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import is_non_blocking
from flake8_torch_pitfalls.analysis.training import batches_moved
from flake8_torch_pitfalls.analysis.tree import argument, is_open, quoted
from flake8_torch_pitfalls.finding import Finding

WORDS = {"pin_memory", "non_blocking"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the first move of each training loop that has only one of the two."""
    reported = set()
    for moved in batches_moved(source):
        if moved.loop in reported or is_open(moved.node):
            continue
        name = quoted(moved.node.func.expr, "the batch")
        if is_non_blocking(moved.node) and moved.loader.lacks("pin_memory"):
            message = f"the memory of {name} is not pinned, so the copy blocks; set 'pin_memory=True' in the loader"
        elif _is_pinned(source, moved.loader) and _blocks(moved.node):
            message = f"{name} is pinned, and the copy still blocks; pass 'non_blocking=True'"
        else:
            continue
        reported.add(moved.loop)
        yield Finding(moved.node, message)


def _is_pinned(source: Source, loader: TorchCall) -> bool:
    given = loader.given.get("pin_memory")
    return given is not None and constants(source.names, given) == {True}


def _blocks(move: nodes.Call) -> bool:
    """Return whether *move* is given no word on blocking, as keyword or by position."""
    return argument(move, None, "non_blocking") is None and len(move.args) <= 1
