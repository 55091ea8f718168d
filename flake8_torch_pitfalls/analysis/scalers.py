"""Which gradient scaler an event is about: a ``GradScaler``, which multiplies losses and divides gradients."""
from __future__ import annotations

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.events import Do, Event, scaling_of
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.optimizers import same
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.values import Instance

_READING = frozenset(("scale", "get_scale", "is_enabled", "state_dict", "load_state_dict"))
"""Methods of a scaler that neither step nor unscale nor update."""


def scaler_of(names: Names, kinds: Kinds, event: Event) -> nodes.NodeNG | None:
    """Return the scaler that *event* goes through, an expression; None if there is none that scales."""
    call = event.node
    if event.do is Do.BACKWARD:
        call = scaling_of(call.func.expr) if event.detail == "scaled" else None
    if call is None or not isinstance(call.func, nodes.Attribute):
        return None
    return call.func.expr if scales(names, kinds, call.func.expr) else None


def scales(names: Names, kinds: Kinds, node: nodes.NodeNG) -> bool:
    """Return whether *node* is one of torch's scalers, and not one that is switched off for good."""
    return kinds.of(node, "scaler") is True and not _is_off(names, node)


def _is_off(names: Names, scaler: nodes.NodeNG) -> bool:
    made = [value for value in names.known(scaler) if isinstance(value, Instance)]
    return bool(made) and all(_is_made_off(names, value) for value in made)


def _is_made_off(names: Names, scaler: Instance) -> bool:
    if not isinstance(scaler.made_at, nodes.Call) or not isinstance(scaler.cls, str):
        return False
    given = arguments(scaler.made_at, scaler.cls)
    return "enabled" in given and constants(names, given["enabled"]) == {False}


def may_use(names: Names, event: Event, *objects: nodes.NodeNG | None) -> bool:
    """Return whether *event* hands one of *objects*, scalers or optimizers, to code that cannot be read."""
    if event.do is not Do.UNKNOWN or event.subject is None:
        return False
    func = getattr(event.node, "func", None)
    if isinstance(func, nodes.Attribute) and func.attrname in _READING:
        return False
    return any(thing is not None and same(names, event.subject, thing) is True for thing in objects)
