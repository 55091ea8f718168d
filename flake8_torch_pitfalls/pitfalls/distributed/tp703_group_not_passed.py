"""A group made by `new_group` does nothing until it is passed to a collective.

## What happens
`new_group` returns the group and changes nothing else: a collective without `group=` still speaks to all processes.
The sum or the gathered tensors then come from every rank instead of the group's, and if only the ranks of the group
make the call, it waits for the others.

## What to write

    group = dist.new_group([0, 1])
    if dist.get_rank() in (0, 1):
        dist.all_reduce(total, group=group)

## Silent
- A group that is read anywhere: passed, returned, stored in a container, compared.
- A group on `self` or of a module that other files may use: one counts only in a program (`if __name__ == ...`), or
  under a name with a leading underscore.
- `new_group()` without ranks, which holds all of them; a `barrier`, which is often meant for all.

## Where it is reported
At the first collective that leaves out the group, in the same function or class.

## Known limits
Whether the collective was meant for this group is not known; that nothing uses the group is.

## Sources
- "Distributed communication package", PyTorch's documentation: "Groups".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import arguments, torch_calls
from flake8_torch_pitfalls.analysis.events import COLLECTIVES
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, constant, function_of, is_open, target_text
from flake8_torch_pitfalls.finding import Finding

WORDS = {"new_group"}

NEW_GROUP = "torch.distributed.new_group"
_FOR_ALL = {"barrier", "monitored_barrier", "new_group", "new_subgroups", "init_process_group", "init_device_mesh",
            "destroy_process_group", "new_subgroups_by_enumeration"}  # fmt: skip
"""What is often meant for all processes, or takes no group."""


def check(source: Source) -> Iterator[Finding]:
    """Yield, for each group that nothing reads, the first collective beside it that speaks to all processes."""
    reported = set()
    for made in torch_calls(source, NEW_GROUP):
        ranks = made.given.get("ranks")
        if ranks is None or constant(ranks) is None or made.is_open or made.is_partial:
            continue
        holders = list(_holders(source, made.node))
        if not holders or any(_is_read(source, holder) for holder in holders):
            continue
        collective = next(_without_group(source, holders[-1]), None)
        if collective is not None and collective not in reported:
            reported.add(collective)
            called, name = collective.func.as_string(), target_text(holders[-1])
            yield Finding(
                collective,
                f"'{called}' speaks to all processes, and nothing uses '{name}'; pass it as 'group'",
            )


def _holders(source: Source, value: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the variable that *value* is assigned to, and those that this one is assigned to in turn."""
    target = _target(value)
    if target is None:
        return
    yield target
    if isinstance(target, nodes.AssignName):
        for read in _reads(source, target):
            yield from _holders(source, read)


def _target(value: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the name or attribute of ``self`` to which *value*, alone or in a tuple, is assigned."""
    match value.parent:
        case nodes.Assign(targets=[nodes.AssignName() | nodes.AssignAttr() as target]):
            return target
        case nodes.Tuple(elts=values, parent=nodes.Assign(targets=[nodes.Tuple(elts=targets)])):
            if len(values) == len(targets):
                target = targets[values.index(value)]
                return target if isinstance(target, (nodes.AssignName, nodes.AssignAttr)) else None
    return None


def _reads(source: Source, target: nodes.AssignName) -> Iterator[nodes.Name]:
    for name in source.index.of(nodes.Name):
        if name.name == target.name:
            yield name


def _is_read(source: Source, holder: nodes.NodeNG) -> bool:
    """Return whether something may use what *holder* holds, other than handing it to another holder."""
    if isinstance(holder, nodes.AssignName):
        if function_of(holder) is source.module and not _is_closed(source, holder.name):
            return True
        return any(_target(name) is None for name in _reads(source, holder))
    if target_text(holder) != f"self.{holder.attrname}" or not _is_closed(source, holder.attrname):
        return True
    return holder.attrname in source.index.attributes or any(
        text.value == holder.attrname for text in source.index.of(nodes.Const)
    )


def _is_closed(source: Source, name: str) -> bool:
    """Return whether no other file is likely to use *name*: by its name, or because the file is a program."""
    return name.startswith("_") or any("__name__" in test.test.as_string() for test in source.index.of(nodes.If))


def _without_group(source: Source, holder: nodes.NodeNG) -> Iterator[nodes.Call]:
    """Yield the collectives in the function, or class, of *holder* that leave out their group."""
    owner = class_of(holder) if isinstance(holder, nodes.AssignAttr) else function_of(holder)
    for call in torch_calls(source, *(f"torch.distributed.{name}" for name in sorted(COLLECTIVES - _FOR_ALL))):
        node = call.node
        around = class_of(node) if isinstance(holder, nodes.AssignAttr) else function_of(node)
        later = isinstance(holder, nodes.AssignAttr) or node.fromlineno > holder.fromlineno
        if around is owner and later and not is_open(node):
            group = arguments(node, call.symbol).get("group")
            if group is None or constant(group) is None:
                yield node
