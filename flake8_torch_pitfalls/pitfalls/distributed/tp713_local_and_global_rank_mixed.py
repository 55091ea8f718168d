"""The rank over all machines taken for the number of a GPU, or the rank on one machine for the rank in the group.

## What happens
On one machine both ranks are the same number, and the program runs. On two machines of eight GPUs the ranks of the
second machine are 8 to 15, and its GPUs still 0 to 7: `torch.cuda.set_device(rank)` raises "invalid device ordinal".
The other way round, `init_process_group(rank=local_rank)` lets a process of each machine join as rank 0: the group
never becomes complete, and the call waits until its timeout.

## What to write

    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")  # reads RANK and WORLD_SIZE

## Silent
- Programs for one machine: processes that the program starts itself (`mp.spawn`), a group of `device_count()`
  processes or of a number that stands in the text, an address on this machine.
- `rank % torch.cuda.device_count()`.
- Ranks whose origin is not in view, whatever they are called.

## Known limits
That a GPU of this number is missing was not run: it takes two machines with GPUs, or more processes than GPUs. The
page follows PyTorch's documentation.

## Sources
- "torchrun (Elastic Launch)", PyTorch's documentation: `LOCAL_RANK` and `RANK` under "Environment Variables".
- `torch.nn.parallel.DistributedDataParallel` in PyTorch's documentation: `device_ids`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.origins import origins
from flake8_torch_pitfalls.analysis.ranks import VARIABLES, extent
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, last_name, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"get_rank", "local_rank", *VARIABLES}

INIT = "torch.distributed.init_process_group"
_SETTERS = ("torch.cuda.set_device", "torch.xpu.set_device", "torch.accelerator.set_device_index")
_WRAPPERS = {
    "torch.nn.parallel.DistributedDataParallel": "device_ids",
    "torch.distributed.fsdp.FullyShardedDataParallel": "device_id",
}
"""What wraps a model, and the parameter that takes the number of its GPU."""
_STARTS_PROCESSES = frozenset(("spawn", "Process", "start_processes"))
_HERE = ("localhost", "127.0.0.1", "tcp://localhost", "tcp://127.0.0.1")


def check(source: Source) -> Iterator[Finding]:
    """Yield the ranks that are right on one machine only."""
    index = source.index
    if not _STARTS_PROCESSES.isdisjoint(index.calls):
        return
    found = [finding for rank in _device_numbers(source) for finding in _global(source, rank)]
    found += [finding for call in torch_calls(source, INIT) for finding in _local(source, call)]
    if found and not _is_for_one_machine(source):
        yield from found


def _global(source: Source, rank: nodes.NodeNG) -> Iterator[Finding]:
    if extent(source, rank) == "global":
        yield Finding(rank, f"'{text_of(rank)}' counts over all machines, GPUs on each from 0; take 'LOCAL_RANK' here")


def _local(source: Source, call: TorchCall) -> Iterator[Finding]:
    rank = call.given.get("rank")
    if rank is not None and extent(source, rank) == "local" and not _is_size_of_one_machine(source, call):
        yield Finding(
            call.place_of("rank"),
            f"'{text_of(rank)}' starts at 0 on every machine, so several processes join as one; take 'RANK' here",
        )


# -- programs for one machine ------------------------------------------------------------------------


def _is_for_one_machine(source: Source) -> bool:
    """Return whether the text names this machine as the place where all processes meet."""
    return any(
        isinstance(node.value, str) and node.value.startswith(_HERE) for node in source.index.of(nodes.Const)
    )


def _is_size_of_one_machine(source: Source, call: TorchCall) -> bool:
    size = call.given.get("world_size")
    if size is None or constants(source.names, size) is not None:
        return size is not None
    return any(last_name(getattr(made, "func", None)) == "device_count" for made in origins(source.names, size))


# -- numbers of devices ------------------------------------------------------------------------------


def _device_numbers(source: Source) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that say which GPU is meant by a variable number, in the order of their kinds."""
    if "get_rank" not in source.index.calls and not _reads_environment(source):
        return
    for call in torch_calls(source, *_SETTERS):
        yield from (given for given in call.given.values() if _is_variable(given))
    for call in torch_calls(source, *_WRAPPERS):
        given = call.given.get(_WRAPPERS[call.symbol])
        numbers = given.elts if isinstance(given, (nodes.List, nodes.Tuple)) else [given]
        yield from (number for number in numbers if _is_variable(number))
    for name in ("cuda", "to"):
        for node in source.index.calls.get(name, ()):
            if isinstance(node.func, nodes.Attribute) and _is_variable(given := argument(node, 0, "device")):
                yield given
    for call in torch_calls(source, "torch.device"):
        if _is_variable(given := argument(call.node, 1, "index")):
            yield given
    for text in source.index.of(nodes.JoinedStr):
        match text.values:
            case [nodes.Const(value="cuda:"), nodes.FormattedValue(value=number)] if _is_variable(number):
                yield number


def _reads_environment(source: Source) -> bool:
    return any(VARIABLES.get(node.value) == "global" for node in source.index.of(nodes.Const))


def _is_variable(node: nodes.NodeNG | None) -> bool:
    return isinstance(node, (nodes.Name, nodes.Attribute, nodes.Subscript, nodes.Call))
