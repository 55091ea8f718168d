"""`nn.Sequential` and its like take modules: a function, or a class without parentheses, raises.

## What happens
`nn.Sequential(nn.Linear(8, 8), F.relu)`, `nn.ModuleList([nn.ReLU])`, `layers.add_module("act", torch.tanh)` and a
lambda among the layers raise `TypeError: … is not a Module subclass` when the container is built.

## What to write
The module that does the same, made by a call: `nn.ReLU()`, `nn.Tanh()`, `nn.Flatten()`. For a function that has no
module, a small `nn.Module` whose `forward` calls it.

## Silent
- Modules, made here or by a factory that is called.
- `None`, which torch accepts.
- Parameters such as `norm_layer`, as long as some caller may pass a module.
- Functions that are decorated: what the decorator makes of them is not known.
- Other containers: lists, `transforms.Compose`, the `Sequential` of other libraries, and subclasses that add members
  by a method of their own.
- Code that expects the exception.

## Known limits
Members that another function puts into the list are not followed.

## Sources
- `torch.nn.Sequential` and `torch.nn.Module.add_module` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import dotted, function_of, last_name
from flake8_torch_pitfalls.analysis.values import NOTHING, Class, Data, Function, Instance, Symbol, Value
from flake8_torch_pitfalls.finding import Finding

SEQUENTIAL = "torch.nn.Sequential"
CONTAINERS = (SEQUENTIAL, "torch.nn.ModuleList", "torch.nn.ModuleDict")
ADDING = {"append": 0, "insert": 1, "add_module": 1, "register_module": 1}
"""Methods that add one member, and the position of that argument."""
WORDS = {"Sequential", "ModuleList", "ModuleDict", "add_module", "register_module"}

MODULES = {
    "relu": "ReLU", "relu6": "ReLU6", "leaky_relu": "LeakyReLU", "prelu": "PReLU", "rrelu": "RReLU", "elu": "ELU",
    "selu": "SELU", "celu": "CELU", "gelu": "GELU", "glu": "GLU", "silu": "SiLU",
}  # fmt: skip
"""The modules whose names do not follow from the function's."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the members of containers that are no modules."""
    for container, member in dict.fromkeys(_members(source)):
        if member.root() is source.module and not expects_failure(member) and _is_no_module(source, member):
            yield Finding(member, _message(source, container, member))


# -- the members -----------------------------------------------------------------------------------


def _members(source: Source) -> Iterator[tuple[str, nodes.NodeNG]]:
    """Yield a container's name and a member of it, for all that are built or added to in the file."""
    for call in torch_calls(source, *CONTAINERS):
        yield from _given(source, call.symbol, call.node)
    for call in source.index.calls.get("__init__", ()):
        for container in CONTAINERS:
            if source.names.symbol(call.func) == f"{container}.__init__":
                yield from _given(source, container, call)
    for method, position in ADDING.items():
        for call in source.index.calls.get(method, ()):
            if len(call.args) > position and (source.names.symbol(call.func) or "").startswith("torch.nn."):
                yield method, call.args[position]
    for call in source.index.calls.get("extend", ()):
        if call.args and (source.names.symbol(call.func) or "").startswith("torch.nn."):
            yield from (("extend", member) for member in _items(source, call.args[0]))
    for targets in source.index.items.values():
        for target in targets:
            if (changed := _container(source, target)) is not None:
                yield changed, target.parent.value


def _container(source: Source, target: nodes.Subscript) -> str | None:
    """Return the name of the container of which *target* replaces or adds one member."""
    if not isinstance(target.parent, nodes.Assign) or isinstance(target.slice, nodes.Slice):
        return None
    if last_name(target.parent.value) is None and not isinstance(target.parent.value, nodes.Lambda):
        return None
    found = source.names.known(target.value)
    names = {value.cls if isinstance(value, Instance) else None for value in found}
    return next((name.rpartition(".")[2] for name in CONTAINERS if names == {name}), None)


def _given(source: Source, container: str, call: nodes.Call) -> Iterator[tuple[str, nodes.NodeNG]]:
    name = container.rpartition(".")[2]
    for argument in call.args:
        if isinstance(argument, nodes.Starred):
            found = _items(source, argument.value)
        elif container != SEQUENTIAL or _is_mapping(source, argument):
            found = _items(source, argument)
        else:
            found = iter((argument,))
        yield from ((name, member) for member in found)


def _is_mapping(source: Source, node: nodes.NodeNG) -> bool:
    if isinstance(node, nodes.Call) and last_name(node.func) == "OrderedDict":
        return True
    return any(
        isinstance(value, Data) and isinstance(value.node, (nodes.Dict, nodes.DictComp))
        for value in source.names.known(node)
    )


def _items(source: Source, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that the list or dictionary *node* is made of, and those appended to it."""
    if isinstance(node, nodes.Call) and last_name(node.func) == "OrderedDict" and node.args:
        for pair in _items(source, node.args[0]):
            if isinstance(pair, nodes.Tuple) and len(pair.elts) == 2:
                yield pair.elts[1]
            elif not isinstance(pair, nodes.Tuple):
                yield pair
        return
    if isinstance(node, nodes.BinOp):
        yield from _items(source, node.left)
        yield from _items(source, node.right)
        return
    for value in source.names.known(node):
        if isinstance(value, Data):
            yield from _displayed(source, value.node)
    if isinstance(node, nodes.Name):
        yield from _put_later(source, node)


def _displayed(source: Source, display: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    match display:
        case nodes.Dict(items=items):
            yield from (value for key, value in items if not isinstance(key, nodes.DictUnpack))
        case nodes.List(elts=elements) | nodes.Tuple(elts=elements):
            for element in elements:
                if isinstance(element, nodes.Starred):
                    yield from _items(source, element.value)
                else:
                    yield element
        case nodes.ListComp(elt=element) | nodes.GeneratorExp(elt=element) | nodes.DictComp(value=element):
            yield element


def _put_later(source: Source, name: nodes.Name) -> Iterator[nodes.NodeNG]:
    """Yield what ``append``, ``extend`` and ``+=`` add to the list *name* in its function."""
    for call in source.index.calls_in.get(function_of(name), ()):
        if call.args and dotted(getattr(call.func, "expr", None)) == name.name:
            if last_name(call.func) == "append":
                yield call.args[0]
            elif last_name(call.func) == "extend":
                yield from _displayed(source, call.args[0])
    for statement in source.index.of(nodes.AugAssign):
        target = statement.target
        if isinstance(target, nodes.AssignName) and target.name == name.name and statement.op == "+=":
            if function_of(statement) is function_of(name):
                yield from _displayed(source, statement.value)


# -- what is no module -----------------------------------------------------------------------------


def _is_no_module(source: Source, node: nodes.NodeNG) -> bool:
    values = [value for value in source.names.values(node) if value != NOTHING]
    return bool(values) and all(_is_function(value) or _is_class(value) for value in values)


def _is_function(value: Value) -> bool:
    match value:
        case Function(node):
            return getattr(node, "decorators", None) is None
        case Symbol(name):
            return torch_model.kind(name) == "function"
    return False


def _is_class(value: Value) -> bool:
    match value:
        case Class(node):
            return node.decorators is None
        case Symbol(name):
            return torch_model.kind(name) == "class"
    return False


def _message(source: Source, container: str, member: nodes.NodeNG) -> str:
    text = dotted(member) or "a lambda"
    if all(_is_class(value) for value in source.names.known(member)):
        return f"'{text}' is a class, no module, and '{container}' raises; write '{text}()'"
    name = f"'{text}'" if dotted(member) else text
    module = _module_for(source.names.symbol(member) or "")
    instead = f"use 'nn.{module}()'" if module else "call it, or wrap it in an 'nn.Module'"
    return f"{name} is a function, no module, and '{container}' raises; {instead}"


def _module_for(function: str) -> str | None:
    """Return the class of ``torch.nn`` that does what torch's *function* does, None if there is none."""
    if not function.startswith("torch."):
        return None
    name = function.rpartition(".")[2]
    module = MODULES.get(name) or "".join(part.capitalize() for part in name.split("_"))
    return module if torch_model.kind(f"torch.nn.{module}") == "class" else None
