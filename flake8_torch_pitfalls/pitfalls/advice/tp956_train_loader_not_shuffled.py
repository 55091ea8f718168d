"""The model is trained on the examples in the same order in every epoch.

## What happens
A `DataLoader` does not shuffle unless told to. The batches are then the same in every epoch, and where the data are
sorted by class, each batch holds one class only: the gradients of successive steps are biased in turn, and batch norm
sees one class at a time.

## What to write
`DataLoader(dataset, batch_size=64, shuffle=True)`, or a sampler; with several ranks `DistributedSampler`. Write
`shuffle=False` where the order is meant, as for time series.

## Silent
- `shuffle` in any form, a sampler, and calls with `**kwargs`.
- Loaders that no training loop of the file goes through.
- Iterable data sets, which shuffle by themselves, and data sets that are not in view.

## Known limits
Data that were shuffled once, by hand or by `random_split`, still come in the same batches in every epoch.

## Sources
- `torch.utils.data.DataLoader` in PyTorch's documentation, `shuffle`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import loader_of, training_steps
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader"}

_ITERABLE = "torch.utils.data.IterableDataset"


def check(source: Source) -> Iterator[Finding]:
    """Yield the loaders that a training loop goes through in the order of the data set."""
    reported = set()
    for step in training_steps(source):
        loader = loader_of(source, step.loop)
        if loader is None or loader.node in reported or loader.node.root() is not source.module:
            continue
        keeps_order = all(loader.lacks(name) for name in ("shuffle", "sampler", "batch_sampler"))
        if keeps_order and _is_indexed(source, loader.given.get("dataset")):
            reported.add(loader.node)
            yield Finding(
                loader.node, "the training loader gives the same batches in every epoch; set 'shuffle=True'"
            )


def _is_indexed(source: Source, dataset: nodes.NodeNG | None) -> bool:
    """Return whether *dataset* is known, and known to be no iterable one."""
    values = source.names.values(dataset)
    return bool(values) and all(source.names.is_a(value, _ITERABLE) is False for value in values)
