"""Gradient accumulation: backward passes that add up until an optimizer steps.

The step is taken in every k-th pass only, or after a loop over k micro-batches.
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.events import GRADIENTS, Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.protocol import guards, reachable
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    LOOPS,
    Index,
    block_of,
    constant,
    dotted,
    function_of,
    last_name,
    target_text,
    text_of,
    walk_scope,
)

_DEEPEST = 4
_GRADIENT_SCALING = frozenset("div_ mul_ _foreach_div_ _foreach_mul_ copy_".split())
_SCALES_GRADIENTS = re.compile(r"(scal|averag|normali|divid|mean)\w*grad", re.IGNORECASE)
_MICRO = re.compile(r"accum|micro|grad_acc", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class Window:
    """How passes are picked: *test*, as it stands in *statement*, lets a step be taken once in *every* passes."""

    statement: nodes.If
    test: nodes.NodeNG
    counter: nodes.NodeNG
    every: nodes.NodeNG


@dataclasses.dataclass(frozen=True, slots=True)
class Accumulation:
    """The gradients of *every* passes of *backward* are used by one *step*.

    *window* tells how the passes with a step are picked, None where the step comes after a loop over the others.
    """

    run: Run
    backward: Event
    step: Event
    every: nodes.NodeNG
    window: Window | None


def accumulations(source: Source) -> Iterator[Accumulation]:
    """Yield what is accumulated in the runs of *source*, in their order."""
    for run in source.runs.roots:
        for step in run.events(Do.STEP):
            assert step.event is not None
            window = _window(source.names, step.event)
            if window is None and not _has_inner_loop(run, step.event):
                continue
            for backward in _piling_up(source, run, step):
                every = window.every if window is not None else _micro_batches(backward, step.event)
                if every is not None and constants(source.names, every) != {1}:
                    yield Accumulation(run, backward, step.event, every, window)


# -- backward passes -----------------------------------------------------------------------------------


def _piling_up(source: Source, run: Run, step: Stop) -> list[Event]:
    """Return the backward passes that *step* finds added up; none if it also uses one that is taken with it."""
    piling: list[Event] = []
    single: list[Event] = []
    for stop in run.events(Do.BACKWARD):
        backward = stop.event
        if backward is None or optimizers.is_framework(backward) or not _is_used_by(source, run, stop, step):
            continue
        (piling if _comes_again(source, run, stop, step) else single).append(backward)
    losses = {text_of(backward.subject) for backward in piling}
    return piling if all(text_of(backward.subject) in losses for backward in single) else []


def _is_used_by(source: Source, run: Run, backward: Stop, step: Stop) -> bool:
    def ends(event: Event) -> bool:
        return event is not step.event and _ends(source, event, step)

    return any(stop is step for stop in reachable(run, backward, ends))


def _comes_again(source: Source, run: Run, backward: Stop, step: Stop) -> bool:
    """Return whether *backward* is reached once more with its gradients still there, in this run or the next."""
    def ends(event: Event) -> bool:
        return _ends(source, event, step)

    after = set(reachable(run, backward, ends))
    if backward in after:
        return True
    assert backward.event is not None
    if backward.event.loops() or not isinstance(run.root, nodes.FunctionDef) or run.exit not in after:
        return False
    start = run.entry
    return start is backward or (
        not (start.event is not None and ends(start.event)) and backward in set(reachable(run, start, ends))
    )


def _ends(source: Source, event: Event, step: Stop) -> bool:
    """Return whether *event* may use or drop the gradients that *step* waits for."""
    assert step.event is not None
    if event.do is Do.CLEAR:
        return optimizers.clears(source.names, source.kinds, event, step.event) is not False
    return event.do is Do.STEP or (event.do is Do.UNKNOWN and optimizers.touches(source.names, event, step.event))


# -- a loop over micro-batches -------------------------------------------------------------------------


def _has_inner_loop(run: Run, step: Event) -> bool:
    backwards = (stop.event for stop in run.events(Do.BACKWARD))
    return any(event is not None and _micro_batches(event, step) is not None for event in backwards)


def _micro_batches(backward: Event, step: Event) -> nodes.NodeNG | None:
    """Return how many parts of a batch the loop around *backward* goes through before *step*, None if it is no such."""
    around = step.loops()
    inner = [loop for loop in backward.loops() if loop not in around]
    if len(inner) != 1 or not isinstance(inner[0], nodes.For):
        return None
    for call in inner[0].iter.nodes_of_class(nodes.Call):
        if len(call.args) == 1 and not call.keywords:
            if last_name(call.func) in ("chunk", "tensor_split"):
                return call.args[0]
            if last_name(call.func) == "range" and _MICRO.search(call.args[0].as_string()):
                return call.args[0]
    return None


# -- every k-th pass -----------------------------------------------------------------------------------


def _window(names: Names, step: Event) -> Window | None:
    """Return which passes take *step*, None if it is no fixed share of them."""
    for statement, test, taken in _conditions(step):
        found = _periodic(names, test, taken, statement, 0)
        if found is not None:
            return Window(statement, test, *found)
    return None


def _conditions(step: Event) -> Iterator[tuple[nodes.If, nodes.NodeNG, bool]]:
    """Yield the tests that decide whether *step* is taken: those around it, and those that skip it."""
    for test, taken, _ in guards(step):
        yield test.parent, test, taken
    for node in (step.node, *reversed(step.stack)):
        below = node.statement()
        while not isinstance(below, (nodes.FunctionDef, nodes.Module, nodes.ClassDef)):
            for statement in block_of(below):
                if statement is below:
                    break
                if isinstance(statement, nodes.If) and isinstance(statement.body[-1], (nodes.Continue, nodes.Return)):
                    yield statement, statement.test, False
            if isinstance(below, LOOPS):
                break
            below = below.parent


def _periodic(
    names: Names, test: nodes.NodeNG, taken: bool, statement: nodes.If, depth: int
) -> tuple[nodes.NodeNG, nodes.NodeNG] | None:
    """Return (what is counted, how many passes make a window) if *test* comes out *taken* once in each window."""
    if depth > _DEEPEST:
        return None
    match test:
        case nodes.UnaryOp(op="not"):
            return _periodic(names, test.operand, not taken, statement, depth)
        case nodes.BoolOp() if taken or test.op == "or":
            found = (_periodic(names, value, taken, statement, depth) for value in test.values)
            return next((one for one in found if one is not None), None)
        case nodes.BinOp(op="%") if not taken:
            return test.left, test.right
        case nodes.Compare(left=left, ops=[(operator, right)]):
            if constant(left) == 0:
                left, right = right, left
            if isinstance(left, nodes.BinOp) and left.op == "%":
                return (left.left, left.right) if taken == (operator in ("==", "<", "<=")) else None
            if taken and operator in ("==", ">=") and _is_counter(left, statement):
                return left, right
        case nodes.Name():
            definitions = scopes.definitions(test, test.name)
            if len(definitions) == 1 and isinstance(definitions[0].parent, nodes.Assign):
                return _periodic(names, definitions[0].parent.value, taken, statement, depth + 1)
        case nodes.Call():
            results = [
                returned.value
                for function in names.callee(test)
                for returned in names.index_of(function.node).returns.get(function.node, ())
            ]
            if len(results) == 1 and results[0] is not None:
                return _periodic(names, results[0], taken, statement, depth + 1)
    return None


def _is_counter(node: nodes.NodeNG, statement: nodes.If) -> bool:
    """Return whether *node* is counted up by one, and starts anew below *statement*."""
    text = dotted(node)
    if text is None:
        return False
    return any(
        isinstance(each, nodes.AugAssign) and each.op == "+=" and constant(each.value) == 1
        and target_text(each.target) == text
        for each in walk_scope(function_of(statement))
    ) and any(
        isinstance(each, nodes.Assign) and constant(each.value) == 0
        and any(target_text(target) == text for target in each.targets)
        for inner in statement.body
        for each in walk_scope(inner)
    )  # fmt: skip


def rescales_gradients(index: Index) -> bool:
    """Return whether something in the file changes gradients that are there, so that losses need not be scaled."""
    return (
        any(
            isinstance(target.parent, (nodes.AugAssign, nodes.Assign)) and _is_given_a_value(target)
            for name in GRADIENTS
            for target in index.stores.get(name, ())
        )
        or any("grad" in call.as_string() for name in _GRADIENT_SCALING for call in index.calls.get(name, ()))
        or any(_SCALES_GRADIENTS.search(name) for name in index.calls)
    )


def _is_given_a_value(target: nodes.AssignAttr) -> bool:
    """Return whether the gradient *target* is assigned something else than nothing."""
    value = target.parent.value
    return not (isinstance(value, nodes.Const) and not value.value)


def loop_of(found: Accumulation) -> nodes.For | nodes.While | None:
    """Return the innermost loop whose passes are accumulated, None if it is out of view."""
    around = found.step.loops()
    return next((loop for loop in found.backward.loops() if loop in around), None)
