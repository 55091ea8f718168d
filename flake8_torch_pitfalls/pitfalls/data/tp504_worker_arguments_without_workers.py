"""`DataLoader` refuses options for worker processes when it has none.

## What happens
With `num_workers=0`, which is the default, the constructor raises `ValueError` for `persistent_workers=True`, for a
`prefetch_factor`, and for a `multiprocessing_context`; a `timeout` passes the constructor, and the first iteration
raises `AssertionError`. Often the loader worked until somebody set the number of workers to 0 to debug.

## What to write
`DataLoader(dataset, num_workers=4, persistent_workers=True)`; where the number may be 0,
`persistent_workers=workers > 0` and `prefetch_factor=4 if workers > 0 else None`.

## Silent
- A number of workers that comes from a variable, unless it is 0 for certain.
- `persistent_workers=False`, `prefetch_factor=None`, `multiprocessing_context=None` and `timeout=0`.

## Known limits
Options that travel in a dictionary (`**options`) are not followed.

## Sources
- `torch.utils.data.DataLoader` in PyTorch's documentation, and the exceptions that its constructor raises.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"persistent_workers", "prefetch_factor", "multiprocessing_context", "timeout"}

OPTIONS = ("persistent_workers", "prefetch_factor", "multiprocessing_context", "timeout")


def check(source: Source) -> Iterator[Finding]:
    """Yield the first option for workers of each loader that surely has none."""
    for loader in loader_calls(source):
        if _has_no_workers(source, loader):
            for option in OPTIONS:
                if _is_set(source, loader, option):
                    yield Finding(
                        loader.place_of(option),
                        f"'DataLoader' raises: '{option}' needs worker processes; set 'num_workers' or drop it",
                    )
                    break


def _has_no_workers(source: Source, loader: TorchCall) -> bool:
    if "num_workers" in loader.given:
        return constants(source.names, loader.given["num_workers"]) == {0}
    return loader.lacks("num_workers")


def _is_set(source: Source, loader: TorchCall, option: str) -> bool:
    """Return whether *option* is surely given something other than None, False and 0."""
    given = loader.given.get(option)
    if given is None:
        return False
    if isinstance(given, nodes.Call) and last_name(given.func) == "get_context":
        return True
    found = constants(source.names, given)
    return found is not None and found.isdisjoint((None, False))
