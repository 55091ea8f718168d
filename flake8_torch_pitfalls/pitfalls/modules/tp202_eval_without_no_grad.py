"""An evaluation records a graph that nothing will ever go backward through.

## What happens
`model.eval()` changes what dropout and batch norm do; autograd records all the same. Each forward keeps the
activations of every layer for a backward pass that never comes: several times the memory that the evaluation
needs, and slower. Where an output or loss is kept without `.item()` or `.detach()`, its whole graph is kept too,
and memory grows with every batch.

## What to write
`with torch.no_grad():` (or `torch.inference_mode()`) around the evaluation, or the decorator of that name on its
function.

## Silent
- Recording is off: by a block, a decorator, a statement, a caller, or a framework's hook.
- A backward pass follows: training with frozen batch norm, distillation, perceptual losses.
- Gradients of the input are wanted: adversarial attacks, saliency.
- The module has no parameters, or they are frozen.
- Unit tests, which compare a few outputs and are done.
- The result leaves the function and nothing in view turns it into plain data, or it is part of a module's
  own forward.

## Known limits
A function that is handed to other code, or whose class has a base out of view, may be called with recording off.
In a function that also goes backward a teacher's `.detach()` is taken as enough, though its graph is built in vain.

## Sources
- "Locally disabling gradient computation" and "Evaluation mode", PyTorch notes on autograd mechanics.
- `torch.no_grad` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.modes import by_framework, records_grad
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.train_eval import (
    Mode,
    Modes,
    may_cover,
    named_evaluation,
    said_of,
    trains_in_same_loop,
)
from flake8_torch_pitfalls.analysis.tree import class_of, constant, function_of, text_of, walk
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.finding import Finding

WORDS = {"eval", "train", "backward"}

_WANTS_GRADIENT = ("backward", "requires_grad_", "register_hook", "register_full_backward_hook", "retain_grad")


def check(source: Source) -> Iterator[Finding]:
    """Yield the first forward of each evaluation that autograd records for nothing."""
    if any("freeze" in name and "unfreeze" not in name for name in source.index.calls):
        return  # what a helper freezes is not followed
    faults: dict[tuple[nodes.NodeNG, str], Event] = {}
    right: set[nodes.NodeNG] = set()
    for run in source.runs.roots:
        modes = Modes(run)
        for stop in run.events(Do.FORWARD):
            event = stop.event
            assert event is not None and event.subject is not None
            if event.node.root() is not source.module:
                continue
            if _is_fault(source, modes, stop):
                faults.setdefault((function_of(event.node), text_of(event.subject)), event)
            else:
                right.add(event.node)
    for (_, name), event in faults.items():
        if event.node not in right:
            yield Finding(event.node, f"'{name}' records a graph that no backward uses; wrap in 'torch.no_grad()'")
        elif event.stack[-1].root() is source.module:  # the function trains as well: it is this call that evaluates
            called = text_of(event.stack[-1].func)
            yield Finding(
                event.stack[-1], f"'{called}' records a graph that no backward uses here; wrap in 'torch.no_grad()'"
            )


def _is_fault(source: Source, modes: Modes, stop: Stop) -> bool:
    event = stop.event
    assert event is not None
    return (
        _evaluates(source, modes, stop)
        and not _is_test(event)
        and records_grad(source.names, event.node, event.stack) is True
        and not by_framework(source.names, event.node, event.stack)
        and not _wants_gradient(source, event)
        and _is_only_data(source, modes.run, event)
        and not _is_frozen(source, event)
        and _has_parameters(source, event) is not False
    )


def _evaluates(source: Source, modes: Modes, stop: Stop) -> bool:
    """Return whether *stop* runs a module in eval mode, or in a loop that is named for evaluation."""
    event = stop.event
    assert event is not None
    said = modes.at(stop)
    if said == {Mode.EVAL} or named_evaluation(event):
        return True
    return said == {Mode.START} and _is_in_eval_mode_elsewhere(source, modes.run, event)


def _is_test(event: Event) -> bool:
    """Return whether *event* stands in a unit test, where a graph costs nothing that matters."""
    function = function_of(event.stack[0] if event.stack else event.node)
    return isinstance(function, nodes.FunctionDef) and function.name.startswith("test") and any(
        isinstance(node, nodes.Assert) or (isinstance(node, nodes.Attribute) and node.attrname.startswith("assert"))
        for node in walk(function)
    )


def _is_in_eval_mode_elsewhere(source: Source, run: Run, event: Event) -> bool:
    """Return whether another method puts the module in eval mode, and none in train mode."""
    others = [
        stop.event
        for other in source.runs.roots
        if other is not run
        for stop in other.events(Do.EVAL, Do.TRAIN)
        if stop.event is not None and may_cover(event, stop.event)
    ]
    return bool(others) and all(said_of(event, other) is Mode.EVAL for other in others)


def _is_only_data(source: Source, run: Run, event: Event) -> bool:
    """Return whether plain numbers are all that comes of *event*."""
    found = uses(source.names, event.node, event.stack)
    if Use.DATA not in found or not found.isdisjoint((Use.BACKWARD, Use.STORED)):
        return False
    if _is_in_module(source, event) and (Use.RETURNED in found or _is_in_forward(event)):
        return False
    out_of_sight = not found.isdisjoint((Use.HANDED, Use.RETURNED))
    return not (out_of_sight and trains_in_same_loop(run, event))


def _is_in_module(source: Source, event: Event) -> bool:
    """Return whether a method of a module starts what leads to *event*: who calls it may go backward."""
    owner = class_of(event.stack[0] if event.stack else event.node)
    return owner is not None and source.names.derives(owner, "torch.nn.Module") is True


def _is_in_forward(event: Event) -> bool:
    function = function_of(event.stack[0] if event.stack else event.node)
    return isinstance(function, nodes.FunctionDef) and "forward" in function.name


def _has_parameters(source: Source, event: Event) -> bool | None:
    modules = source.kinds.instances(event.subject, "module")
    return layers.any_has(source.names, modules, layers.Trait.PARAMETERS)


# -- gradients that are wanted, or cannot come ----------------------------------------------------------


def _wants_gradient(source: Source, event: Event) -> bool:
    """Return whether the function of *event* asks for a gradient, if only the input's."""
    function = function_of(event.node)
    if isinstance(function, nodes.Module):
        return _asks_around(source, event)
    index = source.index
    if any(function_of(call) is function for name in _WANTS_GRADIENT for call in index.calls.get(name, ())):
        return True
    if any(function_of(call) is function for call in index.calls.get("grad", ())):
        return True
    if any(function_of(target) is function for target in index.stores.get("requires_grad", ())):
        return True
    return any(
        keyword.arg == "requires_grad" and constant(keyword.value) is not False
        for call in index.calls_in.get(function, ())
        for keyword in call.keywords or ()
    )


def _asks_around(source: Source, event: Event) -> bool:
    """Return whether the loops around *event*, in a script, hold more than the passes of training."""
    around = event.loops()
    return any(
        loop in around[:1]
        for name in ("requires_grad_", "grad")
        for call in source.index.calls.get(name, ())
        for loop in Event(Do.UNKNOWN, call, None).loops()
    )


def _is_frozen(source: Source, event: Event) -> bool:
    """Return whether the parameters of the module of *event* may be frozen somewhere in the file."""
    return any(may_cover(event, other) and not _is_part(event, other) for other in _freezes(source))


def _is_part(event: Event, other: Event) -> bool:
    return (
        event.place is not None
        and other.place is not None
        and event.place != other.place
        and event.place.holds(other.place)
    )


def _freezes(source: Source) -> Iterator[Event]:
    """Yield what switches the gradients of a module's parameters off: ``requires_grad_(False)``, a loop over them."""
    index = source.index
    for call in index.calls.get("requires_grad_", ()):
        if call.args and constant(call.args[0]) is not True and isinstance(call.func, nodes.Attribute):
            yield source.runs.event(Do.UNKNOWN, call, _module_of(call.func.expr))
    for target in index.stores.get("requires_grad", ()):
        value = getattr(target.statement(), "value", None)
        if constant(value) is not True:
            yield source.runs.event(Do.UNKNOWN, target, _module_of(target.expr))


def _module_of(node: nodes.NodeNG) -> nodes.NodeNG:
    """Return ``net`` for the ``p`` of ``for p in net.parameters()``, else *node* itself."""
    if isinstance(node, nodes.Name):
        for definition in node.lookup(node.name)[1]:
            parent = definition.parent
            while isinstance(parent, nodes.Tuple):
                parent = parent.parent
            source = parent.iter if isinstance(parent, (nodes.For, nodes.Comprehension)) else None
            if isinstance(source, nodes.Call) and isinstance(source.func, nodes.Attribute):
                return source.func.expr
    return node
