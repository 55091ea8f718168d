"""A module is put into eval mode for an evaluation, and training goes on without `train()`.

## What happens
`eval()` lasts until `train()` is called. Where an evaluation in the middle of training calls the one and not the
other, the rest of training runs in eval mode: dropout no longer drops anything, and batch norm normalizes with
running statistics that are no longer updated. Nothing raises; the model overfits as if it had no dropout, or its
statistics stay those of the first epoch.

## What to write
`model.train()` after the evaluation, or at the top of each epoch (inside the loop, not before it).

```python
for epoch in range(epochs):
    model.train()
    train_epoch(model, train_loader, optimizer)
    model.eval()
    evaluate(model, valid_loader)
```

## Silent
- `train()` on every way from the evaluation to the next training step, by a caller or a callee.
- The mode saved and restored: `model.train(was_training)`, `model.train(phase == "train")`, a context manager.
- A mode that is named at run time: `getattr(model, mode)()`.
- Training in eval mode on purpose: `eval()` with no evaluation after it.
- Modules whose layers are all known and behave the same in both modes; modules that override `train()`.
- Modules that no optimizer in view trains, such as the network behind a perceptual loss or an adversarial attack.

## Known limits
Evaluation and training must be seen in one run: a loop out of view that calls both is not known. A module that is
handed to code that cannot be read may have any mode afterwards.

## Sources
- `torch.nn.Module.train` and `torch.nn.Module.eval` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.modes import OFF, by_framework, records_grad
from flake8_torch_pitfalls.analysis.optimizers import clears_by, made
from flake8_torch_pitfalls.analysis.protocol import reachable
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.train_eval import Mode, modules_of, said_of, switches_by_name
from flake8_torch_pitfalls.analysis.tree import block_of, decorator_names, function_of, last_name, text_of, walk
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"eval", "train"}

_PLAIN_DECORATORS = frozenset("no_grad inference_mode staticmethod classmethod".split())


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``eval()`` after which training goes on."""
    if switches_by_name(source.index):
        return
    seen: set[nodes.NodeNG] = set()
    for run in source.runs.roots:
        for switch in run.events(Do.EVAL):
            event = switch.event
            assert event is not None
            place = _place(source, event)
            if place is None or place in seen or _may_restore(source, event) or not _depends_on_mode(source, event):
                continue
            if (training := _training_after(source, run, switch)) is not None and _evaluates(source, run, switch):
                seen.add(place)
                yield Finding(place, _message(event, place, training))


def _place(source: Source, event: Event) -> nodes.NodeNG | None:
    """Return the call in the linted file that puts the module into eval mode."""
    return next((node for node in (event.node, *reversed(event.stack)) if node.root() is source.module), None)


def _message(switch: Event, place: nodes.NodeNG, training: Event) -> str:
    name = text_of(switch.subject)
    where = f"line {training.node.lineno}" if training.node.root() is place.root() else "the next backward pass"
    return f"'{name}' is still in eval mode when training goes on ({where}); call '{name}.train()' after the evaluation"


# -- the module -----------------------------------------------------------------------------------------


def _may_restore(source: Source, switch: Event) -> bool:
    """Return whether a function that *switch* runs in, or its decorator, asks for the mode to put it back."""
    asking = {function_of(node) for node in source.names.index_of(switch.node).attributes.get("training", ())}
    return any(
        function in asking or not decorator_names(function) <= _PLAIN_DECORATORS
        for node in (switch.node, *switch.stack)
        for function in [function_of(node)]
    )


def _depends_on_mode(source: Source, switch: Event) -> bool:
    modules = modules_of(source.names, source.kinds, switch)
    if any(_overrides_modes(source, module) for module in modules):
        return False
    return layers.any_has(source.names, modules, layers.Trait.MODES) is not False


def _overrides_modes(source: Source, module: Instance) -> bool:
    return isinstance(module.cls, nodes.ClassDef) and any(
        source.names.method(module.cls, name) is not None for name in ("train", "eval")
    )


# -- training goes on -----------------------------------------------------------------------------------


def _training_after(source: Source, run: Run, switch: Stop) -> Event | None:
    """Return the backward pass that trains the module in the mode that *switch* has set."""
    for backward in _unrestored(run, switch):
        event = backward.event
        if event is None or event.do is not Do.BACKWARD or by_framework(source.names, event.node, event.stack):
            continue
        for step in _unrestored(run, switch, backward):
            if step.event is not None and step.event.do is Do.STEP and _trains(source, run, switch, step.event):
                return event
    return None


def _unrestored(run: Run, switch: Stop, start: Stop | None = None) -> Iterator[Stop]:
    """Yield what may run after *start*, or *switch*, before anything else is said of the mode of its module."""
    event = switch.event
    assert event is not None
    return reachable(run, start or switch, lambda other: other is not event and said_of(event, other) is not None)


def _trains(source: Source, run: Run, switch: Stop, step: Event) -> bool:
    """Return whether the optimizer of *step* holds the parameters of the module of *switch*."""
    event = switch.event
    assert event is not None
    if event.subject is None or step.subject is None:
        return False
    answer = clears_by(source.names, source.kinds, event.subject, step.subject)
    if answer is None:
        return not _holds_tensors(source, step.subject) and any(
            _is_same(event, forward.event) and Use.BACKWARD in _uses(source, forward.event)
            for forward in run.events(Do.FORWARD)
            if forward.event is not None and set(forward.event.loops()) & set(step.loops())
        )
    return answer


def _holds_tensors(source: Source, optimizer: nodes.NodeNG) -> bool:
    """Return whether *optimizer* is made in view from something that is no module's parameters: an image, a code."""
    calls = made(source.names, optimizer)
    return bool(calls) and all(
        isinstance(call, nodes.Call)
        and call.args
        and not any("param" in (last_name(node) or "").lower() for node in walk(call.args[0]))
        for call in calls
    )


def _is_same(switch: Event, forward: Event) -> bool:
    return said_of(forward, switch) is Mode.EVAL


def _uses(source: Source, forward: Event) -> set[Use]:
    return uses(source.names, forward.node, forward.stack)


# -- after an evaluation --------------------------------------------------------------------------------


def _evaluates(source: Source, run: Run, switch: Stop) -> bool:
    """Return whether *switch* is followed by an evaluation: a model that is tuned in eval mode is none."""
    event = switch.event
    assert event is not None
    if _stops_recording_next(source, event):
        return True
    return any(
        stop.event is not None
        and stop.event.do is Do.FORWARD
        and _is_same(event, stop.event)
        and Use.BACKWARD not in (found := _uses(source, stop.event))
        and (Use.DATA in found or records_grad(source.names, stop.event.node, stop.event.stack) is False)
        for stop in _unrestored(run, switch)
    )


def _stops_recording_next(source: Source, switch: Event) -> bool:
    """Return whether the block of *switch* goes on with ``with torch.no_grad():``."""
    block = block_of(switch.node.statement())
    after = block[block.index(switch.node.statement()) + 1 :] if block else []
    return any(
        isinstance(statement, nodes.With)
        and any(isinstance(context, nodes.Call) and source.names.symbol(context.func) in OFF
                for context, _ in statement.items)
        for statement in after
    )  # fmt: skip
