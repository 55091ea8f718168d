"""What makes the CPU wait for the accelerator, or one stream for another: listed once.

From "CUDA semantics", "Asynchronous execution", in PyTorch's documentation, the pages of `torch.cuda.Stream` and
`torch.cuda.Event`, and `torch.cuda.set_sync_debug_mode`, which names operations that synchronize. A wait is known
by its last name, whoever's it is: where something of that name is called, rules take the program to wait.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis.flow import Point, evaluated
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name, target_text, walk_scope

EXPLICIT = frozenset("synchronize wait barrier join elapsed_time mark_step query block_until_ready".split())
"""Names of what waits for the device, an event, a stream or a process and gives nothing."""
READING = frozenset(
    "item tolist cpu numpy nonzero is_nonzero argwhere masked_select unique unique_consecutive bincount histc equal "
    "allclose save repeat_interleave pin_memory".split()
)
"""Names of what needs values, or sizes that depend on values, on the CPU."""
WAITING = EXPLICIT | READING
STREAMS_WAIT = frozenset(("wait_stream", "wait_event", "wait", "synchronize", "set_stream"))
"""Names by which a stream waits for another's work, or the CPU for a stream's."""
CONVERTS = frozenset(("float", "int", "bool", "str", "format", "list", "tuple", "print", "complex"))
"""Builtins that read the values of a tensor they are given."""


def waits(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* may wait for the device by what it is called."""
    name = last_name(call.func)
    return name in WAITING or is_read_back(names, call) and not is_non_blocking(call)


def is_read_back(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* copies a tensor to the CPU: ``x.to("cpu")``."""
    if last_name(call.func) != "to" or not isinstance(call.func, nodes.Attribute):
        return False
    given = argument(call, 0, "device")
    return given is not None and devices.named(names, given) == devices.CPU


def is_non_blocking(call: nodes.Call) -> bool:
    """Return whether *call*, a copy, is surely asked not to wait."""
    return constant(argument(call, None, "non_blocking")) is True


def to_accelerator(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* moves a tensor or module to an accelerator."""
    if not isinstance(call.func, nodes.Attribute):
        return False
    if call.func.attrname in ("cuda", "xpu"):
        return True
    given = argument(call, 0, "device") if call.func.attrname == "to" else None
    return given is not None and devices.named(names, given) not in (None, devices.CPU)


def names_that_wait(source: Source, words: Iterable[str] = WAITING) -> frozenset[str]:
    """Return the names by which functions are called, in the file, that may lead to a call of one of *words*."""
    return reaching(source.module, source.project, frozenset(words))


# -- along the flow of a function ------------------------------------------------------------------


def steps(point: Point) -> list[nodes.NodeNG]:
    """Return what *point* evaluates, in the order of the text, and last the ``if`` or ``while`` whose test it is."""
    node = evaluated(point)
    if node is None or isinstance(node, nodes.For):
        return []
    found = list(walk_scope(node))
    if isinstance(node.parent, (nodes.If, nodes.While)) and node.parent.test is node:
        found.append(node.parent)
    return found


def sets(point: Point, variable: str) -> bool:
    """Return whether *point* assigns the variable or attribute of that text."""
    match point.node:
        case nodes.For(target=target) | nodes.AugAssign(target=target) | nodes.AnnAssign(target=target):
            targets = [target]
        case nodes.Assign(targets=targets):
            pass
        case _:
            return False
    return any(target_text(node) == variable for target in targets for node in walk_scope(target))


def after(start: Point, ends: Callable[[Point], bool]) -> Iterator[Point]:
    """Yield the points that may run after *start*, nearest first; none comes after one that *ends* the way."""
    seen = {id(start)}
    waiting = [start]
    for point in waiting:
        for edge in point.edges:
            if id(edge.to) not in seen:
                seen.add(id(edge.to))
                yield edge.to
                if not ends(edge.to):
                    waiting.append(edge.to)
