"""Questions about the order of events in a run: is there a path from here to there without that?

A path decides a test that stands in the text more than once the same way each time it meets it, within one
pass of the loop around it, so ``if last: step()`` … ``if last: clear()`` is no path that steps and skips the clearing.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.events import Condition, Event, Run, Stop

Test = Callable[[Event], bool]
_LARGEST_SEARCH = 4_000


def path(
    run: Run, start: Stop, goal: Test, without: Test, *, empty_loops: bool = False
) -> Stop | None:
    """Return the first stop after *start* with an event that is a *goal*, reached without any *without*.

    A loop counts as run at least once unless *empty_loops*. None means that there is no such path.
    """
    for stop in reachable(run, start, without, empty_loops=empty_loops):
        if stop.event is not None and goal(stop.event):
            return stop
    return None


def reachable(run: Run, start: Stop, without: Test, *, empty_loops: bool = False) -> Iterator[Stop]:
    """Yield the stops after *start* that control may reach before any event *without*.

    *start* itself is yielded only where a loop leads back to it. Stops whose event is *without* end the
    search and are not yielded.
    """
    repeated = _repeated_tests(run)
    first: dict[object, bool] = {}
    _assume_context(run, start, repeated, first)
    stack = [(start, tuple(sorted(first.items(), key=repr)))]
    seen: set[tuple[int, object]] = set()
    given: set[int] = set()
    while stack and len(seen) < _LARGEST_SEARCH:
        stop, assumed = stack.pop()
        for way in reversed(stop.ways):
            if way.empty and not empty_loops:
                continue
            decided = dict(assumed)
            if way.condition is not None:
                key = condition_key(way.condition)
                if key in repeated:
                    value = way.condition[1] ^ key[1]
                    if decided.setdefault(key[0], value) != value:
                        continue
            to = way.to
            state = (id(to), tuple(sorted(decided.items(), key=repr)))
            if state in seen:
                continue
            seen.add(state)
            if to.event is not None and without(to.event):
                continue
            if id(to) not in given:
                given.add(id(to))
                yield to
            stack.append((to, state[1]))  # type: ignore[arg-type]


def condition_key(condition: Condition) -> tuple[object, bool]:
    """Return (what is tested, whether the text negates it), the same for ``if x`` and ``if not x``."""
    test, _, frame = condition
    negated = False
    while isinstance(test, nodes.UnaryOp) and test.op == "not":
        test, negated = test.operand, not negated
    return (test.as_string(), frame), negated


def _repeated_tests(run: Run) -> set[object]:
    """Return the keys of tests that stand at more than one place of *run*."""
    places: dict[object, set[nodes.NodeNG]] = {}
    for stop in run.stops:
        for way in stop.ways:
            if way.condition is not None:
                places.setdefault(condition_key(way.condition), set()).add(way.condition[0])
    merged: dict[object, set[nodes.NodeNG]] = {}
    for key, found in places.items():
        merged.setdefault(key[0], set()).update(found)  # type: ignore[index]
    return {key for key in places if len(merged[key[0]]) > 1}  # type: ignore[index]


def _assume_context(run: Run, start: Stop, repeated: set[object], assumed: dict[object, bool]) -> None:
    """Assume the tests whose branch *start* stands in."""
    del run
    if start.event is None:
        return
    frames = [start.event.node, *reversed(start.event.stack)]
    for depth, node in enumerate(frames):
        frame = start.event.stack[: len(start.event.stack) - depth]
        below = node
        parent = node.parent
        while parent is not None and not isinstance(parent, (nodes.FunctionDef, nodes.Module)):
            if isinstance(parent, nodes.If) and below is not parent.test:
                key = condition_key((parent.test, True, frame))
                if key in repeated:
                    assumed[key[0]] = (below in parent.body) ^ key[1]
            below, parent = parent, parent.parent
