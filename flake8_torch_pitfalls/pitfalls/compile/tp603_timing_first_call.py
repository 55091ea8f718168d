"""The first call of what `torch.compile` gives compiles it, and just that call is timed.

## What happens
`torch.compile(f)` returns at once. The first call traces the function, generates code for it and builds that: seconds,
where the calls after it take microseconds. A clock around the first call shows the compiler's time as if it were the
speed of the compiled function, which then seems slower than the one that is not compiled.

## What to write
Call it before the clock starts, two or three times with inputs of the shape that is timed, or time with
`torch.utils.benchmark.Timer`, which does so itself:

    for _ in range(3):
        fast(x)
    start = time.perf_counter()
    fast(x)

## Silent
- An earlier call, or any use through which something may have called it.
- Timing the compilation on purpose: a name or text that speaks of compile time, a first or a cold call; a second call
  that is timed too; `torch.compile` itself between the readings of the clock.
- A loop of calls between the readings.
- A compiled function that lives longer than the loop or function that times it.

## Known limits
Only clocks, CUDA events and helpers of the same file that are given the function by its name are known: no timer
objects, no `measure(torch.compile(model))`.

## Sources
- "Introduction to torch.compile" in PyTorch's tutorials: the first calls take longer, as the model is compiled.
"""
from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.clocks import CLOCK_NAMES, differences
from flake8_torch_pitfalls.analysis.lineage import handed_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    COMPREHENSIONS,
    LOOPS,
    Scope,
    ancestors,
    block_of,
    dotted,
    function_of,
    is_open,
    last_name,
    loops_around,
    position,
    target_text,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}

_ON_PURPOSE = re.compile(
    r"compil(e|ing|ation)s?[ _]?(time|took|lat|dur|sec|cost|over|start|end|t0|t1)|"
    r"(time|t|start|end|took|to)_compil(e|ing|ation)$|compilation|first|cold|warm|start-?up|initial|1st",
    re.IGNORECASE,
)
"""Names and texts of those who want to know how long it takes to compile."""
_HARMLESS = frozenset(
    "eval train to cuda cpu half parameters state_dict load_state_dict requires_grad_ __name__ __class__".split()
)
"""Attributes that do not lead to a call of what they belong to."""
_SHOWN_WITHIN = 2
"""Statements after a measurement in which it may be printed."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Region:
    """What stands between two readings of the clock, *start* and *end*; *result* is their difference."""

    start: nodes.Call
    end: nodes.Call
    result: nodes.NodeNG

    def holds(self, node: nodes.NodeNG) -> bool:
        """Return whether *node*, of the same function, stands between the readings."""
        return position(self.start) < position(node) < position(self.end)


@dataclasses.dataclass(frozen=True, slots=True)
class _Timing:
    """*call* runs a compiled function once in *region*, itself or through a helper that *region* is of.

    *definition* is what gave the compiled function its *name*.
    """

    region: _Region
    call: nodes.Call
    name: nodes.Name
    definition: nodes.NodeNG


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of compiled functions that are timed alone and are the first."""
    if not any(source.names.symbol(node) == "torch.compile" for node in source.index.attributes.get("compile", ())):
        return
    timings: dict[nodes.NodeNG, list[_Timing]] = collections.defaultdict(list)
    for region in (*_between_clocks(source), *_between_events(source)):
        for timing in _timings(source, region):
            timings[timing.definition].append(timing)
    for found in timings.values():
        if len({timing.call for timing in found}) == 1 and _is_first(source, found[0]) and not _is_meant(found[0]):
            what = f"the first call of '{found[0].name.name}' compiles it, and only that is timed"
            yield Finding(found[0].call, f"{what}; call it before the clock starts")


# -- what is timed ---------------------------------------------------------------------------------


def _between_clocks(source: Source) -> Iterator[_Region]:
    for scope, readings in differences(source).items():
        calls = source.index.calls_in.get(scope, ())
        for clock, text, result in readings:
            started = [
                call
                for call in calls
                if last_name(call.func) in CLOCK_NAMES
                and isinstance(call.parent, nodes.Assign)
                and text in map(target_text, call.parent.targets)
                and position(call) < position(clock)
            ]
            if started:
                yield _Region(max(started, key=position), clock, result)


def _between_events(source: Source) -> Iterator[_Region]:
    records = source.index.calls.get("record", ())
    for elapsed in source.index.calls.get("elapsed_time", ()):
        if not isinstance(elapsed.func, nodes.Attribute) or len(elapsed.args) != 1:
            continue
        found = [
            [
                call
                for call in records
                if isinstance(call.func, nodes.Attribute)
                and dotted(call.func.expr) == dotted(event)
                and function_of(call) is function_of(elapsed)
                and position(call) < position(elapsed)
            ]
            for event in (elapsed.func.expr, elapsed.args[0])
        ]
        if all(found):
            yield _Region(max(found[0], key=position), max(found[1], key=position), elapsed)


def _timings(source: Source, region: _Region) -> Iterator[_Timing]:
    """Yield the single calls of compiled functions in *region*."""
    scope = function_of(region.end)
    if any(region.holds(loop) for kind in LOOPS for loop in source.index.within(scope, kind)):
        return
    for call in source.index.calls_in.get(scope, ()):
        if isinstance(call.func, nodes.Name) and region.holds(call) and not _is_repeated(call):
            for definition in scopes.definitions(call.func, call.func.name):
                if is_parameter(definition) and definition.parent.parent is scope:
                    yield from _timings_by_helper(source, region, definition)
                elif _is_compiled(source, definition):
                    yield _Timing(region, call, call.func, definition)


def _timings_by_helper(source: Source, region: _Region, parameter: nodes.AssignName) -> Iterator[_Timing]:
    """Yield the calls that hand a compiled function to *parameter*, whose function calls it in *region* only."""
    helper = parameter.parent.parent
    if len(list(_mentions(source, parameter))) != 1 or not isinstance(helper, nodes.FunctionDef):
        return
    for site in source.names.call_sites(helper):
        given = None if is_open(site) else handed_to(parameter, site)
        if isinstance(given, nodes.Lambda) and isinstance(given.body, nodes.Call):
            given = given.body.func
        if isinstance(given, nodes.Name) and not _is_repeated(site):
            for definition in scopes.definitions(given, given.name):
                if _is_compiled(source, definition):
                    yield _Timing(region, site, given, definition)


def _is_repeated(call: nodes.Call) -> bool:
    return any(isinstance(above, (*COMPREHENSIONS, nodes.Lambda)) for above in ancestors(call))


def _is_compiled(source: Source, definition: nodes.NodeNG) -> bool:
    """Return whether *definition* is a decorated function, or a variable set from a call of ``torch.compile``."""
    if isinstance(definition, nodes.FunctionDef):
        decorators = definition.decorators.nodes if definition.decorators is not None else ()
        return any(_is_compile(source, node.func if isinstance(node, nodes.Call) else node) for node in decorators)
    value = definition.parent.value if isinstance(definition.parent, (nodes.Assign, nodes.AnnAssign)) else None
    if isinstance(value, nodes.Call) and isinstance(value.func, nodes.Call):
        value = value.func  # torch.compile(mode="…")(model)
    return isinstance(value, nodes.Call) and _is_compile(source, value.func)


def _is_compile(source: Source, node: nodes.NodeNG) -> bool:
    return last_name(node) == "compile" and source.names.symbol(node) == "torch.compile"


# -- whether it is the first call ------------------------------------------------------------------


def _is_first(source: Source, timing: _Timing) -> bool:
    """Return whether nothing can have called the compiled function before, and this is not one call of many."""
    scope, home = function_of(timing.call), timing.definition.statement().scope()
    if isinstance(timing.definition, nodes.FunctionDef):
        home = timing.definition.parent.scope()
    if home is scope:
        if loops_around(timing.definition) != loops_around(timing.call):
            return False
    elif not isinstance(home, nodes.Module) or not _runs_once(source, scope, timing.call):
        return False
    if home is function_of(timing.region.end) and timing.region.holds(timing.definition):
        return False
    return all(
        mention is timing.name or function_of(mention) is scope and position(mention) > position(timing.name)
        for mention in _mentions(source, timing.definition)
    )


def _runs_once(source: Source, scope: Scope, call: nodes.Call) -> bool:
    """Return whether *scope* is a plain function that the file calls at one place, and *call* stands in no loop."""
    if not isinstance(scope, nodes.FunctionDef) or isinstance(scope.parent, nodes.ClassDef) or loops_around(call):
        return False
    sites = source.names.call_sites(scope)
    return len(sites) == 1 and not loops_around(sites[0])


def _mentions(source: Source, definition: nodes.NodeNG) -> Iterator[nodes.Name]:
    """Yield the reads of the variable after *definition* gave it its value through which it may be called."""
    for name in source.index.of(nodes.Name):
        if name.name == definition.name and definition in scopes.definitions(name, name.name):
            if not isinstance(name.parent, nodes.Attribute) or name.parent.attrname not in _HARMLESS:
                yield name


# -- whether it is meant ---------------------------------------------------------------------------


def _is_meant(timing: _Timing) -> bool:
    """Return whether names and texts around the measurement say that it is about compiling, or about a first call."""
    region = timing.region
    near = [*_shown(region.result), *_shown(timing.call), region.start.statement(), region.end.statement()]
    words = [word for statement in near for node in walk(statement) for word in _words(node)]
    words += [getattr(function_of(node), "name", "") for node in (timing.call, region.end)]
    return any(_ON_PURPOSE.search(word) for word in words)


def _shown(node: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the statement of *node* and those that follow it closely."""
    statement = node.statement()
    block = block_of(statement)
    here = block.index(statement) if statement in block else 0
    return [statement, *block[here + 1 : here + 1 + _SHOWN_WITHIN]]


def _words(node: nodes.NodeNG) -> Iterator[str]:
    match node:
        case nodes.AssignName(name=word) | nodes.Name(name=word) | nodes.Const(value=str() as word):
            yield word
        case nodes.AssignAttr(attrname=word) | nodes.Attribute(attrname=word):
            yield word
