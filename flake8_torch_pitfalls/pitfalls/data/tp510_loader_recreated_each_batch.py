"""A loader is made, or started, anew for every batch: the workers start each time, or it is always the first batch.

## What happens
`next(iter(loader))` starts a new pass over the data set. In a training loop it gives the first batch of a pass every
time: without `shuffle=True` always the same one, so that the model sees nothing else. With workers, all of them are
started, fill their queues, and are thrown away, for one batch; so they are where the loop makes the loader itself.
That takes from a tenth of a second to many seconds for each step.

## What to write
Go through the loader, or keep its iterator:

    batches = iter(loader)
    for step in range(steps):
        try:
            images, labels = next(batches)
        except StopIteration:
            batches = iter(loader)
            images, labels = next(batches)

## Silent
- `next(iter(loader))` outside of loops, once per epoch, or under a condition.
- Iterators that are made before the loop, and renewed when they end.
- Loaders made once per epoch, or for each fold, task or client.
- Loaders with shuffle and without workers, which give a random batch at some cost.
- Loaders with `persistent_workers=True` and shuffle.

## Known limits
The loop must train, or go through another loader. Without `shuffle`, data sets that are not in view may be streams,
and those that do not read the index may give any item.

## Sources
- `torch.utils.data.DataLoader` in PyTorch's documentation: workers start "each time an iterator of a DataLoader is
  created".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import reach, scopes, workers
from flake8_torch_pitfalls.analysis.calls import TorchCall, arguments, constants
from flake8_torch_pitfalls.analysis.loaders import LOADER
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import SEQUENCES
from flake8_torch_pitfalls.analysis.tree import (
    LOOPS,
    ancestors,
    function_of,
    is_open,
    last_name,
    loops_around,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader", "next"}

ITERABLE = "torch.utils.data.IterableDataset"
_TRAINING = frozenset(("backward", "manual_backward"))
_MOST_CALLS = 2
_PASSES_ON = SEQUENCES | {"enumerate", "zip"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the passes over loaders of which one batch is taken, and the loaders that are made for one."""
    made_anew = [loader.node for loader in _loaders(source) if _is_made_for_each_batch(source, loader.node)]
    for node in made_anew:
        yield Finding(node, "the loop starts the workers of this loader for every batch; make it once")
    if "next" in source.index.calls and "iter" in source.index.calls:
        for start, loader in _single_batches(source):
            if loader.node not in made_anew:
                yield Finding(start, _message(source, start, loader))


def _loaders(source: Source) -> Iterator[TorchCall]:
    """Yield the loaders with workers that the file makes."""
    if any(name.endswith(("Loader", "loader")) for name in source.index.calls):
        yield from workers.loaders_with_workers(source)


def _message(source: Source, start: nodes.Call, loader: TorchCall) -> str:
    text = text_of(start.args[0])
    if _keeps_order(source, loader):
        return f"'iter({text})' starts anew in every step, so this is always the first batch; go through '{text}'"
    return f"'iter({text})' starts its workers for every step; keep the iterator, or go through '{text}'"


# -- next(iter(loader)) ---------------------------------------------------------------------------------


def _single_batches(source: Source) -> Iterator[tuple[nodes.Call, TorchCall]]:
    """Yield the calls of ``iter`` in training loops, of which one batch is taken, with the loader they go through."""
    for call in source.index.calls["next"]:
        start = _started_here(call)
        if start is not None and (loop := _loop_of_batches(source, start)) is not None:
            loader = _loader(source, start.args[0])
            if loader is not None and not _is_made_within(loader, loop):
                if _keeps_order(source, loader) or _restarts_workers(source, loader):
                    yield start, loader


def _started_here(call: nodes.Call) -> nodes.Call | None:
    """Return ``iter(loader)`` whose first batch *call*, of ``next``, takes in the same pass of a loop."""
    if not isinstance(call.func, nodes.Name) or len(call.args) != 1:
        return None
    taken = call.args[0]
    if isinstance(taken, nodes.Name):
        found = scopes.definitions(taken, taken.name)
        if len(found) != 1 or loops_around(found[0]) != loops_around(call):
            return None
        if not loops_around(call) or not isinstance(found[0].parent, nodes.Assign):
            return None
        taken = found[0].parent.value
    if isinstance(taken, nodes.Call) and isinstance(taken.func, nodes.Name) and taken.func.name == "iter":
        return taken if len(taken.args) == 1 else None
    return None


def _loader(source: Source, node: nodes.NodeNG) -> TorchCall | None:
    """Return the call that made the loader that *node* always is."""
    values = [value for value in source.names.values(node) if value != NOTHING]
    if len(values) == 1 and isinstance(values[0], Instance) and values[0].cls == LOADER:
        made = values[0].made_at
        if isinstance(made, nodes.Call):
            return TorchCall(made, LOADER, arguments(made, LOADER), is_open(made), False)
    return None


def _is_made_within(loader: TorchCall, loop: nodes.For | nodes.While) -> bool:
    return any(above is loop for above in ancestors(loader.node))


def _keeps_order(source: Source, loader: TorchCall) -> bool:
    """Return whether *loader* surely begins with the same items each time."""
    if loader.is_open or not (loader.lacks("sampler") and loader.lacks("batch_sampler")):
        return False
    if not loader.lacks("shuffle") and constants(source.names, loader.given["shuffle"]) not in ({False}, {None}):
        return False
    return all(_is_indexed(source, value) for value in source.names.values(loader.given.get("dataset")))


def _is_indexed(source: Source, dataset: Value) -> bool:
    """Return whether *dataset* is known, and gives an item for its index, not the next or any one."""
    if not isinstance(dataset, Instance) or source.names.is_a(dataset, ITERABLE) is not False:
        return False
    if isinstance(dataset.cls, str):
        return True
    method = source.names.method(dataset.cls, "__getitem__")
    names = [argument.name for argument in (method.args.args or [])[1:2]] if method is not None else []
    return method is not None and any(
        name.name in names for name in source.names.index_of(method).within(method, nodes.Name)
    )


def _restarts_workers(source: Source, loader: TorchCall) -> bool:
    persistent = workers.option(source, loader, "persistent_workers")
    if persistent is not None and constants(source.names, persistent) != {False}:
        return False
    return workers.most_workers(source, loader) > 0


# -- loops ----------------------------------------------------------------------------------------------


def _is_made_for_each_batch(source: Source, loader: nodes.Call) -> bool:
    loop = _loop_of_batches(source, loader)
    return loop is not None and (_goes_through_loader(source, loop) or _takes_one_batch(source, loader, loop))


def _takes_one_batch(source: Source, loader: nodes.Call, loop: nodes.For | nodes.While) -> bool:
    """Return whether *loop* asks the *loader* that it makes for its first batch only."""
    starts = [start for call in source.index.calls.get("next", ()) if (start := _started_here(call)) is not None]
    return any(
        any(isinstance(value, Instance) and value.made_at is loader for value in source.names.values(start.args[0]))
        for start in starts
    )


def _loop_of_batches(source: Source, node: nodes.NodeNG) -> nodes.For | nodes.While | None:
    """Return the loop that runs *node* in every pass, and trains in every pass or goes through a loader."""
    for place in _places(source, node):
        loops = loops_around(place)
        if loops and _runs_always(place, loops[0]):
            loop = loops[0]
            if _goes_through_loader(source, loop) or not _has_loop_inside(loop) and _trains(source, loop):
                return loop
    return None


def _places(source: Source, node: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return *node* and the calls that run it each time, nearest first, also those of a method that calls another."""
    found = [node]
    for _ in range(_MOST_CALLS):
        found += [site for place in found for site in _sites(source, place) if site not in found]
    return found


def _sites(source: Source, node: nodes.NodeNG) -> list[nodes.Call]:
    """Return the calls of the function in which *node* stands, if that runs it each time."""
    function = function_of(node)
    if not isinstance(function, nodes.FunctionDef) or loops_around(node) or not _runs_always(node, function):
        return []
    if function.name == "__init__":
        return []
    return source.names.call_sites(function)


def _runs_always(node: nodes.NodeNG, top: nodes.NodeNG) -> bool:
    """Return whether *node* runs whenever the body of *top* does, as far as branches tell."""
    below = node
    for above in ancestors(node):
        if above is top:
            return True
        if isinstance(above, (nodes.If, nodes.IfExp, nodes.ExceptHandler, *LOOPS)) and below is not (
            getattr(above, "test", None) or getattr(above, "iter", None)
        ):
            return False
        below = above
    return False


def _has_loop_inside(loop: nodes.For | nodes.While) -> bool:
    """Return whether *loop* is rather one of epochs, with a loop over batches in it."""
    return any(True for statement in loop.body for _ in statement.nodes_of_class(LOOPS))


def _goes_through_loader(source: Source, loop: nodes.For | nodes.While) -> bool:
    if not isinstance(loop, nodes.For):
        return False
    iterated = loop.iter
    while isinstance(iterated, nodes.Call) and iterated.args and source.names.symbol(iterated.func) in _PASSES_ON:
        iterated = iterated.args[0]
    return source.kinds.inferred(iterated, "loader") is True


def _trains(source: Source, loop: nodes.For | nodes.While) -> bool:
    """Return whether *loop* goes backward, by itself or in a function that it calls."""
    called = {last_name(call.func) for statement in loop.body for call in statement.nodes_of_class(nodes.Call)}
    if not _TRAINING.isdisjoint(called):
        return True
    return not called.isdisjoint(reach.reaching(source.module, source.project, _TRAINING))
