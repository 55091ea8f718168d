"""Where a file trains: the loops that go backward, the batches they take, and whether a GPU does the work."""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.batches import is_of_batch
from flake8_torch_pitfalls.analysis.calls import TorchCall, arguments
from flake8_torch_pitfalls.analysis.events import Do
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.loaders import LOADER, loaders_in
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import SEQUENCES, Names
from flake8_torch_pitfalls.analysis.synchronization import to_accelerator
from flake8_torch_pitfalls.analysis.tree import function_of, is_open, loops_around, position

_PASSES_ON = SEQUENCES | {"enumerate", "zip", "tqdm.tqdm", "tqdm.auto.tqdm"}
_CONVERTS = frozenset(("to", "cuda", "float", "double", "half", "bfloat16", "contiguous"))
"""Methods whose result holds the same examples."""
_DEEPEST = 5


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """A backward pass in *loop*; *body* is that loop, or the function called there in which the pass stands."""

    backward: nodes.NodeNG
    loop: nodes.For | nodes.While
    body: nodes.For | nodes.While | nodes.FunctionDef


@functools.lru_cache(maxsize=1)
def training_steps(source: Source) -> tuple[Step, ...]:
    """Return the backward passes in loops of the file, in the order of the text."""
    found: dict[nodes.NodeNG, Step] = {}
    for run in source.runs.roots if "backward" in source.index.calls else ():
        for stop in run.events(Do.BACKWARD):
            event = stop.event
            loops = event.loops() if event is not None else []
            if event is not None and loops and event.node.root() is source.module is loops[0].root():
                here = loops_around(event.node)
                found.setdefault(event.node, Step(event.node, loops[0], here[0] if here else function_of(event.node)))
    return tuple(sorted(found.values(), key=lambda step: position(step.backward)))


@functools.lru_cache(maxsize=1)
def modules_on_gpu(source: Source) -> tuple[nodes.Call, ...]:
    """Return the calls that move a module to CUDA, or to a device that the program chooses and that may be CUDA."""
    if not _names_cuda(source):
        return ()
    calls = [call for name in ("to", "cuda") for call in source.index.calls.get(name, ())]
    moving = [call for call in calls if to_accelerator(source.names, call)]
    return tuple(sorted((call for call in moving if source.kinds.of(call.func.expr, "module")), key=position))


def _names_cuda(source: Source) -> bool:
    return "cuda" in source.index.attributes or any(
        isinstance(text.value, str) and text.value.startswith("cuda") for text in source.index.of(nodes.Const)
    )


def iterated(names: Names, node: nodes.NodeNG) -> nodes.NodeNG:
    """Return what *node* goes through in the end: ``loader`` of ``enumerate(tqdm(loader))``."""
    while isinstance(node, nodes.Call) and node.args and names.symbol(node.func) in _PASSES_ON:
        node = node.args[0]
    return node


def loops_over(source: Source, loader: nodes.Call) -> Iterator[nodes.For]:
    """Yield the loops of the file that go through what *loader*, a call that makes a ``DataLoader``, made."""
    for loop in source.index.of(nodes.For):
        if loader in loaders_in(source.names, iterated(source.names, loop.iter)):
            yield loop


def loader_of(source: Source, loop: nodes.For | nodes.While) -> TorchCall | None:
    """Return the only call that may have made the ``DataLoader`` that *loop* goes through."""
    if not isinstance(loop, nodes.For):
        return None
    made = loaders_in(source.names, iterated(source.names, loop.iter))
    if len(made) != 1:
        return None
    return TorchCall(made[0], LOADER, arguments(made[0], LOADER), is_open(made[0]), False)


def holds_examples(names: Names, node: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *node* is a batch of a ``DataLoader`` or a part of one, also moved or converted."""
    while isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname in _CONVERTS:
        node = node.func.expr
    if is_of_batch(names, node):
        return True
    if not isinstance(node, nodes.Name) or depth > _DEEPEST:
        return False
    definitions = scopes.definitions(node, node.name)
    return bool(definitions) and all(
        isinstance(one.statement(), nodes.Assign)
        and all(holds_examples(names, value, depth + 1) for value in given_to(one))
        for one in definitions
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Moved:
    """The move *node* of a batch of *loader* to an accelerator, in the training loop *loop*."""

    node: nodes.Call
    loader: TorchCall
    loop: nodes.For | nodes.While


@functools.lru_cache(maxsize=1)
def batches_moved(source: Source) -> tuple[Moved, ...]:
    """Return the moves of batches to the GPU in training loops, in the order of the text; none if no model is there."""
    found: dict[nodes.NodeNG, Moved] = {}
    for step in training_steps(source) if modules_on_gpu(source) else ():
        loader = loader_of(source, step.loop)
        if loader is None:
            continue
        for call in source.index.within(step.loop, nodes.Call):
            if to_accelerator(source.names, call) and holds_examples(source.names, call.func.expr):
                found.setdefault(call, Moved(call, loader, step.loop))
    return tuple(sorted(found.values(), key=lambda moved: position(moved.node)))
