"""A collective that only some ranks reach waits for the others for ever.

## What happens
`all_reduce`, `broadcast`, `barrier`, `new_group` and the like return when every rank of the group has called
them. Under `if rank == 0`, or after an early return of the other ranks, the call blocks until the timeout of the
backend, or pairs up with a later collective of the other ranks and exchanges the wrong data. The forward pass of a
`DistributedDataParallel` model broadcasts its buffers, and its backward pass reduces the gradients: they are
collectives too.

## What to write
Call the collective on every rank and leave only its use under the condition:

    dist.all_reduce(loss)
    if rank == 0:
        print(loss.item())

Let one rank evaluate `model.module` instead of the wrapped model.

## Silent
- Each of the ranks calls the collective in its own branch, also as `if rank != 0: dist.barrier()` … `if rank == 0:
  dist.barrier()`.
- Groups that are made of some ranks, and `new_group(..., use_local_synchronization=True)`.
- `send` and `recv`, and the forward pass of a DDP model without buffers on one rank.
- Tests whether the program is distributed at all: `local_rank != -1`, `dist.is_initialized()`.

## Where it is reported
At what stands under the condition: the collective, or the call of the function that runs it.

## Known limits
What is a rank is known by `get_rank()`, by the environment, or by its name. Whether branches call their collectives
in the same order is another question (TP702). Branches that call code which cannot be read are left alone.

## Sources
- "Distributed communication package", PyTorch's documentation: collective functions.
- `DistributedDataParallel` in PyTorch's documentation: "Forward Pass", `broadcast_buffers`.
"""
from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.calls import arguments
from flake8_torch_pitfalls.analysis.events import COLLECTIVES, Do, Event, Run
from flake8_torch_pitfalls.analysis.places import place
from flake8_torch_pitfalls.analysis.ranks import Guard, guards
from flake8_torch_pitfalls.analysis.scopes import BUILTINS, CLOSED, default
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, argument, constant, function_of, last_name, walk, walk_scope
from flake8_torch_pitfalls.analysis.values import Instance, Symbol, Unknown, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {*COLLECTIVES, "rank", "local_rank", "get_rank", "RANK", "LOCAL_RANK", "is_main_process", "is_master",
         "is_main", "is_chief", "rank_zero_only", "is_rank_zero", "master_process", "global_rank", "world_size",
         "dist", "distributed", "DDP", "accelerator", "fabric"}  # fmt: skip

DDP = "torch.nn.parallel.DistributedDataParallel"
WORLD = ("torch.distributed.group.WORLD", "torch.distributed.GroupMember.WORLD")


@dataclasses.dataclass(frozen=True, slots=True)
class _Guarded:
    """A collective *kind* that is run at *node*, a call, only on the ranks that *guard* lets through."""

    node: nodes.Call
    kind: str
    guard: Guard
    direct: bool


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls under a test on the rank that run a collective which no other rank matches."""
    found: dict[nodes.NodeNG, dict[_Guarded, None]] = collections.defaultdict(dict)
    for run in source.runs.roots:
        for event in _collectives(source, run):
            for guarded in _guarded(source, event):
                found[function_of(guarded.node)][guarded] = None
    for in_function in found.values():
        reported = set()
        for guarded in in_function:
            if guarded.node not in reported and not _is_matched(source, guarded, list(in_function)):
                reported.add(guarded.node)
                yield Finding(guarded.node, _message(guarded))


def _message(guarded: _Guarded) -> str:
    name = guarded.node.func.as_string()
    what = f"'{name}' waits" if guarded.direct else f"'{name}' runs '{guarded.kind}', which waits"
    return f"{what} for every rank, but '{guarded.guard.shown}' keeps some away; call it on all ranks"


def _guarded(source: Source, event: Event) -> Iterator[_Guarded]:
    """Yield what the calls that lead to *event*, and its own, have in their way, in this file."""
    for node in (event.node, *reversed(event.stack)):
        if node.root() is source.module and isinstance(node, nodes.Call):
            guard = next(guards(source, node), None)
            if guard is not None:
                kind = event.detail if event.do is Do.COLLECTIVE else "the collectives of DistributedDataParallel"
                yield _Guarded(node, kind, guard, node is event.node)


def _is_matched(source: Source, guarded: _Guarded, found: list[_Guarded]) -> bool:
    """Return whether other ranks run such a collective too, or may do so in code that cannot be read."""
    others = [other for other in found if other.guard.label != guarded.guard.label]
    if any(other.guard.branch is guarded.guard.branch for other in others if not (other.direct and guarded.direct)):
        return True
    theirs = [other.guard.branch for other in others if other.kind == guarded.kind]
    if guarded.guard.branch in theirs:
        return True
    alike = [each for each in found if each.guard.label == guarded.guard.label and each.kind == guarded.kind]
    ours = list(dict.fromkeys(each.guard.branch for each in alike if each.guard.branch not in theirs))
    if ours.index(guarded.guard.branch) < len(set(theirs)):
        return True  # the first of ours goes with the first of theirs
    return _may_run_more(source, guarded)


def _may_run_more(source: Source, guarded: _Guarded) -> bool:
    """Return whether the other side of the branch around *guarded* calls code that cannot be read."""
    branch = guarded.guard.branch
    if not isinstance(branch, nodes.If) or not branch.orelse:
        return False
    in_body = any(part is guarded.node or part.parent_of(guarded.node) for part in branch.body)
    other_side = branch.orelse if in_body else branch.body
    return any(_is_unreadable(source, node) for part in other_side for node in walk_scope(part))


def _is_unreadable(source: Source, node: nodes.NodeNG) -> bool:
    return (
        isinstance(node, nodes.Call)
        and isinstance(node.func, nodes.Name)
        and node.func.name not in BUILTINS
        and all(_is_foreign(value) for value in source.names.values(node.func))
    )


def _is_foreign(value: Value) -> bool:
    match value:
        case Symbol(name):
            return not torch_model.modelled(name) and name.partition(".")[0] not in CLOSED
    return isinstance(value, Unknown)


# -- collectives -----------------------------------------------------------------------------------


def _collectives(source: Source, run: Run) -> Iterator[Event]:
    """Yield the events of *run* that need every rank."""
    backward = [stop.event for stop in run.events(Do.BACKWARD) if stop.event is not None]
    for stop in run.events(Do.COLLECTIVE, Do.FORWARD):
        event = stop.event
        assert event is not None
        if event.do is Do.COLLECTIVE:
            if not _is_for_some_ranks(source, event):
                yield event
        elif (wrapped := _ddp_model(source, event)) is not None:
            if _has_buffers(source, wrapped) or _shares_guard(source, event, backward):
                yield event


def _is_for_some_ranks(source: Source, event: Event) -> bool:
    """Return whether *event* names a group of its own, or makes one that not all ranks need to know of."""
    given = arguments(event.node, f"torch.distributed.{event.detail}")
    if constant(given.get("use_local_synchronization")) is True:
        return True
    group = given.get("group")
    if group is None or constant(group) is None or source.names.symbol(group) in WORLD:
        return False
    function = function_of(group)
    if isinstance(function, FUNCTIONS) and isinstance(group, nodes.Name):
        if constant(default(function, group.name)) is None:
            return False  # a helper's own parameter, which means all ranks unless it is given
    return not all(_is_made_of_all(value) for value in source.names.values(group))


def _is_made_of_all(group: Value) -> bool:
    """Return whether *group* is made by ``new_group()``, without ranks."""
    return (
        isinstance(group, Instance)
        and isinstance(group.made_at, nodes.Call)
        and not (group.made_at.args or group.made_at.keywords)
    )


# -- DistributedDataParallel -----------------------------------------------------------------------


def _ddp_model(source: Source, event: Event) -> nodes.Call | None:
    """Return the call that wrapped the model of *event*, a forward pass, None if it is not surely wrapped."""
    subjects = [event.subject]
    for call in event.stack:
        given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
        subjects += [node for node in given if event.place is not None and place(source.names, node) == event.place]
    for subject in reversed(subjects):
        values = source.names.known(subject)
        if values and all(isinstance(value, Instance) and value.cls == DDP for value in values):
            made_at = next(value.made_at for value in values if isinstance(value, Instance))
            return made_at if isinstance(made_at, nodes.Call) else None
    return None


def _has_buffers(source: Source, wrapped: nodes.Call) -> bool:
    """Return whether the model that *wrapped* puts into DDP surely has buffers that it broadcasts."""
    if argument(wrapped, None, "broadcast_buffers") is not None:
        return False
    values = source.names.known(argument(wrapped, 0, "module"))
    return bool(values) and all(isinstance(value, Instance) and _owns_buffers(source, value) for value in values)


def _owns_buffers(source: Source, model: Instance) -> bool:
    if isinstance(model.cls, str):
        made = [model.made_at] if isinstance(model.made_at, nodes.Call) else []
    else:
        made = [base for base in source.names.mro(model.cls) if isinstance(base, nodes.ClassDef)]
    names = {last_name(node.func) or "" for part in made for node in walk(part) if isinstance(node, nodes.Call)}
    return any("BatchNorm" in name or name == "register_buffer" for name in names)


def _shares_guard(source: Source, forward: Event, backward: list[Event]) -> bool:
    """Return whether a backward pass runs behind the test that *forward* stands behind."""
    branches = {guarded.guard for guarded in _guarded(source, forward)}
    return any(guarded.guard in branches for event in backward for guarded in _guarded(source, event))
