"""Where a program reads the clock twice and takes the difference."""
from __future__ import annotations

import collections

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import local_names
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import Scope, dotted, function_of, position, target_text

CLOCKS = frozenset(
    "time.time time.perf_counter time.monotonic time.time_ns time.perf_counter_ns time.monotonic_ns "
    "timeit.default_timer datetime.datetime.now".split()
)
CLOCK_NAMES = frozenset(symbol.rpartition(".")[2] for symbol in CLOCKS)

Reading = tuple[nodes.Call, str, nodes.NodeNG]
"""The later call of a clock, the text of the variable that holds the earlier reading, and where to report."""


def differences(source: Source) -> dict[Scope, list[Reading]]:
    """Return the differences of readings of a clock, by the function they stand in."""
    names = sorted(local_names(source.index, CLOCK_NAMES))
    clocks = [call for name in names for call in source.index.calls.get(name, ())]
    found: dict[Scope, list[Reading]] = collections.defaultdict(list)
    kept: dict[Scope, dict[str, list[nodes.Call]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for call in clocks:
        match call.parent:
            case nodes.BinOp(op="-", left=left, right=start) if left is call:
                if (text := dotted(start)) and source.names.symbol(call.func) in CLOCKS:
                    found[function_of(call)].append((call, text, call.parent))
            case nodes.Assign(targets=targets):
                for target in targets:
                    if text := target_text(target):
                        kept[function_of(call)][text].append(call)
    for scope, readings in kept.items():
        for difference in source.index.within(scope, nodes.BinOp) if len(readings) > 1 else ():
            end, start = dotted(difference.left), dotted(difference.right)
            if difference.op == "-" and end in readings and start in readings and end != start:
                if function_of(difference) is scope:
                    for clock in readings[end]:
                        if source.names.symbol(clock.func) in CLOCKS and _is_latest(clock, difference, readings[end]):
                            found[scope].append((clock, start, clock))
    return {scope: sorted(set(one), key=lambda reading: position(reading[2])) for scope, one in found.items()}


def _is_latest(clock: nodes.Call, difference: nodes.BinOp, others: list[nodes.Call]) -> bool:
    """Return whether *clock* is the nearest reading above *difference*."""
    above = [other for other in others if position(other) < position(difference)]
    return bool(above) and max(above, key=position) is clock
