"""A `DistributedSampler` without `set_epoch` gives every epoch the same order.

## What happens
The sampler shuffles with `seed + epoch`, and its epoch stays 0 until `set_epoch` is called. Every pass over the
loader then visits the examples in the same order, split over the ranks in the same way, so that each rank sees the
same part of the data in all epochs. Nothing is raised.

## What to write

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            ...

## Silent
- `shuffle=False`, or a `shuffle` that the text does not decide.
- Training for one epoch, and loops that do not train: the order of an evaluation does not matter.
- A loader made anew inside the outer loop, which may be there for folds or runs.
- `set_epoch` anywhere in the files that the training runs through, also in a hook or a helper.
- Loaders handed to Accelerate or Fabric, which call it, or to code that cannot be read.

## Known limits
Only `torch.utils.data.DistributedSampler` itself is known to need the call, also inside a `BatchSampler`.

## Sources
- `torch.utils.data.distributed.DistributedSampler` in PyTorch's documentation: the warning on `set_epoch`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.events import Do, Event, is_unreadable
from flake8_torch_pitfalls.analysis.loaders import LOADER, loaders_in
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import dotted, is_open, last_name, walk
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "manual_backward", "DistributedSampler", "DataLoader"}

SAMPLER = "torch.utils.data.distributed.DistributedSampler"
BATCHES = "torch.utils.data.BatchSampler"
_PREPARES = ("prepare", "prepare_data_loader", "setup_dataloaders")
"""Methods of frameworks whose loaders set the epoch themselves."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the loops over batches that repeat, epoch by epoch, the order of one distributed sampler."""
    prepared = [call for name in _PREPARES for call in source.index.calls.get(name, ())]
    if _sets_epoch(source, source.module) or any(is_unreadable(source.names, call) for call in prepared):
        return
    reported: set[nodes.NodeNG] = set()
    for run in source.runs.roots:
        for stop in run.events(Do.BACKWARD):
            event = stop.event
            assert event is not None
            for place in _repeated(source, event):
                if place not in reported:
                    reported.add(place)
                    yield Finding(place, _message(place))


def _message(place: nodes.NodeNG) -> str:
    what = f"'{place.iter.as_string()}'" if isinstance(place, nodes.For) else f"'{place.func.as_string()}'"
    return f"{what} goes through the data in the same order in every epoch; call 'sampler.set_epoch(epoch)' before it"


def _repeated(source: Source, event: Event) -> Iterator[nodes.NodeNG]:
    """Yield, in this file, the loop over batches that *event* runs in if its order never changes."""
    loops = event.loops()
    for number, inner in enumerate(loops):
        outer = next((loop for loop in loops[number + 1 :] if not _chooses_in(loop, inner)), None)
        if outer is None:
            return
        made = _makers(source, inner)
        if not made or _runs_once(outer) or any(_stands_in(call, outer) for call in made):
            continue
        if any(_sets_epoch(source, node.root()) for node in (event.node, *event.stack, *made)):
            continue
        if _is_handed_on(source, inner, outer):
            continue
        here = [node for node in (inner, *reversed(event.stack)) if node.root() is source.module]
        yield from here[:1]


def _chooses_in(outer: nodes.For | nodes.While, inner: nodes.For | nodes.While) -> bool:
    """Return whether *outer* goes over the loaders, or their keys, of which *inner* goes through one."""
    if not isinstance(outer, nodes.For) or not isinstance(inner, nodes.For):
        return False
    chosen = {node.name for node in walk(outer.target) if isinstance(node, nodes.AssignName)}
    return any(isinstance(node, nodes.Name) and node.name in chosen for node in walk(inner.iter))


def _sets_epoch(source: Source, module: nodes.Module) -> bool:
    return "set_epoch" in source.names.index_of(module).attributes


def _runs_once(loop: nodes.For | nodes.While) -> bool:
    return isinstance(loop, nodes.For) and loop.iter.as_string() in ("range(1)", "range(0, 1)")


def _stands_in(node: nodes.NodeNG, loop: nodes.NodeNG) -> bool:
    return bool(loop.parent_of(node))


def _makers(source: Source, loop: nodes.For | nodes.While) -> list[nodes.Call]:
    """Return the calls that made the loader and the shuffling distributed sampler that *loop* goes over."""
    if not isinstance(loop, nodes.For):
        return []
    for node in walk(loop.iter):
        if not isinstance(node, (nodes.Name, nodes.Attribute, nodes.Call, nodes.Subscript)):
            continue
        for loader in loaders_in(source.names, node):
            if samplers := _shuffling(source, loader):
                return [loader, *samplers]
    return []


def _shuffling(source: Source, loader: nodes.Call) -> list[nodes.Call]:
    """Return the calls that made the samplers of *loader* which need to know the epoch."""
    given = arguments(loader, LOADER)
    found = [*source.names.known(given.get("sampler")), *source.names.known(given.get("batch_sampler"))]
    for value in list(found):
        if isinstance(value, Instance) and value.cls == BATCHES and isinstance(value.made_at, nodes.Call):
            found += source.names.known(arguments(value.made_at, BATCHES).get("sampler"))
    return [
        value.made_at
        for value in found
        if isinstance(value, Instance)
        and value.cls == SAMPLER
        and isinstance(value.made_at, nodes.Call)
        and _shuffles(source, value.made_at)
    ]


def _shuffles(source: Source, sampler: nodes.Call) -> bool:
    if is_open(sampler):
        return False
    shuffle = arguments(sampler, SAMPLER).get("shuffle")
    return shuffle is None or constants(source.names, shuffle) == {True}


def _is_handed_on(source: Source, inner: nodes.For, outer: nodes.NodeNG) -> bool:
    """Return whether the epoch loop gives the loader or its sampler to code that cannot be read."""
    texts = {text for node in walk(inner.iter) if (text := dotted(node)) is not None}
    own_iterator = set(walk(inner.iter))
    return any(
        isinstance(call, nodes.Call)
        and call not in own_iterator
        and any(
            dotted(given) in texts or (last_name(given) or "").endswith("sampler") for given in call.args
        )
        and is_unreadable(source.names, call)
        for call in walk(outer)
    )
