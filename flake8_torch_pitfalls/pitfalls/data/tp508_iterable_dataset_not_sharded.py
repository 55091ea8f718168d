"""Each worker of a loader goes through a whole `IterableDataset`, so every item comes several times.

## What happens
A loader with workers gives each of them a copy of the data set and takes items from all. An `__iter__` that does not
ask which worker it runs in yields everything in each: with 4 workers an epoch holds every item 4 times.

## What to write

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        start, step = (0, 1) if info is None else (info.id, info.num_workers)
        for path in self.paths[start::step]:
            ...

## Silent
- Loaders without workers, or with a number that is not in view.
- `__iter__` methods and their classes that speak of workers, ranks or shards, also in helpers.
- A `worker_init_fn` that reaches for the data set, or that cannot be read.
- Items drawn at random without end: the workers' random numbers differ.
- Data sets that pass on another one which may shard itself: a stream, pipeline, reader or loader.

## Where it is reported
At the `__iter__`, or at the loader if that stands in another file.

## Known limits
One worker repeats nothing, and is not reported.

## Sources
- `torch.utils.data.IterableDataset` in PyTorch's documentation: "each replica must be configured differently".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.values import NOTHING, Function, Instance
from flake8_torch_pitfalls.analysis.workers import most_workers
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader", "num_workers"}

ITERABLE = "torch.utils.data.IterableDataset"
_SHARDS = re.compile(r"worker|rank|shard|world_size|replica|split_by|num_proc", re.IGNORECASE)
_RANDOM = re.compile(r"\brand(n|int|om|perm)?\b|\.(sample|choice|uniform|normal|gauss)\(")
_MAY_SHARD_ITSELF = re.compile(
    r"stream|pipe|inner|wrapped|reader|loader|dataset|generator|source|buffer|env", re.IGNORECASE
)
_DEEPEST = 2


def check(source: Source) -> Iterator[Finding]:
    """Yield the ``__iter__`` of data sets that all workers of a loader go through from end to end."""
    reported = set()
    for loader in loader_calls(source):
        if loader.is_open or loader.is_partial or most_workers(source, loader) < 2:
            continue
        if "worker_init_fn" in loader.given and not _leaves_dataset(source, loader.given["worker_init_fn"]):
            continue
        for value in source.names.known(loader.given.get("dataset")):
            if not isinstance(value, Instance) or not isinstance(value.cls, nodes.ClassDef):
                continue
            method = _iteration(source, value.cls)
            if method is not None and not _may_shard(source, value.cls, method):
                place = method if method.root() is source.module else loader.node
                if place not in reported:
                    reported.add(place)
                    yield Finding(
                        place,
                        f"each worker yields all of '{value.cls.name}', so items repeat; divide them by "
                        "'get_worker_info()'",
                    )


def _leaves_dataset(source: Source, init: nodes.NodeNG) -> bool:
    """Return whether *init*, a ``worker_init_fn``, is surely none that divides the data set."""
    values = source.names.values(init)
    return all(
        value == NOTHING
        or isinstance(value, Function)
        and re.search("dataset|get_worker_info", value.node.as_string()) is None
        for value in values
    )


def _iteration(source: Source, cls: nodes.ClassDef) -> nodes.FunctionDef | None:
    """Return the ``__iter__`` of *cls*, if it is a class of iterable data sets."""
    return source.names.method(cls, "__iter__") if source.names.derives(cls, ITERABLE) is True else None


def _may_shard(source: Source, cls: nodes.ClassDef, method: nodes.FunctionDef) -> bool:
    """Return whether the class says something of workers, or yields what no other worker yields."""
    bases = source.names.mro(cls)
    if any(base is None or (isinstance(base, str) and base not in _KNOWN_BASES) for base in bases):
        return True
    classes = [base for base in bases if isinstance(base, nodes.ClassDef)]
    text = "\n".join(base.as_string() for base in classes)
    if _SHARDS.search(text):
        return True
    functions = list(_reached(source, method))
    if any(_SHARDS.search(function.as_string()) for function in functions):
        return True
    return any(_draws_or_passes_on(source, function) for function in functions)


_KNOWN_BASES = {ITERABLE, "torch.utils.data.Dataset", "object", "typing.Generic", "abc.ABC"}


def _reached(source: Source, function: nodes.NodeNG, depth: int = 0) -> Iterator[nodes.NodeNG]:
    """Yield *function* and the functions of the project that it calls."""
    yield function
    if depth < _DEEPEST:
        for call in source.names.index_of(function).calls_in.get(function, ()):
            for callee in source.names.callee(call):
                if callee.node is not function:
                    yield from _reached(source, callee.node, depth + 1)


def _draws_or_passes_on(source: Source, function: nodes.NodeNG) -> bool:
    """Return whether *function* yields random items, or those of what may divide them itself."""
    if _RANDOM.search(function.as_string()):
        return True
    iterated = [loop.iter for loop in function.nodes_of_class((nodes.For, nodes.Comprehension))]
    iterated += [node.value for node in function.nodes_of_class((nodes.YieldFrom, nodes.Return)) if node.value]
    return any(
        _MAY_SHARD_ITSELF.search(node.as_string())
        or any(source.names.is_a(value, ITERABLE) is True for value in source.names.known(node))
        for node in iterated
    )
