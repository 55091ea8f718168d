"""A seeded program shuffles with the global generator, so that any other random draw changes the order of its data.

## What happens
Without `generator=` a shuffling loader takes the seed of each epoch from torch's global generator, as do the seeds of
its workers. The order then depends on all that drew from it before: one layer more, another dropout, an evaluation in
between, and every batch is another. Two runs of the same program still agree; two variants of it are compared on
different batches.

## What to write
```python
shuffling = torch.Generator().manual_seed(seed)
loader = DataLoader(dataset, batch_size=64, shuffle=True, generator=shuffling)
```

## Silent
- Loaders with a `generator`, a sampler of their own, or none to shuffle.
- Files that do not seed torch.

## Known limits
A loader whose shuffling is an option is left alone, and so is one that gets `**kwargs`.

## Sources
- "Reproducibility", "DataLoader", in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding

WORDS = {"manual_seed", "seed_everything"}

_SEEDS = frozenset(("torch.manual_seed", "torch.random.manual_seed", "lightning.seed_everything",
                    "lightning.pytorch.seed_everything", "lightning.fabric.seed_everything"))  # fmt: skip


def check(source: Source) -> Iterator[Finding]:
    """Yield the shuffling loaders without a generator in files that seed torch."""
    if not any(source.names.symbol(call.func) in _SEEDS for name in WORDS for call in source.index.calls.get(name, ())):
        return
    for loader in loader_calls(source):
        shuffle = loader.given.get("shuffle")
        if shuffle is not None and loader.lacks("generator") and constants(source.names, shuffle) == {True}:
            yield Finding(
                loader.node, "the order of batches depends on every other random draw; give the loader a 'generator'"
            )
