"""The worker processes of data loaders: which loaders have some, how they start, and what runs in them."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import TorchCall, constant_of, constants
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import argument, constant, dotted, last_name
from flake8_torch_pitfalls.analysis.values import NOTHING, Class, Data, Function, Instance, Value

_WRAPPERS = frozenset(
    "torch.utils.data." + name for name in ("Subset", "ConcatDataset", "ChainDataset", "StackDataset")
)
_HOLD_FUNCTIONS = frozenset(("torchvision.transforms.Compose", "torchvision.transforms.v2.Compose"))
_ITEM_METHODS = ("__getitem__", "__getitems__", "__iter__")
_TRANSFORMS = ("transform", "target_transform", "transforms", "loader")
_COUNTS_CORES = re.compile(r"\b(cpu_count|sched_getaffinity)\(")
_DEEPEST = 5


def loaders_with_workers(source: Source, unknown: bool = False) -> Iterator[TorchCall]:
    """Yield the loaders of the file that have workers, at least on some machine or with the default options.

    With *unknown* also those that are given a number of workers that is not in view.
    """
    for loader in loader_calls(source):
        if not loader.is_partial and (most_workers(source, loader) > 0 or unknown and _may_have(source, loader)):
            yield loader


def _may_have(source: Source, loader: TorchCall) -> bool:
    given = option(source, loader, "num_workers")
    return given is not None and constants(source.names, given) is None


def option(source: Source, loader: TorchCall, name: str) -> nodes.NodeNG | None:
    """Return what *loader* is given as *name*, also inside ``**options`` that are a dictionary in view."""
    if name in loader.given:
        return loader.given[name]
    for keyword in loader.node.keywords or ():
        if keyword.arg is None:
            for value in source.names.values(keyword.value):
                if isinstance(value, Data) and isinstance(value.node, nodes.Dict):
                    for key, given in value.node.items:
                        if constant(key) == name:
                            return given
    return None


def may_hide(source: Source, loader: TorchCall, name: str) -> bool:
    """Return whether *loader* may be given *name* by ``*args``, or by ``**options`` that are not in view."""
    if not loader.is_open or name in loader.given:
        return False
    return any(isinstance(given, nodes.Starred) for given in loader.node.args) or not all(
        isinstance(value, Data) and isinstance(value.node, nodes.Dict)
        for keyword in loader.node.keywords or ()
        if keyword.arg is None
        for value in source.names.values(keyword.value)
    )


def most_workers(source: Source, loader: TorchCall) -> int:
    """Return the largest number of workers that *loader* is known to be given, 0 if there is none."""
    given = option(source, loader, "num_workers")
    if given is None:
        return 0
    numbers = [constant_of(value) for value in source.names.values(given)]
    known = [number for number in numbers if isinstance(number, int)]
    for node in assigned(given):
        if isinstance(node, nodes.Attribute):
            known.append(_default_option(source, node.attrname))
        elif isinstance(node, (nodes.Call, nodes.BinOp)) and _COUNTS_CORES.search(node.as_string()):
            known.append(2)
    return max(known, default=0)


def assigned(node: nodes.NodeNG, depth: int = 0) -> Iterator[nodes.NodeNG]:
    """Yield *node* and, if it is a variable or parameter, the expressions assigned to it, or its default."""
    yield node
    if isinstance(node, nodes.Call) and last_name(node.func) == "int" and node.args:
        yield from assigned(node.args[0], depth)
    for definition in scopes.definitions(node, node.name) if isinstance(node, nodes.Name) and depth < _DEEPEST else ():
        match definition.parent:
            case nodes.Assign(value=value):
                yield from assigned(value, depth + 1)
            case nodes.Arguments(parent=function) if value := scopes.default(function, definition.name):
                yield from assigned(value, depth + 1)


def _default_option(source: Source, name: str) -> int:
    """Return the default of the command line option *name* that the file declares, 0 if there is none."""
    for call in source.index.calls.get("add_argument", ()):
        flags = [str(constant(given)).lstrip("-").replace("-", "_") for given in call.args]
        if name in flags:
            for keyword in call.keywords or ():
                value = constant(keyword.value)
                if keyword.arg == "default" and isinstance(value, int):
                    return value
    return 0


def forks(source: Source, loader: TorchCall) -> bool:
    """Return whether the workers of *loader* are forked, as far as the file shows: Linux, Python before 3.14."""
    context = option(source, loader, "multiprocessing_context")
    if context is not None and not _is_fork(source, context):
        return False
    return not may_hide(source, loader, "multiprocessing_context") and not sets_other_start(source)


def _is_fork(source: Source, context: nodes.NodeNG) -> bool:
    if all(value == NOTHING or constant_of(value) == "fork" for value in source.names.values(context)):
        return True
    calls = [node for node in assigned(context) if isinstance(node, nodes.Call)]
    return any(constant(argument(call, 0, "method")) == "fork" for call in calls)  # get_context("fork")


def sets_other_start(source: Source) -> bool:
    """Return whether the file chooses how processes start, and not surely by fork."""
    return any(
        constant(argument(call, 0, "method")) != "fork" for call in source.index.calls.get("set_start_method", ())
    )


def datasets_of(names: Names, node: nodes.NodeNG | None, depth: int = 0) -> Iterator[Instance]:
    """Yield the objects of the project's classes that *node*, a data set, may be, or may be made of."""
    if node is None or depth > _DEEPEST:
        return
    for value in names.known(node):
        yield from _inside(names, value, depth)


def _inside(names: Names, value: Value, depth: int) -> Iterator[Instance]:
    match value:
        case Instance(nodes.ClassDef()):
            yield value
        case Instance(str() as cls, nodes.Call() as made) if cls in _WRAPPERS:
            for given in made.args if cls.endswith("StackDataset") else [_wrapped(made)]:
                yield from datasets_of(names, given, depth + 1)
                for several in names.known(given) if cls.endswith(("ConcatDataset", "ChainDataset")) else ():
                    for one in names.elements(several):
                        yield from _inside(names, one, depth + 1)


def _wrapped(made: nodes.Call) -> nodes.NodeNG | None:
    """Return what a wrapper made by *made*, ``Subset(…)``, ``random_split(…)`` or ``ConcatDataset(…)``, wraps."""
    return argument(made, 0, "dataset") or argument(made, None, "datasets")


def run_in_workers(source: Source, loader: TorchCall) -> Iterator[Function]:
    """Yield the functions of the project that the workers of *loader* run, those that others call too."""
    names, dataset = source.names, loader.given.get("dataset")
    entries: list[Function] = []
    for owner in datasets_of(names, dataset):
        entries += _methods(names, owner, *_ITEM_METHODS)
    given = [option(source, loader, name) for name in ("collate_fn", "worker_init_fn")]
    for node in (*_transforms(names, dataset), *given):
        if node is not None:
            entries += functions(names, node)
    yield from reached(names, entries)


def _transforms(names: Names, dataset: nodes.NodeNG | None) -> Iterator[nodes.NodeNG]:
    """Yield what a data set of torchvision is given to make its items with, besides paths and the like."""
    for value in names.known(dataset):
        match value:
            case Instance(str() as cls, nodes.Call() as made) if cls.startswith("torchvision.datasets."):
                yield from made.args
                yield from (keyword.value for keyword in made.keywords or () if keyword.arg in _TRANSFORMS)


def _methods(names: Names, owner: Instance, *wanted: str) -> Iterator[Function]:
    for name in wanted if isinstance(owner.cls, nodes.ClassDef) else ():
        if (method := names.method(owner.cls, name)) is not None:
            yield Function(method, owner)


def functions(names: Names, node: nodes.NodeNG) -> Iterator[Function]:
    """Yield the functions that *node* may be, also bound by ``functools.partial``, or as objects to call."""
    for value in names.known(node):
        yield from _called(names, value)
    if isinstance(node, nodes.Call) and last_name(node.func) == "partial" and node.args:
        yield from functions(names, node.args[0])


def _called(names: Names, value: Value) -> Iterator[Function]:
    """Yield the functions that run where *value* is called."""
    match value:
        case Function():
            yield value
        case Instance(nodes.ClassDef() as cls):
            for name in ("__call__", "forward"):
                if (method := names.method(cls, name)) is not None:
                    yield Function(method, value)
                    break
        case Instance(str() as cls, nodes.Call() as made) if cls in _HOLD_FUNCTIONS:
            for several in names.known(argument(made, 0, "transforms")):
                for one in names.elements(several):
                    yield from _called(names, one)


def reached(names: Names, entries: Iterable[Function]) -> Iterator[Function]:
    """Yield the *entries* and the functions of the project that they call, each once, nearest first."""
    waiting = [(entry, 0) for entry in entries]
    seen: set[nodes.NodeNG] = set()
    for function, depth in waiting:
        if function.node in seen:
            continue
        seen.add(function.node)
        yield function
        if depth < _DEEPEST:
            waiting += [(callee, depth + 1) for callee in _callees(names, function)]


def _callees(names: Names, function: Function) -> Iterator[Function]:
    index = names.index_of(function.node)
    for call in index.calls_in.get(function.node, ()):
        if not _may_be_ours(call):
            continue
        for value in names.values(call.func):
            for callee in _called(names, value):
                yield _on_same_object(callee, call, function)
            if isinstance(value, Class) and (method := names.method(value.node, "__init__")) is not None:
                yield Function(method, Instance(value.node, call))
    for item in index.within(function.node, nodes.Subscript):
        if isinstance(item.value, nodes.Attribute) and dotted(item.value.expr) == "self":  # self.dataset[index]
            for inner in datasets_of(names, item.value):
                yield from _methods(names, inner, "__getitem__")


def _may_be_ours(call: nodes.Call) -> bool:
    """Return whether *call* may run a function of the project: no method of some local value."""
    if isinstance(call.func, nodes.Name):
        return call.func.name not in scopes.BUILTINS
    root = (dotted(call.func) or "").partition(".")[0]
    if root == "self":
        return True
    found = scopes.definitions(call, root) if root else []
    return bool(found) and all(isinstance(one, (nodes.Import, nodes.ImportFrom, nodes.ClassDef)) for one in found)


def _on_same_object(callee: Function, call: nodes.Call, caller: Function) -> Function:
    """Return *callee* bound to the object that *caller* is bound to, where it is a method of the same object."""
    if callee.receiver is not None and callee.receiver.made_at is None and caller.receiver is not None:
        if isinstance(call.func, nodes.Attribute) and dotted(call.func.expr) == "self":
            return Function(callee.node, caller.receiver)
    return callee


def made_from(names: Names, node: nodes.NodeNG, receiver: Instance | None) -> nodes.NodeNG:
    """Return the argument that *node*, ``self.name`` in a method of *receiver*, holds; *node* itself if unknown."""
    if not (isinstance(node, nodes.Attribute) and dotted(node.expr) == "self" and receiver is not None):
        return node
    if not isinstance(receiver.cls, nodes.ClassDef) or not isinstance(receiver.made_at, nodes.Call):
        return node
    stores = list(names.stores(receiver.cls, node.attrname))
    if len(stores) != 1 or not isinstance(stores[0].parent, nodes.Assign):
        return node
    value, init = stores[0].parent.value, names.method(receiver.cls, "__init__")
    if init is None or not isinstance(value, nodes.Name) or value.scope() is not init:
        return node
    if [type(one.parent) for one in scopes.definitions(value, value.name)] != [nodes.Arguments]:
        return node
    given = scopes.match_arguments(init, receiver.made_at, bound=True)
    return given.get(value.name) or scopes.default(init, value.name) or node
