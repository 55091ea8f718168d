"""Ranks that call the same collectives in different orders wait for each other, or mix up their tensors.

## What happens
The collectives of a group are matched by their order alone. If rank 0 calls `all_reduce` and then `broadcast`, and
the others call `broadcast` first, both sides wait until the timeout of the backend. If it is the same collective on
two tensors in different orders, nothing is raised: rank 0 sums its first tensor with the second one of the others.

## What to write
One sequence for all ranks, with the condition around what is not a collective:

    if rank == 0:
        prepare(weights)
    dist.broadcast(weights, src=0)
    dist.all_reduce(total)

## Silent
- Branches that call the same collectives on the same tensors in one order, also in separate `if` statements.
- Collectives of groups that are made of some ranks, and `send` and `recv`.
- Ranks that call more collectives than others, or other ones: that is TP701.

## Where it is reported
At the first collective of the later branch that meets another one, or at the call of the function that runs it.

## Known limits
Collectives under further tests, or in loops of their own, are left alone.

## Sources
- "Distributed communication package", PyTorch's documentation: "Debugging torch.distributed applications", on
  mismatched collectives.
"""
from __future__ import annotations

import collections
import dataclasses
import operator
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import arguments
from flake8_torch_pitfalls.analysis.events import COLLECTIVES, Do, Event
from flake8_torch_pitfalls.analysis.ranks import guards
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, LOOPS, ancestors, constant, function_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"rank", "local_rank", "global_rank", "get_rank", "RANK", "LOCAL_RANK", "is_main_process", "is_master",
         "is_main", "is_chief", "is_rank_zero", "master_process"}  # fmt: skip

_LABEL = re.compile(r"(==|!=|<|>|<=|>=) (\d+)")
_COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le,
            ">=": operator.ge}  # fmt: skip
_OTHER_RANKS = (1, 2, 3)
"""The ranks that are compared with rank 0."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Call:
    """A call at *node* that runs the collective *kind*, on the ranks for which all of *labels* hold.

    *around* is the loops and the other tests it stands in, outermost first.
    """

    node: nodes.Call
    kind: str
    order: tuple[int, ...]
    labels: tuple[str, ...]
    around: tuple[nodes.NodeNG, ...]

    @property
    def given(self) -> str:
        """Return the text of what it is first given: the tensor."""
        return self.node.args[0].as_string() if self.node.args else ""

    def is_run_by(self, rank: int) -> bool:
        """Return whether *rank* comes to the call."""
        return all(_holds(label, rank) for label in self.labels)


def check(source: Source) -> Iterator[Finding]:
    """Yield the collectives that meet another one on another rank."""
    by_function: dict[nodes.NodeNG, dict[_Call, None]] = collections.defaultdict(dict)
    if reaching(source.module, source.project, COLLECTIVES).isdisjoint(source.index.calls):
        return
    for run in source.runs.roots:
        for stop in run.events(Do.COLLECTIVE):
            assert stop.event is not None
            for call in _calls(source, stop.event):
                by_function[function_of(call.node)][call] = None
    for found in by_function.values():
        for around in dict.fromkeys(call.around for call in found if call.labels):
            together = [call for call in found if _stands_in(call, around)]
            mismatch = _first_mismatch(sorted(together, key=lambda call: call.order))
            if mismatch is not None:
                yield Finding(mismatch[0].node, _message(*mismatch))


def _message(call: _Call, other: _Call) -> str:
    name, met = (each.node.func.as_string() for each in (call, other))
    if name == met:
        name, met = (f"{each.node.func.as_string()}({each.given})" for each in (call, other))
    return f"'{name}' meets '{met}' of other ranks; call the collectives in one order on all ranks"


def _calls(source: Source, event: Event) -> Iterator[_Call]:
    """Yield the calls in this file that lead to *event*, if it is for all ranks."""
    given = arguments(event.node, f"torch.distributed.{event.detail}")
    if "group" in given and constant(given["group"]) is not None:
        return
    frames = [*event.stack, event.node]
    for depth, node in enumerate(frames):
        if node.root() is source.module:
            found = list(guards(source, node))
            order = tuple(frame.fromlineno for frame in frames[depth:])
            branches = {guard.branch for guard in found}
            around = tuple(above for above in _around(node) if above not in branches)
            yield _Call(node, event.detail, order, tuple(guard.label for guard in found), around)


def _around(node: nodes.NodeNG) -> list[nodes.NodeNG]:
    found: list[nodes.NodeNG] = []
    for above in ancestors(node):
        if isinstance(above, FUNCTIONS):
            break
        if isinstance(above, (nodes.If, nodes.IfExp, *LOOPS, nodes.ExceptHandler)):
            found.insert(0, above)
    return found


def _stands_in(call: _Call, around: tuple[nodes.NodeNG, ...]) -> bool:
    return call.around == around if call.labels else call.around[: len(around)] == around


def _holds(label: str, rank: int) -> bool:
    match = _LABEL.fullmatch(label)
    return match is not None and bool(_COMPARE[match[1]](rank, int(match[2])))


def _first_mismatch(calls: list[_Call]) -> tuple[_Call, _Call] | None:
    """Return two calls, the later in the text first, with which some rank and rank 0 meet by mistake."""
    if not all(_LABEL.fullmatch(label) for call in calls for label in call.labels):
        return None
    ours = [call for call in calls if call.is_run_by(0)]
    for rank in _OTHER_RANKS:
        theirs = [call for call in calls if call.is_run_by(rank)]
        for key in (_kind, _kind_and_tensor):
            if sorted(map(key, ours)) == sorted(map(key, theirs)):
                for pair in zip(ours, theirs):
                    if key(pair[0]) != key(pair[1]):
                        other, call = sorted(pair, key=lambda each: (bool(each.labels), each.order))
                        return call, other
    return None


def _kind(call: _Call) -> tuple[str, ...]:
    return (call.kind,)


def _kind_and_tensor(call: _Call) -> tuple[str, ...]:
    return call.kind, call.given
