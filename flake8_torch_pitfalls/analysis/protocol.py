"""Questions about the order of events in a run: is there a path from here to there without that?

A path decides a test that stands in the text more than once the same way each time it meets it, so
``if last: step()`` … ``if last: clear()`` is no path that steps and skips the clearing. It keeps that
decision in later passes of a loop too: a path may be missed where the test changes, none is made up.
"""
from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.events import Condition, Event, Run, Stop
from flake8_torch_pitfalls.analysis.tree import ancestors

Test = Callable[[Event], bool]
_Decided = frozenset[tuple[object, bool]]
"""Tests and how they came out."""
_LARGEST_SEARCH = 4_000
_LARGEST_TOTAL = 100_000
"""Steps of all searches in one run together: a run of hundreds of branches is left half searched."""


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
    stack = [(start, _context(start, repeated))]
    seen: set[tuple[int, _Decided]] = set()
    given: set[int] = set()
    while stack and len(seen) < _LARGEST_SEARCH and run.searched < _LARGEST_TOTAL:
        stop, assumed = stack.pop()
        run.searched += 1
        for way in reversed(stop.ways):
            if way.empty and not empty_loops:
                continue
            decided = assumed
            if way.condition is not None and repeated:
                test, negated = condition_key(way.condition)
                if test in repeated and not isinstance(way.condition[0].parent, nodes.While):
                    value = way.condition[1] ^ negated
                    if (test, not value) in assumed:
                        continue
                    decided = assumed | {(test, value)}
            to = way.to
            state = (id(to), decided)
            if state in seen:
                continue
            seen.add(state)
            if to.event is not None and without(to.event):
                continue
            if id(to) not in given:
                given.add(id(to))
                yield to
            stack.append((to, decided))


def condition_key(condition: Condition) -> tuple[object, bool]:
    """Return (what is tested, whether the text negates it), the same for ``if x`` and ``if not x``."""
    test, _, frame = condition
    text, negated = _text(test)
    return (text, frame), negated


@functools.lru_cache(maxsize=1_024)
def _text(test: nodes.NodeNG) -> tuple[str, bool]:
    negated = False
    while isinstance(test, nodes.UnaryOp) and test.op == "not":
        test, negated = test.operand, not negated
    return test.as_string(), negated


@functools.lru_cache(maxsize=4)
def _repeated_tests(run: Run) -> frozenset[object]:
    """Return the tests that stand at more than one place of *run*; those of loops come out either way."""
    places: dict[object, set[nodes.NodeNG]] = collections.defaultdict(set)
    for stop in run.stops:
        for way in stop.ways:
            if way.condition is not None and not isinstance(way.condition[0].parent, nodes.While):
                places[condition_key(way.condition)[0]].add(way.condition[0])
    return frozenset(test for test, found in places.items() if len(found) > 1)


def _context(start: Stop, repeated: frozenset[object]) -> _Decided:
    """Return the outcomes of the tests in whose branches *start* stands."""
    decided: set[tuple[object, bool]] = set()
    if start.event is not None:
        for test, taken, frame in guards(start.event):
            key, negated = condition_key((test, taken, frame))
            if key in repeated:
                decided.add((key, taken ^ negated))
    return frozenset(decided)


def guards(event: Event) -> Iterator[Condition]:
    """Yield the tests in whose branches *event* stands, innermost first, also those around the calls to it."""
    frames = [event.node, *reversed(event.stack)]
    for depth, node in enumerate(frames):
        below = node
        for parent in ancestors(node):
            if isinstance(parent, (nodes.FunctionDef, nodes.Module)):
                break
            if isinstance(parent, nodes.If) and below is not parent.test:
                yield parent.test, below in parent.body, event.stack[: len(event.stack) - depth]
            below = parent
