"""In which mode, train or eval, a module may be where a run calls it, and what speaks for an evaluation."""
from __future__ import annotations

import enum
import re

from astroid import nodes

from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.places import Place
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import Index, ancestors, argument, constant, dotted, function_of, walk
from flake8_torch_pitfalls.analysis.values import Instance


_EVALUATION = re.compile(
    r"(^|[^a-z])(test|eval|evaluate|evaluation|evaluating|valid|validate|validation|val|infer|inference|predict|dev)"
    r"($|[^a-z])",
    re.IGNORECASE,
)


class Mode(enum.Enum):
    """What was last said of a module's mode."""

    START = "nothing since the run began"
    TRAIN = "train mode"
    EVAL = "eval mode"
    UNKNOWN = "what cannot be told"


class Modes:
    """The modes of the modules of one run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._before: dict[int, list[Stop]] = {id(stop): [] for stop in run.stops}
        for stop in run.stops:
            for way in stop.ways:
                if not way.empty:
                    self._before[id(way.to)].append(stop)

    def at(self, stop: Stop) -> frozenset[Mode]:
        """Return the modes in which the module that *stop* runs forward may be, over all ways there."""
        return frozenset(mode for mode, _ in self.last_said(stop))

    def last_said(self, stop: Stop) -> list[tuple[Mode, Event | None]]:
        """Return each mode that the module of *stop* may be in, with the event that said so."""
        event = stop.event
        assert event is not None
        found: list[tuple[Mode, Event | None]] = []
        seen = {id(stop)}
        stack = [stop]
        while stack:
            current = stack.pop()
            if current is self.run.entry:
                found.append((Mode.START, None))
            for before in self._before[id(current)]:
                if id(before) in seen:
                    continue
                seen.add(id(before))
                said = said_of(event, before.event) if before.event is not None else None
                if said is None:
                    stack.append(before)
                else:
                    found.append((said, before.event))
        return found


def said_of(forward: Event, event: Event) -> Mode | None:
    """Return what *event* says of the mode of the module that *forward* runs, None if nothing."""
    if event.do is Do.UNKNOWN:
        return Mode.UNKNOWN if event.place is not None and _covers(event.place, forward.place) else None
    if event.do not in (Do.EVAL, Do.TRAIN):
        return None
    relation = _same(forward, event)
    if relation is False:
        return None
    if relation is None:
        return Mode.UNKNOWN if event.do is Do.EVAL or not _are_plain(forward.place, event.place) else None
    if event.detail == "either" or _entered(event):
        return Mode.UNKNOWN
    return Mode.EVAL if event.do is Do.EVAL else Mode.TRAIN


def may_cover(forward: Event, event: Event) -> bool:
    """Return whether *event* may be about the module that *forward* runs, or a part of it."""
    return _same(forward, event) is not False


def trains_in_same_loop(run: Run, event: Event) -> bool:
    """Return whether each iteration of the innermost loop around *event*, or its function, also goes backward."""
    around = event.loops()
    return any(
        around[0] in stop.event.loops()
        if around
        else isinstance(run.root, nodes.FunctionDef) and not stop.event.loops()
        for stop in run.events(Do.BACKWARD)
        if stop.event is not None
    )


def switches_by_name(index: Index) -> bool:
    """Return whether the file calls methods that it only names at run time: ``getattr(net, mode)()``."""
    return any(
        isinstance(call.parent, nodes.Call)
        and call.parent.func is call
        and not call.parent.args
        and not isinstance(constant(argument(call, 1, None)), str)
        for call in index.calls.get("getattr", ())
    )


def is_in_own_manager(names: Names, event: Event) -> bool:
    """Return whether *event* runs inside a ``with`` of a project's class that switches modes on entry."""
    return any(
        isinstance(value, Instance)
        and isinstance(value.cls, nodes.ClassDef)
        and (enter := names.method(value.cls, "__enter__")) is not None
        and any(isinstance(node, nodes.Attribute) and node.attrname in ("eval", "train") for node in walk(enter))
        for place in (event.node, *event.stack)
        for block in ancestors(place)
        if isinstance(block, nodes.With) and function_of(block) is function_of(place)
        for context, _ in block.items
        for value in names.values(context)
    )


def modules_of(names: Names, kinds: Kinds, event: Event) -> list[Instance]:
    """Return what the module of *event* may be: the variable that the run began with tells more than a parameter."""
    found = kinds.instances(event.subject, "module")
    if event.place is not None and all(module.made_at is None for module in found):
        targets = getattr(event.place.owner, "locals", {}).get(event.place.path, ())
        values = [
            value for target in targets if isinstance(target, nodes.AssignName) for value in names.values(target)
        ]
        return [value for value in values if isinstance(value, Instance)] or found
    return found


def named_evaluation(event: Event) -> bool:
    """Return whether *event* runs in a loop, and its functions or what the loop goes over are named for evaluation."""
    around = event.loops()
    functions = [function_of(node) for node in (event.node, *event.stack)]
    texts = [function.name for function in functions if isinstance(function, nodes.FunctionDef)]
    texts += [loop.iter.as_string() for loop in around if isinstance(loop, nodes.For)]
    return bool(around) and any(_EVALUATION.search(text) for text in texts)


def _same(forward: Event, event: Event) -> bool | None:
    """Return whether *event* is about the whole module of *forward*; None if that cannot be told."""
    mine, other = forward.place, event.place
    if mine is not None and other is not None:
        if _covers(other, mine):
            return True
        if mine.holds(other):
            return None  # a part of it
    if forward.made and event.made:
        if forward.made == event.made:
            return True
        if forward.made.isdisjoint(event.made):
            return None if _mentions(event.made, forward) else False
    return None


def _covers(outer: Place, inner: Place | None) -> bool:
    return inner is not None and outer.holds(inner)


def _are_plain(mine: Place | None, other: Place | None) -> bool:
    """Return whether both are variables of one function: two names there are taken for two objects."""
    return (
        mine is not None
        and other is not None
        and mine.owner is other.owner
        and mine.path != other.path
        and mine.path == mine.root
        and other.path == other.root
    )


def _mentions(made: frozenset[nodes.NodeNG], forward: Event) -> bool:
    """Return whether one of the calls in *made* is handed the module of *forward*."""
    place = forward.place
    return place is not None and any(
        dotted(node) == place.path or (isinstance(node, nodes.Name) and node.name == place.root != "self")
        for call in made
        if isinstance(call, nodes.Call)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords or ()))
        for node in walk(argument)
    )


def _entered(event: Event) -> bool:
    """Return whether *event* happens where a ``with`` enters a manager: leaving it may undo the mode."""
    return any(
        isinstance(call.parent, nodes.With) and any(context is call for context, _ in call.parent.items)
        for call in event.stack
    )
