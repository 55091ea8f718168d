"""Without a `DistributedSampler` every rank trains on the whole data set.

## What happens
A `DataLoader` knows nothing of other processes. On each rank it goes through all of the data, in the same order if
the ranks start from the same seed: then the gradients that `DistributedDataParallel` averages are all equal, and eight
GPUs do the work of one. With other orders an epoch still visits every example once per rank. Nothing is raised.

## What to write

    sampler = DistributedSampler(dataset)  # shuffles by itself
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        ...

## Silent
- A `sampler` or `batch_sampler`, whatever it is.
- Iterable data sets, and data sets whose text or arguments speak of ranks, shards or the number of processes.
- Loops that go backward through no wrapped model: an evaluation may run on all data on each rank.
- Loaders handed to Accelerate, Lightning or Fabric, which bring a sampler of their own.
- Data that are not known to lie in a map-style data set, and programs whose seed depends on the rank.

## Known limits
The loop over the loader, the backward pass and the wrapping must be in view from one function. The number of
processes is not known: the finding holds for any but one.

## Sources
- `torch.utils.data.distributed.DistributedSampler` in PyTorch's documentation.
- `torch.nn.parallel.DistributedDataParallel` in PyTorch's documentation: the module "doesn't chunk or otherwise shard
  the input across participating GPUs".
"""
from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import arguments, constants, local_names, torch_calls
from flake8_torch_pitfalls.analysis.events import Do, Event, Run
from flake8_torch_pitfalls.analysis.lineage import handed_to, is_parameter
from flake8_torch_pitfalls.analysis.loaders import LOADER, loaders_in
from flake8_torch_pitfalls.analysis.origins import spelled_out
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, constant, function_of, is_open, text_of, walk
from flake8_torch_pitfalls.analysis.values import UNKNOWN, Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader", "DistributedDataParallel", "DDP", "FullyShardedDataParallel", "FSDP", "fully_shard"}

WRAPPERS = ("torch.nn.parallel.DistributedDataParallel", "torch.distributed.fsdp.FullyShardedDataParallel")
SHARD = "torch.distributed.fsdp.fully_shard"
INIT = "torch.distributed.init_process_group"
_CALLED = frozenset((*(name.rpartition(".")[2] for name in (*WRAPPERS, SHARD)), "DDP", "FSDP"))
_PREPARES = ("prepare", "prepare_data_loader", "setup_dataloaders", "_setup_dataloaders")
"""Methods of frameworks that give loaders a sampler."""
_SEEDS = ("manual_seed", "seed", "set_seed", "seed_everything", "seed_all", "fix_seed", "set_random_seed")
_ABOUT_RANKS = re.compile(
    r"rank|world_?size|shard|partition|num_replicas|split_dataset|process_index|num_processes|get_worker", re.IGNORECASE
)
_ABOUT_DISTRIBUTION = re.compile(
    r"rank|world|distribut|ddp|fsdp|gpu|sampler|multi|launcher|parallel|dist\b", re.IGNORECASE
)


def check(source: Source) -> Iterator[Finding]:
    """Yield the loaders whose batches train a wrapped model and are not divided among the ranks."""
    index = source.index
    wrappers = reaching(source.module, source.project, _CALLED) | local_names(index, _CALLED).keys()
    if wrappers.isdisjoint(index.calls) or any(name in index.calls for name in _PREPARES):
        return
    reported: set[nodes.NodeNG] = set()
    for run in source.runs.roots:
        for stop in run.events(Do.BACKWARD):
            assert stop.event is not None
            for place, loader in _undivided(source, run, stop.event):
                if place not in reported and not _is_alone(source) and not _is_seeded_by_rank(source):
                    reported.add(place)
                    yield Finding(place, _message(loader))


def _message(loader: nodes.Call) -> str:
    data = text_of(arguments(loader, LOADER).get("dataset"))
    return f"every rank trains on all of '{data}'; give '{text_of(loader.func)}' a 'DistributedSampler'"


def _undivided(source: Source, run: Run, backward: Event) -> Iterator[tuple[nodes.NodeNG, nodes.Call]]:
    """Yield where, in this file, a loader is made or gone over that gives *backward* the same data on all ranks."""
    for loop in backward.loops():
        loaders = _loaders(source, loop, backward.stack)
        if not loaders or not all(_gives_everything(source, loader) for loader in loaders):
            continue
        for loader in loaders if _trains_wrapped(source, run, loop) else ():
            here = [node for node in (loader, loop, *reversed(backward.stack)) if node.root() is source.module]
            yield from ((place, loader) for place in here[:1])


# -- loaders -----------------------------------------------------------------------------------------


def _loaders(source: Source, loop: nodes.NodeNG, stack: Sequence[nodes.Call]) -> list[nodes.Call]:
    """Return the calls that made what *loop* goes over; none if there may be others, out of view."""
    found: list[nodes.Call] = []
    for node in walk(loop.iter) if isinstance(loop, nodes.For) else ():
        if isinstance(node, (nodes.Name, nodes.Attribute, nodes.Call)):
            given = _given(node, _outside(loop, stack))
            loaders = loaders_in(source.names, given)
            if loaders and _may_be_other(source, given):
                return []
            found += loaders
    return list(dict.fromkeys(found))


def _outside(loop: nodes.For, stack: Sequence[nodes.Call]) -> list[nodes.Call]:
    """Return the calls of *stack* that lead to the function of *loop*."""
    return list(itertools.takewhile(lambda call: function_of(call) is not function_of(loop), stack))


def _given(node: nodes.NodeNG, stack: list[nodes.Call]) -> nodes.NodeNG:
    """Return what the calls of *stack* give for *node*, where that is a parameter of the function they lead to."""
    if isinstance(node, nodes.Name) and stack:
        found = definitions(node, node.name)
        if len(found) == 1 and is_parameter(found[0]) and (given := handed_to(found[0], stack[-1])) is not None:
            return _given(given, stack[:-1])
    return node


def _may_be_other(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node*, which may be a loader in view, may be another one."""
    if isinstance(node, nodes.Attribute) and (owner := class_of(node)) is not None:
        set_to = [getattr(target.parent, "value", None) for target in source.names.stores(owner, node.attrname)]
        if set_to and all(_is_given(value) for value in set_to):
            return False
    return UNKNOWN in source.names.values(node)


def _is_given(node: nodes.NodeNG | None) -> bool:
    return isinstance(node, nodes.Name) and all(is_parameter(found) for found in definitions(node, node.name))


def _gives_everything(source: Source, loader: nodes.Call) -> bool:
    """Return whether *loader* goes through all of a map-style data set on each rank."""
    given = arguments(loader, LOADER)
    dataset = given.get("dataset")
    if is_open(loader) or dataset is None or _is_under_test(loader):
        return False
    if any(name in given and constant(given[name]) is not None for name in ("sampler", "batch_sampler")):
        return False
    return _is_map_style(source, given) and not _is_divided(source, dataset)


def _is_under_test(loader: nodes.Call) -> bool:
    """Return whether *loader* stands under a test that may ask whether the program is distributed."""
    tests = (above.test for above in ancestors(loader) if isinstance(above, (nodes.If, nodes.IfExp)))
    return any(_ABOUT_DISTRIBUTION.search(test.as_string()) for test in tests)


def _is_map_style(source: Source, given: dict[str, nodes.NodeNG]) -> bool:
    shuffle = given.get("shuffle")
    if shuffle is not None and constants(source.names, shuffle) == {True}:
        return True  # which an iterable data set refuses
    values = source.names.values(given["dataset"])
    return all(
        source.kinds.is_kind(value, "dataset") and source.names.is_a(value, "torch.utils.data.IterableDataset") is False
        for value in values
    )


def _is_divided(source: Source, dataset: nodes.NodeNG) -> bool:
    """Return whether *dataset*, or the class it is of, speaks of ranks or parts."""
    texts = [spelled_out(source.names, dataset)]
    for value in source.names.known(dataset):
        if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
            texts += [cls.as_string() for cls in source.names.mro(value.cls) if isinstance(cls, nodes.ClassDef)]
    return any(_ABOUT_RANKS.search(text) for text in texts)


# -- programs ----------------------------------------------------------------------------------------


def _trains_wrapped(source: Source, run: Run, loop: nodes.NodeNG) -> bool:
    """Return whether the forward pass of a model in *loop* is one of a wrapped model, on some path at least."""
    models = [
        _given(stop.event.subject, list(stop.event.stack))
        for stop in run.events(Do.FORWARD)
        if stop.event is not None and stop.event.subject is not None and loop in stop.event.loops()
    ]
    if any(_is_wrapped(value) for model in models for value in source.names.known(model)):
        return True
    return bool(models) and any(torch_calls(source, SHARD))


def _is_wrapped(value: Value) -> bool:
    return isinstance(value, Instance) and value.cls in WRAPPERS


def _is_alone(source: Source) -> bool:
    """Return whether the program is a group of one process by its text."""
    sizes = [call.given["world_size"] for call in torch_calls(source, INIT) if "world_size" in call.given]
    return any(1 in (constants(source.names, size) or ()) for size in sizes)


def _is_seeded_by_rank(source: Source) -> bool:
    """Return whether the ranks draw different numbers, so that a shuffling loader gives them different batches."""
    seeds = [call for name in _SEEDS for call in source.index.calls.get(name, ())]
    return any(_ABOUT_RANKS.search(given.as_string()) for call in seeds for given in call.args)
