"""Where a file makes data loaders."""
from __future__ import annotations

import functools
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, arguments, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import class_of, is_open, last_name, method_of
from flake8_torch_pitfalls.analysis.values import Class, Instance, Method

LOADER = "torch.utils.data.DataLoader"
LOADER_ARGUMENTS = frozenset(("shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn", "drop_last"))


@functools.lru_cache(maxsize=1)
def loader_calls(source: Source) -> tuple[TorchCall, ...]:
    """Return the calls that make a ``DataLoader`` or an object of a subclass that keeps its ``__init__``.

    ``super().__init__(…)`` in a subclass counts. Many rules ask for them, one after the other.
    """
    return tuple(_loader_calls(source))


def _loader_calls(source: Source) -> Iterator[TorchCall]:
    seen = set()
    for call in torch_calls(source, LOADER):
        seen.add(call.node)
        yield call
    for node in source.index.of(nodes.Call):
        if node not in seen and _may_make_loader(node) and _makes_loader(source, node):
            yield TorchCall(node, LOADER, arguments(node, LOADER), is_open(node), False)


def _may_make_loader(call: nodes.Call) -> bool:
    name = last_name(call.func) or ""
    return (
        name.endswith(("Loader", "loader"))
        or name == "__init__"
        or any(keyword.arg in LOADER_ARGUMENTS for keyword in call.keywords or ())
    )


def _makes_loader(source: Source, call: nodes.Call) -> bool:
    values = source.names.values(call.func)
    if len(values) != 1:
        return False
    match values[0]:
        case Class(node):
            return source.names.derives(node, LOADER) is True and source.names.method(node, "__init__") is None
        case Method(name, _):
            return name == f"{LOADER}.__init__"
    return False


def loaders_in(names: Names, node: nodes.NodeNG) -> list[nodes.Call]:
    """Return the calls that made the loaders which the expression *node* may be."""
    owner = class_of(node)
    return [
        value.made_at
        for value in names.known(node)
        if isinstance(value, Instance)
        and value.cls == LOADER
        and isinstance(value.made_at, nodes.Call)
        and not _is_overridden(names, value.made_at, owner)
    ]


def _is_overridden(names: Names, made: nodes.Call, owner: nodes.ClassDef | None) -> bool:
    """Return whether *made* stands in a method of a base class that the class *owner* replaces by its own."""
    method, cls = method_of(made), class_of(made)
    if owner is None or method is None or cls is owner or cls not in names.mro(owner):
        return False
    return names.method(owner, method.name) is not method
