"""A generator object that a data set or transform keeps gives the same random numbers in every worker.

## What happens
Each worker of a loader gets a copy of the data set, with the state that its generator had. So all workers draw the
same augmentations and noise for different items, and without `persistent_workers` they draw them again every epoch.
The loader seeds `random`, `torch` and, since torch 1.9, the global generator of NumPy anew in every worker, but knows
nothing of `numpy.random.default_rng(...)`, `RandomState`, `random.Random` and `torch.Generator` objects.

## What to write
Seed the generator in each worker:

    def seed_worker(worker_id):
        info = torch.utils.data.get_worker_info()
        info.dataset.rng = np.random.default_rng(info.seed)

    loader = DataLoader(dataset, num_workers=4, worker_init_fn=seed_worker)

or draw from the global generators (`torch.rand`, `random.random`, `np.random.rand`), or make the generator anew for
each item, from the seed and the index, where items are to stay the same.

## Silent
- The global generators; that of NumPy where the target version of torch is below 1.9 excepted.
- Generators made or seeded in `__getitem__`, in other methods, or by a `worker_init_fn`.
- Classes that speak of workers, ranks or shards.
- Generators that `__init__` alone draws from.
- Loaders without workers.

## Where it is reported
At the first draw in each function that runs in workers; at the loader if that stands in another file.

## Known limits
A loader must be in view; a number of workers that is not is taken for some. Generators that come out of functions of
the project are not seen.

## Sources
- `torch.utils.data` in PyTorch's documentation, "Randomness in multi-process data loading", and torch's release
  notes for 1.9, "NumPy is seeded in workers".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes, workers
from flake8_torch_pitfalls.analysis.calls import TorchCall
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, dotted, function_of, text_of
from flake8_torch_pitfalls.analysis.values import NOTHING, Function, Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"num_workers"}

_GENERATORS = frozenset(
    ("numpy.random.default_rng", "numpy.random.Generator", "numpy.random.RandomState", "random.Random",
     "torch.Generator")
)  # fmt: skip
_RESEEDS = frozenset("seed manual_seed setstate set_state bit_generator __setstate__".split())
_SPEAKS_OF_WORKERS = re.compile(r"worker|shard|\brank\b|num_proc", re.IGNORECASE)
_SEEDS_NUMPY = (1, 9)
_NO_DRAWS = frozenset(
    "seed set_state get_state default_rng RandomState Generator SeedSequence PCG64 MT19937".split()
)


def check(source: Source) -> Iterator[Finding]:
    """Yield the first draw, in each function that runs in workers, from a generator that they all have a copy of."""
    reported = set()
    for loader in workers.loaders_with_workers(source, unknown=True):
        init = _worker_init(source, loader)
        if init is None:
            continue
        for function in workers.run_in_workers(source, loader):
            draw = next(_draws(source, function, init), None)
            place = draw if draw is not None and draw.root() is source.module else loader.node
            if draw is not None and place not in reported:
                reported.add(place)
                yield Finding(
                    place,
                    f"every worker draws the same numbers from '{text_of(draw)}'; seed it in a 'worker_init_fn'",
                )


def _worker_init(source: Source, loader: TorchCall) -> str | None:
    """Return the text of the ``worker_init_fn`` of *loader*, "" if it has none, None if it cannot be read."""
    given = workers.option(source, loader, "worker_init_fn")
    if given is None:
        return None if workers.may_hide(source, loader, "worker_init_fn") else ""
    texts = []
    for value in source.names.values(given):
        if isinstance(value, Function):
            texts.append(value.node.as_string())
        elif value != NOTHING:
            return None
    return "\n".join(texts)


def _draws(source: Source, function: Function, init: str) -> Iterator[nodes.NodeNG]:
    """Yield where *function* reads a generator that no worker seeds, *init* being what each of them runs first."""
    if "dataset" in init or "get_worker_info" in init:
        return
    index = source.names.index_of(function.node)
    owner = class_of(function.node)
    if owner is not None and isinstance(function.node.parent, nodes.ClassDef):
        for read in index.within(function.node, nodes.Attribute):
            if dotted(read) == f"self.{read.attrname}" and read.attrname not in init:
                if _holds_generator(source, function, read) and not _is_renewed(source, owner, read):
                    yield read
    for call in index.calls_in.get(function.node, ()):
        if isinstance(call.func, nodes.Attribute) and isinstance(call.func.expr, nodes.Name):
            if _is_global_generator(source, call.func.expr) and call.func.expr.name not in init:
                yield call.func.expr
        if source.settings.torch_version < _SEEDS_NUMPY and "seed" not in init and _draws_from_numpy(source, call):
            yield call.func


def _holds_generator(source: Source, function: Function, read: nodes.Attribute) -> bool:
    """Return whether ``self.name`` is a generator made in ``__init__``, in the class, or handed to it."""
    receiver = function.receiver
    if receiver is None or not isinstance(receiver.cls, nodes.ClassDef):
        return False
    given = workers.made_from(source.names, read, receiver)
    if given is not read:
        return _is_generator(source, given)
    stores = list(source.names.stores(receiver.cls, read.attrname))
    if not stores:
        return _is_class_attribute(source, receiver, read.attrname)
    return all(
        isinstance(store.parent, (nodes.Assign, nodes.AnnAssign))
        and getattr(function_of(store), "name", "") == "__init__"
        and _is_generator(source, store.parent.value)
        for store in stores
    )


def _is_class_attribute(source: Source, receiver: Instance, name: str) -> bool:
    found = receiver.cls.locals.get(name, ()) if isinstance(receiver.cls, nodes.ClassDef) else ()
    return bool(found) and all(
        isinstance(one.parent, nodes.Assign) and _is_generator(source, one.parent.value) for one in found
    )


def _is_generator(source: Source, node: nodes.NodeNG | None) -> bool:
    """Return whether *node* makes a generator, or is a variable that holds one."""
    match node:
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
            return bool(found) and all(
                isinstance(one.parent, nodes.Assign) and _is_generator(source, one.parent.value)
                for one in found
            )
        case nodes.BoolOp(op="or", values=[*_, last]):
            return _is_generator(source, last)
        case nodes.IfExp():  # default_rng(seed) if rng is None else rng
            parts = (node.body, node.orelse)
            return any(_is_generator(source, one) for one in parts) and all(
                _is_generator(source, one) or _is_parameter(one) for one in parts
            )
        case nodes.Call(func=nodes.Attribute(attrname="manual_seed")):  # torch.Generator().manual_seed(0)
            return _is_generator(source, node.func.expr)
        case nodes.Call():
            return source.names.symbol(node.func) in _GENERATORS
    return False


def _is_parameter(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Name) and all(
        isinstance(one.parent, nodes.Arguments) for one in scopes.definitions(node, node.name)
    )


def _is_renewed(source: Source, owner: nodes.ClassDef, read: nodes.Attribute) -> bool:
    """Return whether the class reseeds ``self.name`` somewhere, or knows of workers."""
    if _SPEAKS_OF_WORKERS.search(owner.as_string()):
        return True
    index = source.names.index_of(owner)
    for other in index.attributes.get(read.attrname, ()):
        above = other.parent
        if isinstance(above, nodes.Attribute) and above.attrname in _RESEEDS:
            if getattr(function_of(other), "name", "") != "__init__":
                return True
    return any(dotted(store.expr) != "self" for store in index.stores.get(read.attrname, ()))


def _is_global_generator(source: Source, name: nodes.Name) -> bool:
    """Return whether *name* is a generator that a module makes once, at its top level."""
    found = scopes.definitions(name, name.name)
    return len(found) == 1 and isinstance(found[0].scope(), nodes.Module) and (
        isinstance(found[0].parent, nodes.Assign) and _is_generator(source, found[0].parent.value)
    )


def _draws_from_numpy(source: Source, call: nodes.Call) -> bool:
    if not isinstance(call.func, (nodes.Attribute, nodes.Name)):
        return False
    symbol = source.names.symbol(call.func) or ""
    module, _, name = symbol.rpartition(".")
    return module == "numpy.random" and name not in _NO_DRAWS
