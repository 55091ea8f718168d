"""Which calls of modules the graph of a loss surely holds."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.lineage import given_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, function_of, last_name, loops_around, self_name, walk
from flake8_torch_pitfalls.analysis.values import Instance

CUTS = frozenset("detach detach_ item tolist numpy data argmax argmin argsort long int bool eq ne gt ge lt le".split())
"""What, called on a tensor, leaves its graph behind."""
LONGEST = 200
DEEPEST = 3

Frames = tuple[nodes.Call, ...]
"""The calls through which an expression was reached, outermost first: its parameters are their arguments."""
Part = tuple[nodes.Call, int | None, Frames]
"""A call of a module, which of the values that a module of the project returns, and how it was reached."""


def operations(source: Source, loss: nodes.NodeNG | None, frames: Frames = ()) -> set[Part]:
    """Return the calls of modules that the graph of *loss* surely holds."""
    found: set[Part] = set()
    stack: list[tuple[nodes.NodeNG, int | None, Frames]] = [] if loss is None else [(loss, None, frames)]
    seen: set[object] = set()
    while stack and len(seen) < LONGEST:
        part = node, position, inside = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        below: Iterable[nodes.NodeNG] = ()
        match node:
            case nodes.Name():
                stack += _behind_name(source, node, inside)
            case nodes.Attribute():
                below = _behind_attribute(source, node)
            case nodes.Call() if is_module_call(source, node):
                found.add((node, position if source.names.callee(node) else None, inside))
                below = () if _may_detach(source, node) else node.args
            case nodes.Call():
                stack += _behind_call(source, node, position, inside)
                below = _operands(source, node)
            case nodes.BinOp() | nodes.UnaryOp() | nodes.Tuple() | nodes.List():
                below = node.get_children()
            case nodes.Subscript():
                below = [node.value]
        stack += [(child, None, inside) for child in below]
    return found


def argument_of(node: nodes.NodeNG, frames: Frames) -> tuple[nodes.NodeNG, Frames]:
    """Return what *node*, if it is a parameter, was given by the calls that led to it."""
    while isinstance(node, nodes.Name) and frames:
        definitions = scopes.definitions(node, node.name)
        if len(definitions) != 1 or not is_parameter(definitions[0]):
            break
        function = definitions[0].parent.parent
        given = scopes.match_arguments(function, frames[-1], bound=self_name(function) is not None)
        if node.name not in given or function is not function_of(node):
            break
        node, frames = given[node.name], frames[:-1]
    return node, frames


def _behind_name(
    source: Source, name: nodes.Name, frames: Frames
) -> Iterator[tuple[nodes.NodeNG, int | None, Frames]]:
    given, outer = argument_of(name, frames)
    if given is not name:
        yield given, None, outer
    elif (definition := _only_definition(name)) is not None:
        for value in given_to(definition):
            yield value, _position(definition), frames


def _behind_attribute(source: Source, node: nodes.Attribute) -> Iterator[nodes.NodeNG]:
    """Yield what ``self.loss`` was given, where the class gives it a value that counts at one place only."""
    owners = [value.cls for value in source.names.known(node.expr) if isinstance(value, Instance)]
    if len(owners) != 1 or not isinstance(owners[0], nodes.ClassDef):
        return
    targets = [
        target
        for target in source.names.stores(owners[0], node.attrname)
        if isinstance(target, nodes.AssignAttr) and not _starts(target)
    ]
    if len(targets) == 1:
        yield from given_to(targets[0])


def _starts(target: nodes.AssignAttr) -> bool:
    """Return whether *target* is given a constant: ``self.loss = None``."""
    return all(constant(value) is not ... for value in given_to(target)) and isinstance(target.parent, nodes.Assign)


def _behind_call(
    source: Source, call: nodes.Call, position: int | None, frames: Frames
) -> Iterator[tuple[nodes.NodeNG, int | None, Frames]]:
    """Yield what a function of the project returns."""
    functions = source.names.callee(call)
    if len(functions) != 1 or call in frames or len(frames) > DEEPEST:
        return
    returns = source.names.index_of(functions[0].node).returns.get(functions[0].node, ())
    for value in (statement.value for statement in returns if len(returns) == 1):
        if isinstance(value, nodes.Tuple) and position is not None and position < len(value.elts):
            yield value.elts[position], None, (*frames, call)
        elif value is not None:
            yield value, position, (*frames, call)


def _position(definition: nodes.AssignName) -> int | None:
    """Return which item of what is assigned *definition* gets; None for the whole."""
    target = definition.parent
    return target.elts.index(definition) if isinstance(target, (nodes.Tuple, nodes.List)) else None


def _only_definition(use: nodes.Name) -> nodes.AssignName | None:
    """Return the assignment that gives *use* its value in every pass of the loops around it."""
    definitions = scopes.definitions(use, use.name)
    if len(definitions) != 1 or not isinstance(definitions[0].statement(), nodes.Assign):
        return None
    definition = definitions[0]
    around = loops_around(definition)
    others = [loop for loop in loops_around(use) if loop not in around]
    return None if any(assignments(loop, use.name) for loop in others) else definition


def assignments(loop: nodes.NodeNG, name: str) -> list[nodes.AssignName]:
    """Return where the statements of *loop* give the variable *name* a value."""
    return [node for node in walk(loop) if isinstance(node, nodes.AssignName) and node.name == name]


def is_module_call(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* runs a module that is no loss, with gradients recorded."""
    if source.kinds.of(call.func, "module") is not True or _is_loss(source, call):
        return False
    return source.tensors.recording(call) is True


def _is_loss(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* computes one of torch's losses, a small graph that matters only with what is below it."""
    return any(
        isinstance(value, Instance) and isinstance(value.cls, str) and value.cls.endswith("Loss")
        for value in source.names.known(call.func)
    )


def _may_detach(source: Source, call: nodes.Call) -> bool:
    """Return whether the forward of a module of the project mentions a way out of the graph."""
    return any(
        last_name(node) in CUTS or last_name(node) == "no_grad"
        for function in source.names.callee(call)
        for node in walk(function.node)
    )


def _operands(source: Source, call: nodes.Call) -> list[nodes.NodeNG]:
    """Return the tensors whose graphs the result of *call* surely continues: of torch's functions and methods."""
    func = call.func
    name = last_name(func) or ""
    fact = source.tensors.at(call)
    if name in CUTS or name.endswith("_like") or (isinstance(fact, Tensor) and fact.graph is False):
        return []
    if _is_loss(source, call):
        return list(call.args)
    symbol = source.names.symbol(func)
    if symbol is not None and symbol.startswith("torch."):
        receiver = [func.expr] if symbol.startswith("torch.Tensor.") and isinstance(func, nodes.Attribute) else []
        return [*receiver, *call.args]
    if isinstance(func, nodes.Attribute) and torch_model.member("torch.Tensor", func.attrname) is not None:
        return [func.expr, *call.args] if source.kinds.is_unknown(func.expr) else []
    return []
