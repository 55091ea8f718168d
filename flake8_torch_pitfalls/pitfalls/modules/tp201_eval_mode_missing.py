"""An evaluation runs in train mode, so dropout and batch norm stay active.

## What happens
A module is in train mode until `eval()` is called on it. In train mode dropout zeroes activations at random and
batch norm normalizes with the statistics of the batch at hand, so one input gives other outputs each time and
with other neighbours in its batch. Batch norm also moves its running statistics towards the evaluation data, so
that evaluating changes the model. `torch.no_grad()` and `torch.inference_mode()` change none of this.

## What to write
`model.eval()` before the evaluation, and `model.train()` before training goes on.

## Silent
- `eval()`, `train(False)` or a mode that is only known at run time, by the function, a caller or a context manager.
- Modules whose layers are all known and behave the same in both modes.
- A forward whose result enters training: targets, features, pseudo labels.
- A result that is dropped, drawn as a picture, or only asked for its shape: recalibrated batch norm, warm-up,
  samples of a generator, the size of a layer.
- Hooks that Lightning, transformers or ignite call; functions handed to other code.
- Dropout left on for its own sake, in a function or class that says so (`mc_dropout`, `uncertainty`).

## Known limits
A module that arrives from out of view counts only where `train()` was called on it in view. A module that was
handed to code that cannot be read may have any mode.

## Sources
- `torch.nn.Module.eval`, `torch.nn.BatchNorm2d` and `torch.nn.Dropout` in PyTorch's documentation.
- "Locally disabling gradient computation", PyTorch notes: evaluation mode is independent of no-grad mode.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.modes import by_framework, records_grad
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.train_eval import (
    Mode,
    Modes,
    is_in_own_manager,
    may_cover,
    modules_of,
    named_evaluation,
    switches_by_name,
    trains_in_same_loop,
)
from flake8_torch_pitfalls.analysis.tree import class_of, function_of, is_called, text_of
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.analysis.values import Instance, Unknown
from flake8_torch_pitfalls.finding import Finding

WORDS = {"no_grad", "inference_mode", "set_grad_enabled", "train", "backward"}

_ON_PURPOSE = re.compile(r"mc_?drop|monte_?carlo|dropout|uncertain|bayes|calibrat|(^|_)bn(_|$)|ensemble", re.IGNORECASE)
_RESULT = {Use.DATA, Use.META, Use.RETURNED, Use.HANDED, Use.DROPPED}


def check(source: Source) -> Iterator[Finding]:
    """Yield the first forward of each evaluation that runs a module in train mode."""
    if any(not is_called(node) for node in source.index.attributes.get("eval", ())):
        return  # handed over, or its parentheses are missing, which is a fault of its own
    if switches_by_name(source.index):
        return
    seen: set[tuple[nodes.NodeNG, str]] = set()
    for run in source.runs.roots:
        modes = Modes(run)
        for stop in run.events(Do.FORWARD):
            event = stop.event
            assert event is not None and event.subject is not None
            key = (function_of(event.node), text_of(event.subject))
            if event.node.root() is source.module and key not in seen:
                if _evaluates(source, run, event) and (culprit := _culprit(source, modes, stop)) is not None:
                    seen.add(key)
                    yield _finding(event, culprit)


def _finding(event: Event, culprit: nodes.NodeNG) -> Finding:
    name = text_of(event.subject)
    if culprit is event.node:
        return Finding(culprit, f"'{name}' is in train mode while it is evaluated; call '{name}.eval()' first")
    return Finding(culprit, f"'{text_of(culprit.func)}()' precedes an evaluation; call '{name}.eval()' instead")


# -- is it an evaluation? ------------------------------------------------------------------------------


def _evaluates(source: Source, run: Run, event: Event) -> bool:
    """Return whether *event* is a forward for the sake of its numbers, outside training."""
    if _on_purpose(event) or by_framework(source.names, event.node, event.stack):
        return False
    if is_in_own_manager(source.names, event):
        return False
    if _has_modes(source, event) is False:
        return False
    recorded = records_grad(source.names, event.node, event.stack)
    if recorded is None or (recorded and not named_evaluation(event)):
        return False
    found = uses(source.names, event.node, event.stack, beyond_data=True)
    if Use.DATA not in found:
        return False
    return found <= ({Use.DATA, Use.META, Use.DROPPED} if trains_in_same_loop(run, event) else _RESULT)


def _on_purpose(event: Event) -> bool:
    for node in (event.node, *event.stack):
        function, owner = function_of(node), class_of(node)
        if any(_ON_PURPOSE.search(getattr(scope, "name", None) or "") for scope in (function, owner)):
            return True
    return False


def _has_modes(source: Source, event: Event) -> bool | None:
    """Return whether the module of *event* has layers for which the mode matters."""
    return layers.any_has(source.names, modules_of(source.names, source.kinds, event), layers.Trait.MODES)


# -- in which mode? ------------------------------------------------------------------------------------


def _culprit(source: Source, modes: Modes, stop: Stop) -> nodes.NodeNG | None:
    """Return where train mode comes from: the forward, or a ``train()`` that only this evaluation follows.

    None means that the module is, or may be, in eval mode.
    """
    event = stop.event
    assert event is not None
    said = modes.last_said(stop)
    kinds = {mode for mode, _ in said}
    if not kinds or not kinds <= {Mode.START, Mode.TRAIN}:
        return None
    if Mode.TRAIN not in kinds and not _starts_in_train_mode(source, modes.run, event):
        return None
    function = function_of(event.node)
    callers = {before.node for _, before in said if before is not None and before.stack == event.stack}
    if len(said) == 1 and len(callers) == 1 and isinstance(function, nodes.FunctionDef):
        [call] = callers
        if function_of(call) is function and not _trains(modes.run, function):
            return call
    return event.node


def _trains(run: Run, function: nodes.FunctionDef) -> bool:
    """Return whether *function*, or what it calls, goes backward."""
    return any(
        function_of(node) is function
        for stop in run.events(Do.BACKWARD)
        if stop.event is not None
        for node in (stop.event.node, *stop.event.stack)
    )


def _starts_in_train_mode(source: Source, run: Run, event: Event) -> bool:
    """Return whether the module of *event* is fresh, trained or loaded, and nothing in view evaluates it."""
    if not _is_fresh(source, event) or _has_modes(source, event) is not True:
        return False
    if not ({"load_state_dict", "backward"} & source.index.calls.keys()):
        return False  # a module nobody trained: a trial of its shapes or its speed
    place = event.place
    assert place is not None
    if isinstance(run.root, nodes.FunctionDef) and place.owner is not run.root:
        if not isinstance(place.owner, (nodes.ClassDef, nodes.Module)):
            return False
        owner = place.owner
        if isinstance(owner, nodes.ClassDef) and source.names.derives(owner, "torch.nn.Module") is not False:
            return False
    return not any(may_cover(event, other) for other in _evals_elsewhere(source, run))


def _is_fresh(source: Source, event: Event) -> bool:
    """Return whether all that the module may be is made in view, in train mode as PyTorch makes modules."""
    values = source.names.values(event.subject)
    if event.place is None or any(isinstance(value, Unknown) for value in values):
        return False
    modules = modules_of(source.names, source.kinds, event)
    if not event.made and any(module.made_at is None for module in modules):
        return False  # known by annotation only
    return bool(modules) and all(
        isinstance(value.cls, nodes.ClassDef) or value.cls.startswith(("torch.nn.", "torchvision.models."))
        for value in (*values, *modules)
        if isinstance(value, Instance)
    )


def _evals_elsewhere(source: Source, run: Run) -> Iterator[Event]:
    """Yield what puts a module in eval mode, or may, without being a part of *run*."""
    inside = {stop.event.node for stop in run.events() if stop.event is not None}
    for word in ("eval", "train"):
        for call in source.index.calls.get(word, ()):
            if call not in inside and isinstance(call.func, nodes.Attribute) and (word == "eval" or call.args):
                yield source.runs.event(Do.EVAL, call, call.func.expr)
