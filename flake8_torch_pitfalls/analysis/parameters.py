"""Which parameters an optimizer is given: the modules they come from, group by group."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    COMPREHENSIONS,
    Index,
    ancestors,
    argument,
    block_of,
    class_of,
    constant,
    function_of,
    last_name,
    loops_around,
)
from flake8_torch_pitfalls.analysis.values import UNKNOWN, Instance

OPTIMIZERS = frozenset(
    "Adadelta Adafactor Adagrad Adam AdamW Adamax ASGD LBFGS Muon NAdam RAdam RMSprop Rprop SGD SparseAdam".split()
)
"""The names of torch's optimizers."""
GIVE = ("parameters", "named_parameters")
KEEP = ("list", "tuple", "iter", "sorted", "reversed", "chain", "from_iterable")
"""Functions that hand on all that they are given."""
_DEEPEST = 8


@dataclasses.dataclass(frozen=True, slots=True)
class Share:
    """The parameters of *module* where *node* takes them.

    *group* is the dict they stand in, if any; *whole* is False where some of them may be left out.
    """

    node: nodes.Call
    module: nodes.NodeNG
    group: nodes.Dict | None = None
    whole: bool = True


def optimizers(names: Names, index: Index) -> Iterator[nodes.Call]:
    """Yield the calls under *index* that make one of torch's optimizers, in the order of the text."""
    named = [call for name in index.calls if name in OPTIMIZERS for call in index.calls[name]]
    for call in sorted(named, key=lambda call: (call.lineno, call.col_offset)):
        if makes_optimizer(names, call):
            yield call


def makes_optimizer(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* makes one of torch's optimizers."""
    values = names.values(call)
    return UNKNOWN not in values and all(
        isinstance(value, Instance)
        and isinstance(value.cls, str)
        and value.cls.startswith("torch.optim.")
        and names.is_a(value, "torch.optim.Optimizer")
        for value in values
    )


def makes_one(names: Names, maker: nodes.NodeNG, use: nodes.NodeNG) -> bool:
    """Return whether all objects that the call *maker* makes, as far as *use* can mean them, are one."""
    if any(isinstance(above, COMPREHENSIONS) for above in ancestors(maker)):
        return False
    if set(loops_around(maker)) - set(loops_around(use)):
        return False
    function = function_of(maker)
    if function is function_of(use) or isinstance(function, nodes.Module):
        return True
    if not isinstance(function, nodes.FunctionDef):
        return False
    if function.name == "__init__":
        return function.parent is class_of(use)
    return len(names.call_sites(function)) < 2


def given(optimizer: nodes.Call) -> nodes.NodeNG | None:
    """Return the expression of the parameters that the call *optimizer* is given."""
    return argument(optimizer, 0, "params")


def shares(node: nodes.NodeNG | None) -> list[Share]:
    """Return the shares that *node*, an iterable of parameters or of groups, surely holds, in the order of the text."""
    if isinstance(node, nodes.List) and any(isinstance(element, nodes.Call) for element in node.elts):
        return []  # torch takes no list of generators
    return [] if node is None else list(_shares(node, None, True, 0))


def _shares(node: nodes.NodeNG, group: nodes.Dict | None, whole: bool, depth: int) -> Iterator[Share]:
    if depth > _DEEPEST:
        return
    match node:
        case nodes.Call(func=nodes.Attribute(attrname=name)) if name in GIVE:
            yield Share(node, node.func.expr, group, whole and not node.args and not node.keywords)
        case nodes.Call() if last_name(node.func) == "filter" and len(node.args) == 2:
            yield from _shares(node.args[1], group, False, depth + 1)
        case nodes.Call():
            name = last_name(node.func)
            if name in KEEP or name == "set":  # a set holds each parameter once
                for given_to_it in node.args:
                    yield from _shares(given_to_it, group, whole and name in KEEP, depth + 1)
        case nodes.List() | nodes.Tuple():
            for element in node.elts:
                yield from _shares(element, group, whole, depth + 1)
        case nodes.Starred():
            yield from _shares(node.value, group, whole, depth + 1)
        case nodes.BinOp(op="+"):
            yield from _shares(node.left, group, whole, depth + 1)
            yield from _shares(node.right, group, whole, depth + 1)
        case nodes.Dict():
            for key, value in node.items:
                if constant(key) == "params":
                    yield from _shares(value, node, whole, depth + 1)
        case nodes.ListComp() | nodes.GeneratorExp():
            yield from _comprehended(node, group, whole, depth)
        case nodes.Name():
            yield from _named(node, group, whole, depth)


def _comprehended(
    node: nodes.ListComp | nodes.GeneratorExp, group: nodes.Dict | None, whole: bool, depth: int
) -> Iterator[Share]:
    """Yield the shares of ``[p for net in (a, b) for p in net.parameters()]``."""
    if isinstance(node.elt, nodes.Dict):
        yield from _shares(node.elt, None, False, depth + 1)
        return
    whole = whole and isinstance(node.elt, nodes.Name) and not any(part.ifs for part in node.generators)
    for share in _shares(node.generators[-1].iter, group, whole, depth + 1):
        over = _iterated_by(share.module, node)
        if over is None:
            yield share
        elif isinstance(over, (nodes.List, nodes.Tuple)):
            for module in over.elts:
                yield dataclasses.replace(share, module=module)


def _iterated_by(module: nodes.NodeNG, node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return what the comprehension *node* runs over to get *module*, None if it comes from outside."""
    for part in node.generators:
        if isinstance(module, nodes.Name) and isinstance(part.target, nodes.AssignName):
            if part.target.name == module.name:
                return part.iter
    return None


def _named(name: nodes.NodeNG, group: nodes.Dict | None, whole: bool, depth: int) -> Iterator[Share]:
    """Yield the shares of a variable, with what is added to it before it is used."""
    definitions = scopes.definitions(name, name.name)
    if len(definitions) != 1:
        return
    definition = definitions[0]
    statement = definition.parent
    if isinstance(statement, nodes.AugAssign) and statement.op == "+=":
        yield from _named(statement.target, group, whole, depth + 1)
        yield from _shares(statement.value, group, whole, depth + 1)
    elif isinstance(statement, nodes.Assign):
        for value in given_to(definition):
            yield from _shares(value, group, whole, depth + 1)
    else:
        return
    for call in _additions(name, statement):
        yield from _shares(call.args[0], group, whole, depth + 1)


def _additions(name: nodes.NodeNG, definition: nodes.NodeNG) -> Iterator[nodes.Call]:
    """Yield ``params.append(…)`` and ``params.extend(…)`` between *definition* and *name* that run for certain."""
    block = block_of(definition)
    for call in name.root().index_of(name).filled.get(name.name, ()):
        if function_of(call) is function_of(name) and call.statement() in block and len(call.args) == 1:
            if definition.fromlineno < call.fromlineno < name.statement().fromlineno:
                yield call
