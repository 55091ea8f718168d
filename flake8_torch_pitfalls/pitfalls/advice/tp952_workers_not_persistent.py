"""The workers of a loader are stopped and started again in every epoch.

## What happens
By default a `DataLoader` starts its workers when a loop over it begins and stops them when it ends. In a loop over
epochs each start copies the data set to every worker, imports the modules anew where processes are spawned, and fills
the first batches while the model waits.

## What to write
`DataLoader(dataset, num_workers=4, persistent_workers=True)`.

## Silent
- `persistent_workers` in any form, and loaders without workers.
- Loaders that one epoch goes through, or that are made anew in each.

## Known limits
The loop over epochs must stand in this file. With `persistent_workers` the data set in the workers stays as it was in
the first epoch: a data set that the training changes between epochs needs fresh workers.

## Sources
- `torch.utils.data.DataLoader` in PyTorch's documentation, `persistent_workers`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import workers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import loops_over
from flake8_torch_pitfalls.analysis.tree import ancestors, function_of, loops_around
from flake8_torch_pitfalls.finding import Finding

WORDS = {"num_workers"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the loaders with workers that several epochs go through."""
    for loader in workers.loaders_with_workers(source):
        if workers.option(source, loader, "persistent_workers") is not None:
            continue
        if workers.may_hide(source, loader, "persistent_workers") or not _is_repeated(source, loader.node):
            continue
        yield Finding(loader.node, "every epoch starts the workers of the loader anew; set 'persistent_workers=True'")


def _is_repeated(source: Source, loader: nodes.Call) -> bool:
    """Return whether a loop goes through *loader* again and again, without making it."""
    for loop in loops_over(source, loader):
        around = loops_around(loop)
        function = function_of(loop)
        if not around and isinstance(function, nodes.FunctionDef):
            around = [outer for site in source.names.call_sites(function) for outer in loops_around(site)]
        if any(outer not in ancestors(loader) for outer in around) and not _is_made_by(loader, function, loop):
            return True
    return False


def _is_made_by(loader: nodes.Call, function: nodes.NodeNG, loop: nodes.For) -> bool:
    """Return whether *function*, whose *loop* is repeated by its callers, makes *loader* in each call."""
    return function_of(loader) is function and not loops_around(loop)
