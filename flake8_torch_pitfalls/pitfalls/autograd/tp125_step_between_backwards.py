"""An optimizer steps between a forward pass and a later backward pass through it.

## What happens
A backward pass needs the weights as they were in the forward pass: autograd saved them. `step()` changes them in place.
A `backward()` after that, through the same forward pass, raises "one of the variables needed for gradient computation
has been modified by an inplace operation". Typical is a GAN whose two losses are computed first, or an actor's loss
that went through the critic before the critic's step.

## What to write
Either all backward passes before the first step, or a fresh forward pass after it:
```python
d_loss.backward()
optimizer_d.step()
g_loss = criterion(discriminator(fake), ones)
g_loss.backward()
optimizer_g.step()
```

## Silent
- A fresh forward pass after the step.
- A loss that the stepped module has no part in, or only through a detached tensor.
- All backward passes before the steps.
- A single layer whose input needs no gradient: autograd saves no weight for it.
- A step on gradients that were just cleared.

## Known limits
The optimizer must hold the whole module that was called. A forward pass inside a helper that only computes the loss is
not followed, nor what is kept in containers.

## Sources
- "In-place correctness checks" in PyTorch's notes on autograd mechanics.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import graphs, optimizers, parameters
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.layers import CONTAINERS, Trait, has
from flake8_torch_pitfalls.analysis.places import place
from flake8_torch_pitfalls.analysis.protocol import guards, path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.analysis.values import Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = parameters.OPTIMIZERS | {"backward"}
DEEP = re.compile(r"\.(RNN|LSTM|GRU|Transformer|MultiheadAttention)")
"""Layers of torch's that save weights of their own, whatever their input is."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward passes that need weights which an optimizer has changed since."""
    for run in source.runs.roots:
        steps = [stop for stop in run.events(Do.STEP) if stop.event is not None and stop.event.subject is not None]
        backwards = [stop for stop in run.events(Do.BACKWARD) if optimizers.is_plain(stop.event)]
        if steps and (len(backwards) > 1 or _retains(source)):
            for backward in backwards:
                yield from _stale(source, run, backward, steps)


def _retains(source: Source) -> bool:
    """Return whether one backward call alone may go through a graph twice."""
    return any(keyword.arg == "retain_graph" for keyword in source.index.of(nodes.Keyword))


def _stale(source: Source, run: Run, backward: Stop, steps: list[Stop]) -> Iterator[Finding]:
    event = backward.event
    assert event is not None
    start, frames = graphs.argument_of(event.subject, event.stack)
    needed = {operation for operation, _, _ in graphs.operations(source, start, frames)}
    for forward in run.events(Do.FORWARD):
        operation = forward.event.node if forward.event is not None else None
        if operation not in needed or not _needs_weights(source, operation):
            continue
        for step in steps:
            if _comes_between(source, run, forward, step, backward):
                yield Finding(_where(source, event, frames), _message(operation, step.event))
                return


def _where(source: Source, event: Event, frames: graphs.Frames) -> nodes.NodeNG:
    """Return the backward call, or that of the helper which gets the loss there, in the linted file."""
    here = (*event.stack, event.node)[len(frames)]
    return next(node for node in (here, *reversed(event.stack)) if node.root() is source.module)


def _message(operation: nodes.Call, step: Event | None) -> str:
    assert step is not None
    stepped = f"'{text_of(step.node.func)}()' (line {step.node.fromlineno})"
    saved = f"'{text_of(operation.func)}' saved at line {operation.fromlineno}"
    return f"{stepped} has changed weights that {saved} for it; step after it"


def _comes_between(source: Source, run: Run, forward: Stop, step: Stop, backward: Stop) -> bool:
    """Return whether *step* changes the module of *forward* before *backward* goes through that forward pass."""
    taken, event, computed = step.event, backward.event, forward.event
    assert taken is not None and event is not None and computed is not None
    if not set(guards(taken)) <= set(guards(event)) | set(guards(computed)):
        return False
    optimizer, _ = graphs.argument_of(taken.subject, taken.stack)
    held = optimizers.modules_of(source.names, optimizer)
    if held is None or not any(_holds(source, module, computed) for module in held):
        return False
    if path(run, forward, lambda other: other is taken, lambda other: False) is None:
        return False
    if path(run, step, lambda other: other is event, lambda other: other.node is computed.node) is None:
        return False
    return not optimizers.never_sees_gradients(source.names, source.kinds, run, step)


def _holds(source: Source, module: nodes.NodeNG, forward: Event) -> bool:
    """Return whether what *forward* runs is *module*, or inside it."""
    assert isinstance(forward.node, nodes.Call)
    called = forward.node.func
    here, there = place(source.names, module), place(source.names, called)
    if here is not None and there is not None and here.holds(there):
        return True
    return optimizers.same(source.names, module, called) is True


def _needs_weights(source: Source, operation: nodes.Call) -> bool:
    """Return whether the backward pass of *operation* reads the weights: its input has a graph, or it is deep."""
    if any(graphs.operations(source, given) for given in operation.args):
        return True
    found = source.kinds.instances(operation.func, "module")
    return all(_is_deep(source, module) for module in found)


def _is_deep(source: Source, module: Instance) -> bool:
    """Return whether *module* is known, or likely, to have layers with parameters one behind the other."""
    if isinstance(module.cls, str):
        if module.cls in CONTAINERS and isinstance(module.made_at, nodes.Call):
            members = [value for given in module.made_at.args for value in source.names.values(given)]
            return _are_several(source, members)
        is_layer = module.cls.startswith("torch.nn.") and module.cls != "torch.nn.Module"
        return not is_layer or DEEP.search(module.cls) is not None
    attributes = source.names.index_of(module.cls).stores
    targets = [target for name in attributes for target in source.names.stores(module.cls, name)]
    given = [target for target in targets if isinstance(target, nodes.AssignAttr)]
    return _are_several(source, [value for target in given for value in source.names.stored(target)])


def _are_several(source: Source, members: list[Value]) -> bool:
    """Return whether several of *members* have parameters, or one is deep by itself."""
    layers = [value for value in members if has(source.names, value, Trait.PARAMETERS) is not False]
    return len(layers) > 1 or any(isinstance(value, Instance) and _is_deep(source, value) for value in layers)
