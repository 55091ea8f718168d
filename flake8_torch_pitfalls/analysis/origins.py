"""Which expressions give a value: behind names, attributes, parameters, branches and functions of the project.

Where ``symbols`` tells what is known of a value, this tells where it is made, also by code outside the project.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    class_of,
    decorator_names,
    function_of,
    last_name,
    self_name,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance

MOST = 60
_MOST_STEPS = 4
_SAME_VALUE = {"copy.copy", "copy.deepcopy", "max", "min"}
"""Functions that give back one of their arguments, or a copy."""


def origins(names: Names, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that *node* may get its value from: calls, displays, constants, operations.

    A name that nothing in view gives a value is yielded itself.
    """
    seen: set[nodes.NodeNG] = set()
    waiting = [node]
    while waiting and len(seen) < MOST:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        behind = list(_behind(names, current))
        if behind:
            waiting.extend(reversed(behind))
        else:
            yield current


def _behind(names: Names, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    match node:
        case nodes.Name():
            for definition in scopes.definitions(node, node.name):
                yield from given_by(names, definition)
        case nodes.Attribute():
            for value in names.known(node.expr):
                if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
                    for target in names.stores(value.cls, node.attrname):
                        yield from given_by(names, target)
        case nodes.IfExp():
            yield from (node.body, node.orelse)
        case nodes.BoolOp():
            yield from node.values
        case nodes.NamedExpr() | nodes.Await():
            yield node.value
        case nodes.Call():
            if names.symbol(node.func) in _SAME_VALUE:
                yield from node.args
            else:
                yield from _returned(names, node)


def _returned(names: Names, call: nodes.Call) -> Iterator[nodes.NodeNG]:
    """Yield what the functions of the project that *call* may run return; nothing for a class that is made."""
    for function in names.callee(call):
        if isinstance(function.node, nodes.Lambda) and not isinstance(function.node, nodes.FunctionDef):
            yield function.node.body
        elif function.node.name not in ("__init__", "forward"):
            statements = names.index_of(function.node).returns.get(function.node, ())
            yield from (statement.value for statement in statements if statement.value is not None)


def given_by(names: Names, definition: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions from which *definition*, a bound name or attribute, gets its value."""
    parent = definition.parent
    match parent:
        case nodes.Assign() | nodes.AugAssign() | nodes.AnnAssign() | nodes.NamedExpr():
            if parent.value is not None:
                yield parent.value
        case nodes.Tuple() | nodes.List() if isinstance(parent.parent, nodes.Assign):
            yield from _unpacked(names, parent.parent.value, parent.elts.index(definition), len(parent.elts))
        case nodes.With():
            yield from (context for context, bound in parent.items if bound is definition)
        case nodes.Arguments():
            yield from passed(names, parent.parent, definition.name)


def _unpacked(names: Names, value: nodes.NodeNG, position: int, length: int) -> Iterator[nodes.NodeNG]:
    """Yield item *position* of *value*, a tuple of *length* or a call of a function that returns one."""
    made = list(_returned(names, value)) if isinstance(value, nodes.Call) else [value]
    for display in made:
        if isinstance(display, (nodes.Tuple, nodes.List)) and len(display.elts) == length:
            yield display.elts[position]


def passed(names: Names, function: nodes.NodeNG, name: str) -> Iterator[nodes.NodeNG]:
    """Yield what the calls in the linted file pass to *function* as *name*, and its default where they do not."""
    if not isinstance(function, nodes.FunctionDef) or self_name(function) == name:
        return
    default = scopes.default(function, name)
    sites = names.call_sites(function)
    for call in sites:
        bound = self_name(function) is not None and not _names_class(call, function)
        given = scopes.match_arguments(function, call, bound=bound).get(name, default)
        if given is not None:
            yield given
    if not sites and default is not None:
        yield default


def _names_class(call: nodes.Call, function: nodes.FunctionDef) -> bool:
    """Return whether *call* names the class of the method *function*, ``Base.method(self, …)``."""
    owner = class_of(function)
    return (
        function.name != "__init__"
        and owner is not None
        and isinstance(call.func, nodes.Attribute)
        and last_name(call.func.expr) == owner.name
    )


def arguments_of(function: Function, call: nodes.Call) -> dict[str, nodes.NodeNG]:
    """Return which expression of *call* each parameter of *function*, which it runs, gets."""
    bound = function.receiver is not None or "classmethod" in decorator_names(function.node)
    return scopes.match_arguments(function.node, call, bound=bound)


def uses_of(names: Names, target: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that read the name or attribute *target* that an assignment binds.

    Of a name only those count that this very assignment can reach; of an attribute all reads on ``self``.
    """
    index = names.index_of(target)
    match target:
        case nodes.AssignName(name=name):
            scope = function_of(target)
            for use in index.within(scope, nodes.Name) if scope.parent is not None else index.of(nodes.Name):
                if use.name == name and target in scopes.definitions(use, name) and not _is_replaced(target, use):
                    yield use
        case nodes.AssignAttr(attrname=name, expr=nodes.Name(name=owner)):
            cls = class_of(target)
            for read in index.attributes.get(name, ()) if cls is not None else ():
                if isinstance(read.expr, nodes.Name) and read.expr.name == owner and class_of(read) is cls:
                    yield read


def _is_replaced(target: nodes.AssignName, use: nodes.NodeNG) -> bool:
    """Return whether a later statement of the same block binds the name of *target* anew before *use*."""
    statement = target.statement()
    if statement.parent_of(use):
        return False
    following = statement.next_sibling()
    while following is not None and following.fromlineno < use.fromlineno and not following.parent_of(use):
        if isinstance(following, nodes.Assign) and any(
            isinstance(bound, nodes.AssignName) and bound.name == target.name for bound in following.targets
        ):
            return True
        following = following.next_sibling()
    return False


def spelled_out(names: Names, node: nodes.NodeNG) -> str:
    """Return the text of what makes *node*, and of what the names in that are made by, line by line."""
    texts: dict[str, None] = {}
    seen: set[nodes.NodeNG] = set()
    waiting = [(node, 0)]
    while waiting and len(seen) < MOST:
        current, depth = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        texts[current.as_string()] = None
        if depth < _MOST_STEPS:
            named = [part for part in walk(current) if isinstance(part, (nodes.Name, nodes.Attribute))]
            waiting += [(made, depth + 1) for part in named for made in origins(names, part)]
    return "\n".join(texts)
