"""`cudnn.benchmark = True` takes back what `cudnn.deterministic = True` promises.

## What happens
With `benchmark` on, cuDNN times several algorithms for every new shape and takes the fastest. `deterministic`, or
`use_deterministic_algorithms(True)`, only narrows the choice to algorithms that are deterministic by themselves.
PyTorch's documentation says that noise in the timing may then select different ones in two runs, also on the same
hardware. Neither setting switches the other off.

## What to write
`torch.backends.cudnn.benchmark = False` beside `deterministic = True`; leave `benchmark` on where speed matters more
than two equal runs.

## Silent
- The last write of `benchmark` is not `True`, or the last of `deterministic` is not.
- The two stand in branches that exclude each other, or under tests that have nothing to do with each other.
- Values that are not known: `cudnn.benchmark = not args.deterministic`.

## Known limits
What one function sets is seen in another only where one of the two calls the other, through three functions at most.

## Sources
- "Reproducibility" in PyTorch's documentation, "CUDA convolution benchmarking" and "CUDA convolution determinism".
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import constant_of, constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    argument,
    block_of,
    function_of,
    is_open,
    last_name,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"benchmark"}

CUDNN = "torch.backends.cudnn"
FLAGS = ("benchmark", "deterministic")
ALGORITHMS = "torch.use_deterministic_algorithms"
DEEPEST = 3
ENDS = (nodes.Return, nodes.Raise, nodes.Continue, nodes.Break)

Condition = tuple[str, bool]
"""The text of a test, and how it comes out."""


@dataclasses.dataclass(frozen=True, slots=True)
class Write:
    """One setting of *flag*: its value, ``None`` if unknown, where it is made and under which conditions."""

    flag: str
    value: bool | None
    place: nodes.NodeNG
    """The assignment, or the call in the function looked at that leads to it."""
    conditions: frozenset[Condition]
    is_own: bool = True
    """Whether the function looked at makes it itself."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the last ``benchmark = True`` of each scope in which ``deterministic`` is on, too."""
    for call in torch_calls(source, f"{CUDNN}.flags", f"{CUDNN}.set_flags"):
        if all(name in call.given and constants(source.names, call.given[name]) == {True} for name in FLAGS):
            yield _finding(call.place_of("benchmark"))
    scopes = dict.fromkeys(function_of(target) for target in source.index.stores.get("benchmark", ()))
    for scope in dict.fromkeys((*scopes, *_callers(source, scopes))):
        writes = list(_writes(source, scope, 0))
        on = [write for write in writes if write.value and write.flag == "benchmark"]
        yield from (_finding(write.place) for write in on if _meets_deterministic(write, writes))


def _finding(node: nodes.NodeNG) -> Finding:
    return Finding(
        node, "'benchmark = True' lets timing choose the algorithm, though 'deterministic' is on; set it to False"
    )


def _callers(source: Source, scopes: dict[nodes.NodeNG, None]) -> Iterator[nodes.NodeNG]:
    """Yield the scopes of the file that call one of *scopes*, the functions that set ``benchmark``."""
    for scope in scopes:
        for call in source.index.calls.get(getattr(scope, "name", ""), ()):
            if any(function.node is scope for function in source.names.callee(call)):
                yield function_of(call)


# -- the writes of a scope -------------------------------------------------------------------------


def _writes(source: Source, scope: nodes.NodeNG, depth: int) -> Iterator[Write]:
    """Yield what *scope* and the functions it calls set, in the order of the text."""
    index = source.names.index_of(scope)
    own = [target for flag in FLAGS for target in index.stores.get(flag, ()) if function_of(target) is scope]
    calls = index.calls_in.get(scope, ())
    for node in sorted((*own, *calls), key=lambda node: (node.fromlineno or 0, node.col_offset or 0)):
        if isinstance(node, nodes.AssignAttr):
            if source.names.symbol(node.expr) == CUDNN:
                found = {constant_of(value) for value in source.names.stored(node)}
                yield Write(node.attrname, _single(found), node, _conditions(node))
        elif last_name(node.func) == "use_deterministic_algorithms" or source.names.symbol(node.func) == ALGORITHMS:
            if (mode := argument(node, 0, "mode")) is not None and not is_open(node):
                yield Write("deterministic", _single(constants(source.names, mode) or set()), node, _conditions(node))
        elif depth < DEEPEST:
            yield from _writes_of_callee(source, node, depth)


def _writes_of_callee(source: Source, call: nodes.Call, depth: int) -> Iterator[Write]:
    around = _conditions(call)
    for function in source.names.callee(call)[:1]:
        if isinstance(function.node, nodes.FunctionDef) and function.node is not function_of(call):
            for write in _writes(source, function.node, depth + 1):
                yield dataclasses.replace(write, place=call, conditions=around | write.conditions, is_own=False)


def _single(found: set[object]) -> bool | None:
    value = found.pop() if len(found) == 1 else ...
    return None if value is ... else bool(value)


def _conditions(node: nodes.NodeNG) -> frozenset[Condition]:
    """Return the tests around *node* in its function, each with the outcome that leads to *node*."""
    found = set()
    below = node
    for above in ancestors(node):
        if isinstance(above, FUNCTIONS):
            break
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            taken = below in above.body if isinstance(above, nodes.If) else below is above.body
            found.add(_condition(above.test, taken))
        elif isinstance(above, nodes.ExceptHandler):
            found.add((f"exception at line {above.fromlineno}", True))
        below = above
    return frozenset(found)


def _condition(test: nodes.NodeNG, outcome: bool) -> Condition:
    while isinstance(test, nodes.UnaryOp) and test.op == "not":
        test, outcome = test.operand, not outcome
    return test.as_string(), outcome


# -- what is in force together ---------------------------------------------------------------------


def _meets_deterministic(benchmark: Write, writes: list[Write]) -> bool:
    """Return whether some ``deterministic = True`` among *writes* is in force together with *benchmark*."""
    return any(
        write.flag == "deterministic"
        and write.value is True
        and (write.is_own or benchmark.is_own)
        and (write.conditions <= benchmark.conditions or benchmark.conditions <= write.conditions)
        and not _leaves_between(write, benchmark, writes)
        and not _is_overwritten(write, writes, write.conditions | benchmark.conditions)
        and not _is_overwritten(benchmark, writes, write.conditions | benchmark.conditions)
        for write in writes
    )


def _is_overwritten(write: Write, writes: list[Write], conditions: frozenset[Condition]) -> bool:
    """Return whether its flag is surely set again after *write* where *conditions* hold."""
    later = writes[writes.index(write) + 1 :]
    return any(other.flag == write.flag and other.conditions <= conditions for other in later)


def _leaves_between(one: Write, other: Write, writes: list[Write]) -> bool:
    """Return whether the branch of the earlier of the two ends before the later is reached."""
    first, second = sorted((one, other), key=writes.index)
    statement = first.place.statement()
    while not statement.parent.parent_of(second.place):
        if isinstance(next(reversed(block_of(statement)), None), ENDS):
            return True
        statement = statement.parent
    return False
