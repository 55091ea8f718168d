"""A literal rank in `init_process_group` gives every process the same place in the group.

## What happens
The program text is the same for all processes. With `rank=0, world_size=2` both say that they are rank 0, the
group never becomes complete, and `init_process_group` waits until its timeout. A literal `world_size` beside a
rank from the environment fails in the same way as soon as the launcher starts another number of processes. A second
`init_process_group` raises: "trying to initialize the default process group twice!".

## What to write
Let the launcher say it: `dist.init_process_group("nccl")` reads `RANK` and `WORLD_SIZE`, which `torchrun` sets. A
function started by `torch.multiprocessing.spawn` passes on the rank it is given.

## Silent
- Groups of one process: `rank=0, world_size=1`.
- Ranks and sizes from arguments, variables and the environment; a literal `world_size` beside a rank that `spawn`
  passes.
- Several calls with different literal ranks: each process runs its own.
- A second group after `destroy_process_group`, in another branch, or behind `if not dist.is_initialized()`.

## Known limits
Two programs, one for each rank, are told apart only if they stand in one file.

## Sources
- `torch.distributed.init_process_group` in PyTorch's documentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.scopes import default
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors, block_of, constant, function_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"init_process_group"}

INIT = "torch.distributed.init_process_group"
_ENVIRONMENT = re.compile(r"environ|getenv|LOCAL_RANK|local_rank")


def check(source: Source) -> Iterator[Finding]:
    """Yield literal ranks, literal sizes beside a rank from the environment, and second initializations."""
    calls = [call for call in torch_calls(source, INIT) if not call.is_partial and not expects_failure(call.node)]
    ranks = [constants(source.names, call.given.get("rank")) if "rank" in call.given else None for call in calls]
    literal = {rank for found in ranks if found for rank in found}
    for call, rank in zip(calls, ranks):
        if rank and len(rank) == 1 and len(literal) == 1 and _is_rank(next(iter(rank))):
            if not _may_be_alone(source, call):
                yield Finding(
                    call.place_of("rank"),
                    f"every process joins as rank {next(iter(rank))}, so the group never forms; take the rank from "
                    "the launcher",
                )
        elif (size := _literal_size(source, call)) is not None and _is_launched(call):
            yield Finding(
                call.place_of("world_size"),
                f"the group waits for {size} processes whatever the launcher starts; take the size from 'WORLD_SIZE'",
            )
    if "destroy_process_group" not in source.index.calls:
        yield from _second_calls([call.node for call in calls])


def _is_rank(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _may_be_alone(source: Source, call: TorchCall) -> bool:
    """Return whether the group may have just one process, or its size is not in view."""
    size = call.given.get("world_size")
    if size is None:
        return True
    found = {constant(size)} if constant(size) is not ... else constants(source.names, size)
    if found is None:
        tests = " ".join(test.as_string() for test in _tests_around(call.node))
        return "world" in tests or "size" in tests or _is_one_by_default(size)
    return any(not isinstance(each, int) or each <= 1 for each in found)


def _is_one_by_default(size: nodes.NodeNG) -> bool:
    function = function_of(size)
    if not isinstance(function, FUNCTIONS) or not isinstance(size, nodes.Name):
        return False
    return constant(default(function, size.name)) == 1


def _tests_around(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    for above in ancestors(node):
        if isinstance(above, (nodes.If, nodes.IfExp)):
            yield above.test
        if isinstance(above, FUNCTIONS):
            return


def _literal_size(source: Source, call: TorchCall) -> int | None:
    found = constants(source.names, call.given["world_size"]) if "world_size" in call.given else None
    size = next(iter(found)) if found and len(found) == 1 else None
    return size if isinstance(size, int) and size > 1 else None


def _is_launched(call: TorchCall) -> bool:
    """Return whether the rank comes from a launcher's environment, where the size stands too."""
    rank = call.given.get("rank")
    return rank is not None and _ENVIRONMENT.search(rank.as_string()) is not None


def _second_calls(calls: list[nodes.Call]) -> Iterator[Finding]:
    """Yield the calls that surely follow another one in the same function."""
    calls = sorted(calls, key=lambda call: call.fromlineno)
    for number, call in enumerate(calls):
        if any(_surely_precedes(earlier, call) for earlier in calls[:number]):
            yield Finding(
                call, "the default process group exists already, and 'init_process_group' raises; call it once"
            )


def _surely_precedes(earlier: nodes.Call, later: nodes.Call) -> bool:
    if function_of(earlier) is not function_of(later) or any(_tests_around(later)):
        return False
    statement = earlier.statement()
    later_blocks = [later.statement(), *ancestors(later)]
    block = block_of(statement)
    return isinstance(statement, nodes.Expr) and any(
        other in later_blocks for other in block[block.index(statement) + 1 :]
    )
