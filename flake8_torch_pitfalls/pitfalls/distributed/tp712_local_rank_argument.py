"""PyTorch's launchers no longer pass `--local_rank` to the program.

## What happens
`torchrun` passes no such option: every process gets the default, so that all of them take the same GPU, or take
themselves for a program of one process. `python -m torch.distributed.launch` passes `--local-rank` since PyTorch 2.0:
`argparse` knows `--local_rank` only and stops with "unrecognized arguments: --local-rank=0".

## What to write
Read what both launchers set in the environment:

    local_rank = int(os.environ["LOCAL_RANK"])

A program that must also run under older launchers accepts both spellings and falls back on the environment:

    parser.add_argument("--local-rank", "--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", 0)))

## Silent
- Both spellings, and `--local-rank` alone.
- A program that reads `LOCAL_RANK`, in this file or in one that it imports, or that sets the option itself.
- Launchers that do pass the option, such as DeepSpeed's, and processes that the program starts.
- Options that nothing in the file reads, and files that are not distributed with PyTorch.
- `torch-version` below 2.0.

## Known limits
Only options of `argparse` are known. An option that is read in another file only is left alone.

## Sources
- "torchrun (Elastic Launch)", PyTorch's documentation: "Transitioning from torch.distributed.launch to torchrun".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import Index, argument, constant
from flake8_torch_pitfalls.finding import Finding

WORDS = {"local_rank"}

CHANGED_IN = (2, 0)
_OPTION = "--local_rank"
_NEW_OPTION = "--local-rank"
_NAME = "local_rank"
_ENVIRONMENT = frozenset(("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"))
_DISTRIBUTED = frozenset(
    ("init_process_group", "DistributedDataParallel", "DDP", "FullyShardedDataParallel", "FSDP", "fully_shard")
)
_OTHER_LAUNCHERS = frozenset(("deepspeed", "colossalai", "horovod", "accelerate", "bagua", "mpi4py"))
_STARTS_PROCESSES = frozenset(("spawn", "Process", "start_processes", "Popen", "fork"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the options that PyTorch's launchers leave unset or refuse."""
    if source.settings.torch_version < CHANGED_IN:
        return
    options = [
        (call, [constant(given) for given in call.args]) for call in source.index.calls.get("add_argument", ())
    ]
    if any(_NEW_OPTION in flags for _, flags in options):
        return
    for call, flags in options:
        if _OPTION in flags:
            if _needs_option(source.index, call) and not _is_launched_otherwise(source):
                yield Finding(
                    call, f"'{_OPTION}' is not passed by PyTorch's launchers; read 'os.environ[\"LOCAL_RANK\"]'"
                )


def _needs_option(index: Index, call: nodes.Call) -> bool:
    """Return whether a program that PyTorch's launchers start cannot do without the option."""
    if _DISTRIBUTED.isdisjoint(index.calls):
        return False
    if constant(argument(call, None, "required")) is True:
        return True
    name = constant(argument(call, None, "dest"))
    return (name if isinstance(name, str) else _NAME) in index.attributes


def _is_launched_otherwise(source: Source) -> bool:
    """Return whether the program may learn its local rank in another way, or has a launcher of its own."""
    index = source.index
    if _NAME in index.stores or not _STARTS_PROCESSES.isdisjoint(index.calls):
        return True
    if any(constant(given) == "--rank" for call in index.calls["add_argument"] for given in call.args):
        return True
    if not _OTHER_LAUNCHERS.isdisjoint(_imported_packages(index)):
        return True
    if any(node.value in _ENVIRONMENT for node in index.of(nodes.Const) if isinstance(node.value, str)):
        return True
    return reaching(source.module, source.project, _ENVIRONMENT) != _ENVIRONMENT


def _imported_packages(index: Index) -> Iterator[str]:
    for statement in index.of(nodes.Import):
        yield from (name.partition(".")[0] for name, _ in statement.names)
    yield from (statement.modname.partition(".")[0] for statement in index.of(nodes.ImportFrom))
