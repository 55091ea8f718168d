"""Multiplying a list of layers repeats references to one layer: the copies share their weights.

## What happens
`[nn.Linear(8, 8)] * 3` makes one layer and a list that names it three times. `nn.ModuleList` and `nn.Sequential`
take the list as it is, the model prints as three layers and runs as three, but `parameters()` gives one weight and one
bias. The same comes of a comprehension over a layer that was made before, `[layer for _ in range(3)]`, of appending it
in a loop, and of naming it twice: `nn.Sequential(conv, relu, conv)`. None of that raises, and the model has a third of
the parameters it seems to have.

## What to write
A comprehension that makes a layer in each turn, `[nn.Linear(8, 8) for _ in range(3)]`, or copies one:
`[copy.deepcopy(layer) for _ in range(3)]`.

## Silent
- Modules without parameters: `[nn.ReLU()] * 3`.
- Comprehensions that make or copy the layer in each turn.
- Sharing that is named so, in the variable, function or class: `shared`, `tied`, `recurrent`, `albert`.
- One layer that `forward` calls in a loop, or that a test of the loop's variable adds.
- Lists that do not become layers: `for model in [model] * 3`.

## Known limits
A list that is passed through a function, and built into layers there, is not followed.

## Sources
- `torch.nn.Module.parameters` in PyTorch's documentation: duplicates are left out.
"""
from __future__ import annotations

import collections
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    COMPREHENSIONS,
    ancestors,
    class_of,
    constant,
    dotted,
    function_of,
    loops_around,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"ModuleList", "Sequential", "ModuleDict"}

_MEMBERS = (nodes.Call, nodes.Name, nodes.Attribute)
_SHARED_ON_PURPOSE = re.compile(r"shar(e|ed|ing)|tied|tying|recurr|recursive|albert|universal|siamese", re.IGNORECASE)


def check(source: Source) -> Iterator[Finding]:
    """Yield where one module with parameters is put several times among the layers of another."""
    for node in source.index.of(nodes.BinOp, nodes.ListComp, nodes.GeneratorExp, nodes.DictComp):
        member = _multiplied(node) if isinstance(node, nodes.BinOp) else _repeated_by_comprehension(node)
        if member is not None and _becomes_layers(source, node) and _matters(source, member):
            yield Finding(node, _message(member))
    for call in torch_calls(source, *layers.CONTAINERS):
        for member in _written_twice(call.node):
            if _matters(source, member):
                yield Finding(member, _message(member))
    for call in source.index.calls.get("append", ()):
        member = _appended_in_loop(call)
        if member is not None and _is_list_of_layers(source, call) and _matters(source, member):
            yield Finding(call, _message(member))


def _message(member: nodes.NodeNG) -> str:
    text = text_of(member.func if isinstance(member, nodes.Call) else member)
    return f"'{text}' is repeated by reference: all the layers share one set of weights; make or copy it in each turn"


def _multiplied(node: nodes.BinOp) -> nodes.NodeNG | None:
    """Return the member of the display that *node* multiplies, None if it does something else."""
    if node.op != "*":
        return None
    for display, times in ((node.left, node.right), (node.right, node.left)):
        if isinstance(display, (nodes.List, nodes.Tuple)) and constant(times) not in (0, 1):
            return next((one for one in display.elts if isinstance(one, _MEMBERS)), None)
    return None


def _repeated_by_comprehension(node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the variable that each turn of a comprehension gives, if it was bound before."""
    value = node.value if isinstance(node, nodes.DictComp) else node.elt
    if not isinstance(value, nodes.Name):
        return None
    around = [above for above in (node, *ancestors(node)) if isinstance(above, COMPREHENSIONS)]
    return None if any(value.name in above.locals for above in around) else value


def _written_twice(call: nodes.Call) -> Iterator[nodes.NodeNG]:
    """Yield the second mention of each variable that *call* names several times among the layers."""
    members = call.args[0].elts if call.args and isinstance(call.args[0], (nodes.List, nodes.Tuple)) else call.args
    times = collections.Counter[str]()
    for member in members:
        if (text := dotted(member)) is not None:
            times[text] += 1
            if times[text] == 2:
                yield member


def _appended_in_loop(call: nodes.Call) -> nodes.NodeNG | None:
    """Return the variable that *call* appends in each turn of a loop, if no turn binds it."""
    if len(call.args) != 1 or not isinstance(call.args[0], nodes.Name):
        return None
    loops = loops_around(call)
    [value] = call.args
    if not loops or any(_binds(loop, value.name) for loop in loops) or _asks_for_turn(call, loops[0]):
        return None
    return value


def _asks_for_turn(call: nodes.Call, loop: nodes.For | nodes.While) -> bool:
    """Return whether a test of the variable of *loop* decides about *call*, which may let one turn through."""
    variables = {bound.name for bound in loop.nodes_of_class(nodes.AssignName)}
    for above in ancestors(call):
        if above is loop:
            return False
        if isinstance(above, nodes.If):
            if any(read.name in variables for read in above.test.nodes_of_class(nodes.Name)):
                return True
    return False


def _binds(loop: nodes.NodeNG, name: str) -> bool:
    return any(bound.name == name for bound in loop.nodes_of_class(nodes.AssignName))


def _matters(source: Source, member: nodes.NodeNG) -> bool:
    """Return whether *member* is one module, with parameters, that is not shared on purpose."""
    found = source.names.values(member)
    return (
        not _is_shared_by_name(member)
        and all(isinstance(value, Instance) for value in found)
        and all(layers.has(source.names, value, layers.Trait.PARAMETERS) is True for value in found)
    )


def _is_shared_by_name(member: nodes.NodeNG) -> bool:
    names = [above.name for above in ancestors(member) if isinstance(above, (nodes.FunctionDef, nodes.ClassDef))]
    names.append(text_of(member))
    return any(_SHARED_ON_PURPOSE.search(name) for name in names)


def _becomes_layers(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether the list *node* is given to a container of torch, at once or by a variable."""
    parent = node.parent
    while isinstance(parent, (nodes.Starred, nodes.BinOp, nodes.List, nodes.Tuple)):
        parent = parent.parent
    match parent:
        case nodes.Call():
            return _is_container(source, parent)
        case nodes.Assign(targets=[nodes.AssignName(name=name)]) | nodes.AugAssign(target=nodes.AssignName(name=name)):
            return _is_given_to_container(source, name, parent)
    return False


def _is_list_of_layers(source: Source, call: nodes.Call) -> bool:
    """Return whether the list that *call* appends to is a ``ModuleList``, or becomes layers."""
    holder = call.func.expr if isinstance(call.func, nodes.Attribute) else None
    if source.kinds.inferred(holder, "module") is True:
        return True
    name = dotted(holder)
    return name is not None and _is_given_to_container(source, name, call)


def _is_given_to_container(source: Source, name: str, place: nodes.NodeNG) -> bool:
    """Return whether the list *name* is an argument of a container where *place* stands: *name*, ``*name``."""
    scope = class_of(place) if name.startswith("self.") else function_of(place)
    return scope is not None and any(
        dotted(given.value if isinstance(given, nodes.Starred) else given) == name and _is_container(source, call)
        for call in source.index.within(scope, nodes.Call)
        for given in call.args
    )


def _is_container(source: Source, call: nodes.Call) -> bool:
    return any(
        isinstance(value, Symbol) and value.name in layers.CONTAINERS for value in source.names.values(call.func)
    )
