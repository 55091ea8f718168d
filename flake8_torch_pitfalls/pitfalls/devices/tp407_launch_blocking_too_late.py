"""An environment variable of CUDA is set when CUDA already runs, without effect; or launches are left blocking.

## What happens
`CUDA_VISIBLE_DEVICES`, `CUDA_DEVICE_ORDER` and `CUDA_LAUNCH_BLOCKING` are read once, when the process first uses
CUDA, and `PYTORCH_CUDA_ALLOC_CONF` when it first allocates there. `torch.cuda.is_available()` is such a first use. What
is set later changes nothing: the program runs on the GPUs that it saw at first, often one that is somebody else's.
`CUDA_LAUNCH_BLOCKING=1` is for finding out which kernel fails. Left on, the CPU waits for every kernel, and training
is slower.

## What to write
Set such variables before the first use of CUDA, best in the shell, or in the first lines of the script, before torch
is imported. To choose a GPU later, use `torch.cuda.set_device(1)` or `torch.device("cuda:1")`. Set
`CUDA_LAUNCH_BLOCKING=1` only in the shell, for the run that looks for the failing kernel.

## Silent
- Variables set before the first use of CUDA, also after `import torch`, which does not use it.
- `torch.cuda.device_count()` and `torch.cuda.manual_seed_all()` before, which need not start CUDA.
- A use of CUDA that only another branch, or no known caller, runs before.
- Variables set for other processes: a copy of the environment, programs that start processes.
- `CUDA_LAUNCH_BLOCKING=1` under a condition, or in a file that does not train.

## Known limits
Uses of CUDA are seen in the same function before, in its callers of the same file, at module level, in functions of
the project called there, and at the top level of the project's modules that are imported there.

## Sources
- "CUDA Environment Variables" and "CUDA semantics", "Optimizing memory usage", in PyTorch's documentation.
- "CUDA Environment Variables" in the CUDA C++ Programming Guide: the driver reads them when it is initialized.
- `torch.cuda.is_available` in PyTorch: it asks the CUDA runtime for its devices, as was seen on the CPU; the
  rest needs a GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.cuda import Search, is_script_part
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, argument, constant, dotted
from flake8_torch_pitfalls.finding import Finding

WORDS = {"CUDA_LAUNCH_BLOCKING", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "PYTORCH_CUDA_ALLOC_CONF"}

BLOCKING = "CUDA_LAUNCH_BLOCKING"
ALLOCATION = "PYTORCH_CUDA_ALLOC_CONF"
_STARTS_PROCESSES = frozenset(
    "Popen check_call check_output system Process spawn start_processes Pool ProcessPoolExecutor execvp".split()
)


def check(source: Source) -> Iterator[Finding]:
    """Report variables of CUDA that are set too late, or left on."""
    for node, name, value in _settings(source):
        search = Search(source, name == ALLOCATION)
        use = None if _starts_processes(source) else search.before(node)
        if use is not None:
            yield Finding(node, f"{_started(use)}: setting '{name}' now has no effect; set it before")
        elif name == BLOCKING and constant(value) in ("1", 1) and _trains(source) and _is_unconditional(node):
            yield Finding(node, f"'{name}=1' makes every kernel block, which slows down training; set it to debug only")


def _started(use: nodes.NodeNG) -> str:
    where = f"line {use.fromlineno} has started CUDA"
    name = dotted(use.func) if isinstance(use, nodes.Call) else None
    return f"'{name}(...)' on {where}" if name is not None else where


def _settings(source: Source) -> Iterator[tuple[nodes.NodeNG, str, nodes.NodeNG]]:
    """Yield the statements and calls that set a variable of ``WORDS``, with its name and value."""
    for subscripts in source.index.items.values():
        for item in subscripts:
            statement = item.statement()
            name = constant(item.slice)
            if name in WORDS and isinstance(statement, nodes.Assign):
                if source.names.symbol(item.value) == "os.environ":
                    yield statement, str(name), statement.value
    for method in ("setdefault", "putenv"):
        for call in source.index.calls.get(method, ()):
            name = constant(argument(call, 0, None))
            if name in WORDS and len(call.args) == 2:
                if source.names.symbol(call.func) in ("os.environ.setdefault", "os.putenv"):
                    yield call, str(name), call.args[1]


def _starts_processes(source: Source) -> bool:
    """Return whether the variables may be meant for other processes."""
    if not _STARTS_PROCESSES.isdisjoint(source.index.calls):
        return True
    return any(source.names.symbol(call.func) == "subprocess.run" for call in source.index.calls.get("run", ()))


def _trains(source: Source) -> bool:
    return "backward" in source.index.calls and "step" in source.index.calls


def _is_unconditional(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands at the top level of a function, a module or the part that is run as a script."""
    statement = node.statement()
    above = statement.parent
    return isinstance(above, (*FUNCTIONS, nodes.Module)) or is_script_part(above)
