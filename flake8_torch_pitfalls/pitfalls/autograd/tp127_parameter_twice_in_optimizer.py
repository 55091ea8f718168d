"""An optimizer is handed the same parameters twice.

## What happens
`net.parameters()` holds the parameters of all modules inside `net`. Added to those of one of them, or of another module
that shares a block with it, they come twice. Within one group PyTorch warns, then takes every step twice for these
parameters: twice the learning rate, and Adam counts two steps. In two groups, or by `add_param_group`, it raises
"some parameters appear in more than one parameter group".

## What to write
Each module once: the outer one alone, or its parts that have nothing in common. For a learning rate of their own, take
them out of the rest:
```python
head = {id(p) for p in net.head.parameters()}
rest = [p for p in net.parameters() if id(p) not in head]
optimizer = optim.SGD([{"params": rest}, {"params": net.head.parameters(), "lr": 0.1}], lr=0.01)
```

## Silent
- Modules that have nothing in common.
- Parameters that are filtered, or gathered in a `set`.
- Modules that say by a `parameters` method of their own what they give.
- A layer that was replaced after the optimizer was made, then added by `add_param_group`.

## Known limits
Parameters that are collected by a function, under a condition or in a loop are not followed, nor are weights that two
modules share by assignment, blocks that come from a caller out of view, or those of an object's attributes.

## Sources
- `torch.optim.Optimizer.add_param_group` in PyTorch's documentation.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers, optimizers, parameters, scopes
from flake8_torch_pitfalls.analysis.parameters import Share
from flake8_torch_pitfalls.analysis.places import place
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, function_of, is_open, last_name, text_of, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = parameters.OPTIMIZERS | {"add_param_group"}
DEEPEST = 4


def check(source: Source) -> Iterator[Finding]:
    """Yield the optimizers, and the groups added to one, that get a parameter for the second time."""
    for call in parameters.optimizers(source.names, source.index):
        pairs = itertools.combinations(parameters.shares(parameters.given(call)), 2)
        yield from _findings(source, call, pairs)
    for call in source.index.calls.get("add_param_group", ()):
        yield from _findings(source, call, _pairs_with_added(source, call))


def _findings(source: Source, call: nodes.Call, pairs: Iterable[tuple[Share, Share]]) -> Iterator[Finding]:
    for one, other in pairs:
        if one.whole and other.whole and (common := _common(source, one.module, other.module)) is not None:
            raises = one.group is not other.group or last_name(call.func) == "add_param_group"
            yield Finding(call, _message(one, other, common, raises))
            return


def _message(one: Share, other: Share, common: str, raises: bool) -> str:
    effect = "torch raises" if raises else "steps count twice"
    mine, theirs = (f"{text_of(share.module)}.parameters()" for share in (one, other))
    if mine == theirs:
        return f"'{mine}' is given twice: {effect}; give it once"
    return f"'{mine}' and '{theirs}' share '{common}': {effect}; give it once"


def _pairs_with_added(source: Source, call: nodes.Call) -> Iterator[tuple[Share, Share]]:
    """Yield each share that an optimizer is made with, and each that *call* of ``add_param_group`` adds to it."""
    added = parameters.shares(argument(call, 0, "param_group"))
    if not added or not isinstance(call.func, nodes.Attribute):
        return
    makers = optimizers.made(source.names, call.func.expr)
    for maker in makers if len(makers) == 1 else ():
        if isinstance(maker, nodes.Call) and parameters.makes_optimizer(source.names, maker):
            later = [share for share in added if not _may_be_new(source, share.module, maker)]
            yield from itertools.product(parameters.shares(parameters.given(maker)), later)


def _may_be_new(source: Source, module: nodes.NodeNG, maker: nodes.Call) -> bool:
    """Return whether *module*, or one around it, may have been exchanged since *maker* made the optimizer."""
    targets: list[nodes.NodeNG] = _roots(module)
    for node in walk(module):
        if isinstance(node, nodes.Attribute):
            targets += source.index.stores.get(node.attrname, ())
    return any(
        target.fromlineno > maker.fromlineno
        if function_of(target) is function_of(maker)
        else isinstance(target, nodes.AssignAttr) and function_of(target).name != "__init__"
        for target in targets
    )


def _common(source: Source, one: nodes.NodeNG, other: nodes.NodeNG) -> str | None:
    """Return the module that is part of both *one* and *other*, None if the text does not show any."""
    for outer, inner in ((one, other), (other, one)):
        if _contains(source, outer, inner):
            plain = _gives_all(source, outer) and source.kinds.inferred(inner, "module") is not False
            return text_of(inner) if plain else None
    if not _gives_all(source, one) or not _gives_all(source, other):
        return None
    mine, theirs = _parts(source, one), _parts(source, other)
    shared = [text for maker, text in mine.items() if maker in theirs]
    return shared[0] if shared else None


def _gives_all(source: Source, module: nodes.NodeNG) -> bool:
    """Return whether *module* is a module that gives all the parameters it has, and may have some."""
    if source.kinds.of(module, "module") is not True:
        return False
    return not any(
        isinstance(value.cls, nodes.ClassDef)
        and any(source.names.method(value.cls, name) is not None for name in parameters.GIVE)
        or layers.has(source.names, value, layers.Trait.PARAMETERS) is False
        for value in source.kinds.instances(module, "module")
    )


def _contains(source: Source, outer: nodes.NodeNG, inner: nodes.NodeNG) -> bool:
    """Return whether *inner* is *outer* itself, or is reached through it."""
    here, there = place(source.names, outer), place(source.names, inner)
    if here is None or there is None or not here.holds(there):
        return False
    mine, theirs = _roots(outer), _roots(inner)
    return mine == theirs or {one.name for one in mine}.isdisjoint(one.name for one in theirs)


def _roots(module: nodes.NodeNG) -> list[nodes.AssignName]:
    """Return the assignments that may have given the variable in *module* its value."""
    return [
        definition
        for node in walk(module)
        if isinstance(node, nodes.Name)
        for definition in scopes.definitions(node, node.name)
        if isinstance(definition, nodes.AssignName)
    ]


def _parts(source: Source, module: nodes.NodeNG, depth: int = 0) -> dict[nodes.NodeNG, str]:
    """Return the calls that made *module* and the modules that it was given to keep, and how the text names them."""
    makers = optimizers.made(source.names, module)
    if len(makers) != 1 or depth > DEEPEST:
        return {}
    if layers.any_has(source.names, source.names.known(module), layers.Trait.PARAMETERS) is False:
        return {}
    (maker,) = makers
    if not isinstance(maker, nodes.Call) or not parameters.makes_one(source.names, maker, module):
        return {}
    found = {maker: text_of(module)}
    for kept in _kept(source, maker):
        found.update(_parts(source, kept, depth + 1))
    return found


def _kept(source: Source, maker: nodes.Call) -> Iterator[nodes.NodeNG]:
    """Yield the arguments of *maker* that the module it makes keeps as its submodules."""
    if is_open(maker):
        return
    if source.names.symbol(maker.func) in layers.CONTAINERS:
        yield from maker.args
    for function in source.names.callee(maker):
        given = scopes.match_arguments(function.node, maker, bound=True)
        for statement in function.node.body:
            match statement:
                case nodes.Assign(targets=[nodes.AssignAttr()], value=nodes.Name(name=name)) if name in given:
                    yield given[name]
