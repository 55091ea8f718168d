"""A process that is forked after the program has started CUDA cannot use CUDA.

## What happens
The state of the CUDA driver does not survive a fork. In the child the first use of CUDA raises "Cannot re-initialize
CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method".
`torch.cuda.is_available()` in the parent is enough: it asks the driver, unless the environment variable
`PYTORCH_NVML_BASED_CUDA_CHECK=1` is set. Fork is how `multiprocessing` starts processes on Linux before Python 3.14.

## What to write

    context = torch.multiprocessing.get_context("spawn")
    process = context.Process(target=work, args=(rank,))

or `torch.multiprocessing.set_start_method("spawn")` in the `if __name__ == "__main__"` part, or
`torch.multiprocessing.spawn(work, nprocs=4)`. Or use CUDA in the children only.

## Silent
- `spawn` and `forkserver`, by context or for the whole program, and `torch.multiprocessing.spawn`.
- Children that stay on the CPU, or whose function is not in view.
- Programs that use CUDA only in the children, or only after them.
- CUDA under a flag that is not in view.

## Known limits
Start methods that are set in another file, and `os.fork`, are not seen. Uses of CUDA before are seen as in TP407.
Workers of loaders are the matter of TP501.

## Sources
- "Multiprocessing best practices", "CUDA in multiprocessing", and `torch.cuda.is_available` in PyTorch's
  documentation. This needs a GPU to be seen.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import cuda, scopes, workers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, dotted, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Process", "Pool", "ProcessPoolExecutor"}

_PROCESS = frozenset(("multiprocessing.Process", "torch.multiprocessing.Process", "multiprocessing.context.Process"))
_POOL = frozenset(
    ("multiprocessing.Pool", "torch.multiprocessing.Pool", "multiprocessing.pool.Pool",
     "torch.multiprocessing.pool.Pool", "concurrent.futures.ProcessPoolExecutor",
     "concurrent.futures.process.ProcessPoolExecutor")
)  # fmt: skip
_SUBMITS = ("map", "imap", "imap_unordered", "starmap", "apply", "map_async", "starmap_async", "apply_async", "submit")
_NVML_CHECK = "PYTORCH_NVML_BASED_CUDA_CHECK"


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls that fork a process which uses CUDA, where the parent has used it before."""
    if workers.sets_other_start(source):
        return
    for start in _starts(source):
        function = next((one for one in _run_by(source, start) if _uses_cuda(source, one, start)), None)
        if function is None:
            continue
        use = cuda.Search(source, allocates=False).before(start)
        if use is not None and not _only_asks(source, use):
            yield Finding(
                start,
                f"line {use.fromlineno} has started CUDA, which '{_name(function)}' cannot use after a fork; "
                "start the process by 'spawn'",
            )


def _name(function: Function) -> str:
    name = str(getattr(function.node, "name", "lambda"))
    owner = function.node.parent
    return f"{owner.name}.{name}" if isinstance(owner, nodes.ClassDef) else name


def _only_asks(source: Source, use: nodes.NodeNG) -> bool:
    """Return whether *use* asks whether there is a GPU, in a program that has torch do so without the driver."""
    return (
        isinstance(use, nodes.Call)
        and last_name(use.func) == "is_available"
        and any(text.value == _NVML_CHECK for text in source.index.of(nodes.Const))
    )


def _starts(source: Source) -> Iterator[nodes.Call]:
    """Yield the calls that make a forked process or a pool of them."""
    subclasses = [
        cls.name
        for cls in source.index.of(nodes.ClassDef)
        if any(last_name(base) == "Process" for base in cls.bases) and source.names.derives(cls, *_PROCESS)
    ]
    for name in ("Process", "Pool", "ProcessPoolExecutor", *subclasses):
        for call in source.index.calls.get(name, ()):
            if name in subclasses or _forks(source, call):
                yield call


def _forks(source: Source, call: nodes.Call) -> bool:
    symbol = source.names.symbol(call.func)
    if symbol in _PROCESS or symbol in _POOL:
        context = argument(call, 1, "mp_context") if last_name(call.func) == "ProcessPoolExecutor" else None
        return context is None or _is_fork_context(source, context)
    return isinstance(call.func, nodes.Attribute) and _is_fork_context(source, call.func.expr)


def _is_fork_context(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is, or was assigned from, ``get_context("fork")``, or ``get_context()`` for the default."""
    found = [node]
    if isinstance(node, nodes.Name):
        found = [getattr(one.parent, "value", None) for one in scopes.definitions(node, node.name)]
    return bool(found) and all(
        isinstance(one, nodes.Call)
        and last_name(one.func) == "get_context"
        and (not (one.args or one.keywords) or constant(argument(one, 0, "method")) in ("fork", None))
        for one in found
    )


def _run_by(source: Source, start: nodes.Call) -> Iterator[Function]:
    """Yield the functions of the project that the processes made by *start* run."""
    for value in source.names.known(start):
        if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
            run = source.names.method(value.cls, "run")
            if run is not None:
                yield Function(run, value)
    for given in (argument(start, 1, "target"), argument(start, None, "initializer")):
        if given is not None:
            yield from workers.functions(source.names, given)
    if last_name(start.func) != "Process":
        for call in _submissions(source, start):
            yield from workers.functions(source.names, call.args[0])


def _submissions(source: Source, start: nodes.Call) -> Iterator[nodes.Call]:
    """Yield the calls that hand a function to the pool made by *start*."""
    for name in _SUBMITS:
        for call in source.index.calls.get(name, ()):
            pool = call.func.expr if isinstance(call.func, nodes.Attribute) else None
            if pool is not None and call.args and _is_made_by(pool, start):
                yield call


def _is_made_by(pool: nodes.NodeNG, start: nodes.Call) -> bool:
    if isinstance(pool, nodes.Name):
        return any(_binds(one, start) for one in scopes.definitions(pool, pool.name))
    kept = start.parent.targets if isinstance(start.parent, nodes.Assign) else []
    return any(
        isinstance(target, nodes.AssignAttr)
        and dotted(pool) == f"{dotted(target.expr)}.{target.attrname}"
        for target in kept
    )


def _binds(definition: nodes.NodeNG, start: nodes.Call) -> bool:
    """Return whether *definition* gives a name the result of *start*: ``pool = Pool()``, ``with Pool() as pool``."""
    if isinstance(definition.parent, nodes.With):
        return (start, definition) in [tuple(item) for item in definition.parent.items]
    return getattr(definition.parent, "value", None) is start


def _uses_cuda(source: Source, function: Function, start: nodes.Call) -> bool:
    """Return whether the process that runs *function* uses CUDA, by itself or through what *start* hands to it."""
    for given in (argument(start, 3, "args"), argument(start, 4, "kwargs")):
        match given:
            case nodes.Tuple() | nodes.List() if any(cuda.is_on_gpu(source.names, one) for one in given.elts):
                return True
            case nodes.Dict() if any(cuda.is_on_gpu(source.names, one) for _, one in given.items):
                return True
    return any(
        next(cuda.uses(source.names, one), None) is not None for one in workers.reached(source.names, [function])
    )
