"""Batches go to the GPU from pageable memory, which is slower and cannot overlap with computing.

## What happens
Without `pin_memory=True` the batches of a `DataLoader` lie in ordinary memory. CUDA copies from there through a buffer
of its own, and the CPU waits. From page-locked memory the GPU fetches the batch directly and, with
`non_blocking=True`, during other work.

## What to write
`DataLoader(dataset, batch_size=64, num_workers=4, pin_memory=True)`.

## Silent
- `pin_memory` in any form, and calls with `**kwargs`.
- Loaders whose batches are not moved to a GPU in a training loop of this file.
- Batches of a custom `collate_fn`, which may be on the device already.

## Known limits
A program that chooses its device when it runs is taken to run on a GPU; on the CPU pinning does nothing.

## Sources
- `torch.utils.data`, "Memory Pinning", in PyTorch's documentation. The gain cannot be seen without a GPU.
- "A guide on good usage of `non_blocking` and `pin_memory()`", PyTorch tutorials.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import batches_moved
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the loaders whose batches a training loop moves to the GPU from memory that is not pinned."""
    reported = set()
    for moved in batches_moved(source):
        loader = moved.loader
        if loader.lacks("pin_memory") and loader.node not in reported and loader.node.root() is source.module:
            reported.add(loader.node)
            yield Finding(loader.node, "the loader's batches go to the GPU from pageable memory; set 'pin_memory=True'")
