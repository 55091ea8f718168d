"""A data set lacks a method that the loader calls, or the method cannot give what the loader needs.

## What happens
A loader takes the items of a map-style data set by `__getitem__`, and their number, which its samplers need, by
`__len__`. Without `__getitem__`, also if it is misspelled, the first batch raises `NotImplementedError: Subclasses of
Dataset should implement __getitem__`. Without `__len__` a shuffling loader raises `object of type ... has no len()`
when it is made, another one when it is gone through. A `__len__` that divides by `/` gives a float, which `len`
refuses; a `__getitem__` that returns nothing gives `None`, of which the loader can make no batch. A data set with
only `__iter__` must derive from `IterableDataset`, else the loader asks for its items by index. An `IterableDataset`
without `__iter__` is abstract: no object of it can be made.

## What to write

    class Images(Dataset):
        def __len__(self):
            return len(self.paths)

        def __getitem__(self, index):
            return load(self.paths[index])

## Silent
- Methods of a base class, and classes some base of which is not in view.
- `__getitems__`, which loaders prefer, `__getattr__`, and methods that are assigned later.
- Base classes that no loader is given.
- Iterable data sets without `__len__`, and loaders with a sampler of their own.
- Methods that only raise.

## Where it is reported
At the class or its method; at the loader if that stands in another file.

## Known limits
A class is held to the contract only where a loader in view gets an object of it, except for methods that are
misspelled and `__len__` that divides.

## Sources
- `torch.utils.data.Dataset` and `IterableDataset` in PyTorch's documentation, "Dataset Types".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.batches import collates_by_default
from flake8_torch_pitfalls.analysis.calls import TorchCall, constants
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import last_name, walk_scope
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Dataset", "DataLoader", "IterableDataset"}

DATASET = "torch.utils.data.Dataset"
ITERABLE = "torch.utils.data.IterableDataset"
_BARE_BASES = frozenset((DATASET, ITERABLE, "object", "typing.Generic", "abc.ABC"))
"""Bases that bring none of the methods."""
_NEED_LENGTH = frozenset(
    f"torch.utils.data.{name}" for name in ("RandomSampler", "SequentialSampler", "distributed.DistributedSampler")
)
_MISSPELLED = re.compile(r"__(get_?i?te?i?ms?|getitme|getitmes?|get_item|len?g?th?|lens?|length|lenght)_*")


def check(source: Source) -> Iterator[Finding]:
    """Yield classes and methods of data sets that a loader cannot use."""
    reported = set()
    for place, message in (*_in_classes(source), *_in_loaders(source)):
        if place not in reported:
            reported.add(place)
            yield Finding(place, message)


def _in_classes(source: Source) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield the methods that no data set can have, whether a loader is in view or not."""
    for cls in source.index.of(nodes.ClassDef):
        if not any((last_name(base) or "").endswith("Dataset") for base in cls.bases):
            continue
        for method in cls.mymethods():
            wanted = _meant(method.name)
            if wanted is not None and _has_bare_bases(source, cls) and _lacks(source, cls, wanted):
                if method.name not in source.index.attributes:
                    yield method, f"'{method.name}' is no method that loaders call; '{cls.name}' needs '{wanted}'"
            elif method.name == "__len__" and source.names.derives(cls, DATASET):
                if any(_divides(result.value) for result in source.index.returns.get(method, ())):
                    yield method, f"'__len__' of '{cls.name}' returns a float, which 'len' refuses; divide by '//'"


def _meant(name: str) -> str | None:
    """Return which method of the contract *name* is a misspelling of."""
    if name in ("__len__", "__getitem__", "__getitems__") or not _MISSPELLED.fullmatch(name):
        return None
    return "__len__" if "len" in name else "__getitem__"


def _divides(node: nodes.NodeNG | None) -> bool:
    return isinstance(node, nodes.BinOp) and node.op == "/"


def _in_loaders(source: Source) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield what the data sets that loaders are given lack."""
    for loader in loader_calls(source):
        if loader.is_partial:
            continue
        for value in source.names.known(loader.given.get("dataset")):
            if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
                if _has_bare_bases(source, value.cls):
                    yield from _in_loaded(source, loader, value.cls)


def _in_loaded(source: Source, loader: TorchCall, cls: nodes.ClassDef) -> Iterator[tuple[nodes.NodeNG, str]]:
    place = cls if cls.root() is source.module else loader.node
    if source.names.derives(cls, ITERABLE):
        if _lacks(source, cls, "__iter__"):
            yield place, f"'{cls.name}' has no '__iter__', without which it cannot be made"
        return
    if _lacks(source, cls, "__getitem__"):
        if _lacks(source, cls, "__iter__"):
            yield place, f"'{cls.name}' has no '__getitem__', which the loader calls for each item"
        else:
            yield place, f"the loader calls '__getitem__', not '__iter__'; derive '{cls.name}' from 'IterableDataset'"
    elif _lacks(source, cls, "__len__") and _needs_length(source, loader):
        yield place, f"'{cls.name}' has no '__len__', which the loader's sampler needs"
    method = source.names.method(cls, "__getitem__")
    if method is not None and collates_by_default(source.names, loader.node) and _returns_nothing(source, method):
        yield (method if method.root() is source.module else place), (
            f"'__getitem__' of '{cls.name}' returns nothing, and the loader can make no batch of 'None'"
        )


def _has_bare_bases(source: Source, cls: nodes.ClassDef) -> bool:
    """Return whether *cls* is a data set all of whose methods stand in the project."""
    bases = source.names.mro(cls)
    return DATASET in bases and all(
        not base.decorators and not base.keywords if isinstance(base, nodes.ClassDef) else base in _BARE_BASES
        for base in bases
    )


def _lacks(source: Source, cls: nodes.ClassDef, name: str) -> bool:
    """Return whether *cls* surely has no attribute *name*, nor a way to make it up."""
    wanted = {name, "__getattr__", "__getattribute__"}
    if name == "__getitem__":
        wanted.add("__getitems__")
    if any(not wanted.isdisjoint(base.locals) for base in source.names.mro(cls) if isinstance(base, nodes.ClassDef)):
        return False
    return name not in source.index.stores and not any(
        text.value == name for text in source.index.of(nodes.Const)  # setattr(cls, "__len__", …)
    )


def _needs_length(source: Source, loader: TorchCall) -> bool:
    """Return whether *loader* surely asks for the number of items."""
    if loader.is_open:
        return False
    if not loader.lacks("batch_sampler") and constants(source.names, loader.given["batch_sampler"]) != {None}:
        return False
    if loader.lacks("sampler"):
        return True
    return all(
        value == NOTHING or isinstance(value, Instance) and value.cls in _NEED_LENGTH
        for value in source.names.values(loader.given["sampler"])
    )


def _returns_nothing(source: Source, method: nodes.FunctionDef) -> bool:
    """Return whether *method* ends without a result, and is no placeholder."""
    index = source.names.index_of(method)
    if index.returns.get(method) or index.yields.get(method):
        return False
    statements = [one for one in method.body if not isinstance(one, nodes.Pass)]
    return bool(statements) and not any(isinstance(node, nodes.Raise) for node in walk_scope(method)) and not (
        all(isinstance(one, nodes.Expr) and isinstance(one.value, nodes.Const) for one in statements)
    )
