"""A rank that hangs is noticed only after the default timeout of the process group.

## What happens
`init_process_group` waits for the other ranks, and every collective after it does, for 10 minutes with NCCL and 30
with other backends. If one rank has died or is stuck, all the others wait that long and the machines are paid for.
The other way round, work that one rank does alone and that takes longer ends the whole job.

## What to write
`dist.init_process_group("nccl", timeout=datetime.timedelta(minutes=2))`, as long as the longest thing that one rank
does alone.

## Silent
- `timeout` in any form, also `None`, and calls with `**kwargs`.
- Files that only set the group up: what its ranks do, and for how long, is in another.
- Groups of one process: `world_size=1`.
- Tests, whose runner has a timeout of its own.

## Known limits
Whether the default fits the job is not known: hence advice.

## Sources
- `torch.distributed.init_process_group` in PyTorch's documentation, `timeout`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import constants, local_names, torch_calls
from flake8_torch_pitfalls.analysis.events import COLLECTIVES
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors
from flake8_torch_pitfalls.finding import Finding

WORDS = {"init_process_group"}

_WRAPPERS = frozenset(("DistributedDataParallel", "FullyShardedDataParallel", "fully_shard"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the process groups that keep the default timeout, in files whose ranks wait for each other."""
    if not _communicates(source):
        return
    for call in torch_calls(source, "torch.distributed.init_process_group"):
        size = call.given.get("world_size")
        if not call.lacks("timeout") or _is_in_test(call.node):
            continue
        if size is None or constants(source.names, size) != {1}:
            yield Finding(call.node, "a rank that hangs is noticed after 10 minutes or more; pass a 'timeout'")


def _communicates(source: Source) -> bool:
    wrappers = local_names(source.index, _WRAPPERS)
    return any(name in source.index.calls for name in (*COLLECTIVES, *wrappers, "backward"))


def _is_in_test(node: nodes.NodeNG) -> bool:
    return any(
        isinstance(above, (nodes.FunctionDef, nodes.ClassDef)) and above.name.lower().startswith("test")
        for above in ancestors(node)
    )
