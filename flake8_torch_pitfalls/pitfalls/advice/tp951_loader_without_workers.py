"""A loader without workers prepares every batch while the model waits.

## What happens
`num_workers` is 0 by default: reading, decoding and augmenting run in the training process, between one step and
the next. Worker processes prepare the next batches during the step.

## What to write
`DataLoader(dataset, batch_size=64, num_workers=4)`; start with the number of cores for each GPU and measure.
Write `num_workers=0` where that is meant.

## Silent
- `num_workers` in any form, also 0, and calls with `**kwargs`.
- Files that do not train.
- Datasets that lie in memory: `TensorDataset`, lists, and classes whose `__getitem__` does no more than index.

## Known limits
What a dataset of another package does is not known; it is taken for work. Whether workers pay must be measured.

## Sources
- `torch.utils.data` in PyTorch's documentation, "Single- and Multi-process Data Loading".
- "Performance Tuning Guide", PyTorch tutorials: "Enable asynchronous data loading and augmentation".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.scopes import BUILTINS
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, last_name
from flake8_torch_pitfalls.analysis.values import Data, Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader"}

TRAINS = ("backward", "manual_backward", "fit")
READS = frozenset(("torch.load", "open"))
_DEEPEST = 4
"""How many times a part of a data set is taken: ``data = Subset(data, …)`` in a loop has no end."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the loaders of a training file that leave ``num_workers`` at its default."""
    if not any(name in source.index.calls for name in TRAINS):
        return
    for loader in loader_calls(source):
        if loader.lacks("num_workers") and not _lies_in_memory(source, loader.given.get("dataset")):
            yield Finding(
                loader.node, "the loader prepares batches in the training process; give it 'num_workers'"
            )


def _lies_in_memory(source: Source, dataset: nodes.NodeNG | None, depth: int = 0) -> bool:
    values = source.names.values(dataset) if depth < _DEEPEST else ()
    return any(_is_in_memory(source, value, depth) for value in values)


def _is_in_memory(source: Source, value: Value, depth: int) -> bool:
    match value:
        case Data():
            return True
        case Instance("torch.utils.data.TensorDataset"):
            return True
        case Instance("torch.utils.data.Subset", nodes.Call() as call):
            return _lies_in_memory(source, argument(call, 0, "dataset"), depth + 1)
        case Instance(nodes.ClassDef() as cls):
            method = source.names.method(cls, "__getitem__")
            return method is not None and not any(
                _works(source, call) for call in source.names.index_of(method).calls_in.get(method, ())
            )
    return False


def _works(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* in a ``__getitem__`` may be more than indexing and building a tensor."""
    name = last_name(call.func) or ""
    symbol = source.names.symbol(call.func)
    if symbol is None:
        return torch_model.member("torch.Tensor", name) is None
    return symbol in READS or not (name in BUILTINS or symbol.startswith("torch."))
