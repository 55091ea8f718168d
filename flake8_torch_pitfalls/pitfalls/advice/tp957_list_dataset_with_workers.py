"""The workers copy a long Python list of a data set page by page, for reading it changes its reference counts.

## What happens
Forked workers share the memory of the training process until somebody writes to it. Taking an item of a list writes:
the reference count stands in the object. So every worker ends up with its own copy of all strings, tuples and
dictionaries of the data set, and the memory grows during the first epoch to a multiple of the list.

## What to write
Keep the items in one array or tensor: `np.array(paths, dtype=np.bytes_)`, `torch.tensor(labels)`, or a file format
that workers open themselves, such as Arrow or LMDB.

## Silent
- Arrays, tensors and data frames, and data sets that no loader of the file gives workers.
- Lists of a few literal items, and lists that `__getitem__` does not read.
- Tuples and lists that hold a few tensors.

## Known limits
How long a list is cannot be seen: those count that are read from a file, from a folder, or made by a comprehension or
loop over such. The data set must stand in this file.

## Sources
- `torch.utils.data.DataLoader` in PyTorch's documentation, the warning on memory usage with several workers.
- Issue 13246 of pytorch/pytorch.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import workers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import dotted, function_of, last_name, self_name, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"num_workers"}

_READERS = frozenset(
    "glob rglob iglob iterdir listdir scandir walk readlines splitlines open reader DictReader".split()
)
"""Names of what gives as many items as a file or folder holds."""
_SORTS = frozenset(("sorted", "list", "shuffled"))


def check(source: Source) -> Iterator[Finding]:
    """Yield where a data set that is loaded by workers keeps a list of Python objects."""
    reported = set()
    for loader in workers.loaders_with_workers(source):
        if not workers.forks(source, loader):
            continue
        for dataset in workers.datasets_of(source.names, loader.given.get("dataset")):
            cls = dataset.cls
            if isinstance(cls, nodes.ClassDef) and cls.root() is source.module and cls not in reported:
                reported.add(cls)
                yield from _lists(source, cls)


def _lists(source: Source, cls: nodes.ClassDef) -> Iterator[Finding]:
    read = source.names.method(cls, "__getitem__")
    items = [] if read is None else source.names.index_of(read).within(read, nodes.Subscript)
    taken = {dotted(item.value) for item in items}
    for name, targets in source.index.stores_in.get(cls, {}).items():
        for target in targets:
            if f"self.{name}" in taken and self_name(function_of(target)) == dotted(target.expr) == "self":
                if isinstance(target.parent, nodes.Assign) and _is_long(source, target.parent.value, name, cls):
                    yield Finding(
                        target.statement(),
                        f"every worker will copy the list in 'self.{name}' as it reads it; keep an array or a tensor",
                    )


def _is_long(source: Source, value: nodes.NodeNG, name: str, cls: nodes.ClassDef) -> bool:
    """Return whether *value*, a list in ``self.name`` of *cls*, holds as many items as some file or folder does."""
    match value:
        case nodes.ListComp(generators=[made, *_]):
            return _reads(made.iter)
        case nodes.List(elts=[]):
            puts = source.index.filled.get(f"self.{name}", ())
            return any(
                _reads(above.iter)
                for call in puts
                if cls.parent_of(call)
                for above in call.node_ancestors()
                if isinstance(above, nodes.For)
            )
        case nodes.Call():
            return last_name(value.func) in {"readlines", "splitlines", "listdir", "glob"} or (
                last_name(value.func) in _SORTS and _reads(value)
            )
    return False


def _reads(node: nodes.NodeNG) -> bool:
    """Return whether *node* goes through a file or folder."""
    return any(isinstance(call, nodes.Call) and last_name(call.func) in _READERS for call in walk(node))
