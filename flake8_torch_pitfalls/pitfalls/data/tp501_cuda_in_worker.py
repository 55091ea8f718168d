"""A worker process of a loader uses CUDA, which does not work in a process that was forked.

## What happens
On Linux, before Python 3.14, a loader forks its workers. Where the program has used CUDA before, the first tensor
that a worker moves to the GPU, or reads there, raises "Cannot re-initialize CUDA in forked subprocess". Where it has
not, every worker starts a CUDA context of its own, some hundred megabytes each, and its tensors must stay alive in
the worker as long as the training process uses them.

## What to write
Let workers make CPU tensors, and move whole batches where they are used:

    loader = DataLoader(dataset, batch_size=64, num_workers=4, pin_memory=True)
    for images, labels in loader:
        images = images.to(device, non_blocking=True)

A data set that already lies on the GPU needs no workers: `num_workers=0`.

## Silent
- Loaders without workers, or with a number that is not in view.
- Workers that are started by `spawn` or `forkserver`, and none where there is a GPU (`0 if cuda else 4`).
- Work on the CPU, and tensors that are moved in the training loop.
- Work on a GPU under a condition that asks for the worker (`get_worker_info`), or by a flag that is not in view.

## Where it is reported
At the first CUDA call of each function that runs in workers; at the loader if that stands in another file, or if
the data set holds tensors on the GPU by itself (`TensorDataset(x.cuda())`).

## Known limits
A device that the program chooses (`"cuda" if torch.cuda.is_available() else "cpu"`, an option) is taken for a GPU.
Methods of local objects, and start methods that are set in other files, are not seen.

## Sources
- `torch.utils.data` in PyTorch's documentation: "It is generally not recommended to return CUDA tensors in
  multi-process loading"; "Platform-specific behaviors".
- "Multiprocessing best practices" in PyTorch's documentation, "CUDA in multiprocessing". This needs a GPU to be seen.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import cuda, workers
from flake8_torch_pitfalls.analysis.calls import TorchCall
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"num_workers"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the first use of CUDA in each function that runs in forked workers."""
    reported = set()
    for loader in workers.loaders_with_workers(source):
        if not workers.forks(source, loader) or _has_none_on_gpu(source, loader):
            continue
        for use, at in _uses(source, loader):
            place = at if at.root() is source.module else loader.node
            if place not in reported:
                reported.add(place)
                yield Finding(place, f"'{_shown(use)}' uses CUDA in a forked worker; move batches in the training loop")


def _has_none_on_gpu(source: Source, loader: TorchCall) -> bool:
    """Return whether *loader* has no workers where there is a GPU: ``num_workers=0 if cuda else 4``."""
    given = workers.option(source, loader, "num_workers")
    return given is not None and any(
        isinstance(node, nodes.IfExp) and constant(node.body) == 0 and "cuda" in node.test.as_string()
        for node in workers.assigned(given)
    )


def _shown(use: nodes.NodeNG) -> str:
    text = text_of(use)
    if len(text) > 40 and isinstance(use, nodes.Call):
        text = f"{last_name(use.func) or 'call'}(...)"
    return text


def _uses(source: Source, loader: TorchCall) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG]]:
    """Yield what uses CUDA in the workers of *loader*, and where that is to be reported."""
    held = _held_on_gpu(source, loader.given.get("dataset"))
    if held is not None:
        yield held, loader.node
    for function in workers.run_in_workers(source, loader):
        use = next(cuda.uses(source.names, function), None)
        if use is not None:
            yield use, use


def _held_on_gpu(source: Source, dataset: nodes.NodeNG | None, depth: int = 0) -> nodes.NodeNG | None:
    """Return what a ``TensorDataset``, alone or in subsets, holds on a GPU."""
    for value in source.names.known(dataset) if depth < 3 else ():
        match value:
            case Instance("torch.utils.data.TensorDataset", nodes.Call() as made):
                return next((given for given in made.args if cuda.is_on_gpu(source.names, given)), None)
            case Instance("torch.utils.data.Subset", nodes.Call() as made):
                return _held_on_gpu(source, argument(made, 0, "dataset"), depth + 1)
    return None
