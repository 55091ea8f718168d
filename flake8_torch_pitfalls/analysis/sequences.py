"""The layers of an ``nn.Sequential`` in the order in which they run, however it was put together.

Its arguments, a list that is unpacked into it, an ``OrderedDict``, and what ``append`` and ``add_module``
add later are brought into the order of the text.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import argument, class_of, dotted, function_of, last_name
from flake8_torch_pitfalls.analysis.values import Data, Instance

SEQUENTIAL = "torch.nn.Sequential"
_ADDED_AT = {"append": 0, "add_module": 1, "register_module": 1}
"""The methods that add a layer, and the argument that is the layer."""


def creation(names: Names, value: Instance) -> nodes.Call | None:
    """Return the call that made *value*, of the original if *value* is a deep copy."""
    made = value.made_at
    for _ in range(4):
        if not isinstance(made, nodes.Call) or last_name(made.func) != "deepcopy" or not made.args:
            break
        originals = [one for one in names.known(made.args[0]) if isinstance(one, Instance)]
        if len(originals) != 1:
            return None
        made = originals[0].made_at
    return made if isinstance(made, nodes.Call) else None


def layers(names: Names, value: Instance) -> list[nodes.NodeNG] | None:
    """Return the expressions of the layers of *value*, a Sequential, in order; None if some cannot be told.

    Layers that are added under a condition are among them.
    """
    if isinstance(value.cls, nodes.ClassDef):
        return _of_subclass(names, value.cls)
    made = creation(names, value)
    if made is None or made.keywords:
        return None
    given = _given(names, made)
    name = assigned_name(made)
    if given is None or name is None:
        return given
    if _is_edited(names, made, name):
        return None
    return [*given, *_added(names, made, name)]


def assigned_name(made: nodes.NodeNG) -> str | None:
    """Return the text of the variable or attribute that the value of *made* is assigned to."""
    statement = made.parent
    if isinstance(statement, nodes.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, nodes.AssignName):
            return str(target.name)
        if isinstance(target, nodes.AssignAttr) and (base := dotted(target.expr)) is not None:
            return f"{base}.{target.attrname}"
    return None


def uses(names: Names, made: nodes.Call) -> Iterator[nodes.Call]:
    """Yield the calls of the module that *made* makes, if it is assigned to a variable or attribute."""
    name = assigned_name(made)
    for call in names.index_of(made).calls.get(name.rpartition(".")[2], ()) if name is not None else ():
        match names.known(call.func):
            case [Instance(made_at=made_at)] if made_at is made:
                yield call


def share_name(one: nodes.NodeNG, other: nodes.NodeNG, name: str) -> bool:
    """Return whether *name* means the same object at both places: within a function, for ``self.x`` a class."""
    if name.startswith("self."):
        return class_of(one) is class_of(other)
    return function_of(one) is function_of(other)


def _of_subclass(names: Names, cls: nodes.ClassDef) -> list[nodes.NodeNG] | None:
    index = names.index_of(cls)
    found: list[nodes.NodeNG] | None = None
    for call in index.calls.get("__init__", ()):
        if class_of(call) is cls and isinstance(call.func, nodes.Attribute):
            if isinstance(call.func.expr, nodes.Call) and last_name(call.func.expr.func) == "super":
                found = _given(names, call)
    return None if found is None else [*found, *_added(names, cls.body[0], "self")]


def _given(names: Names, made: nodes.Call) -> list[nodes.NodeNG] | None:
    """Return the layers that *made*, a call of ``Sequential``, is given."""
    if len(made.args) == 1 and not isinstance(made.args[0], nodes.Starred):
        if (ordered := _ordered(names, made.args[0])) is not None:
            return ordered
    found: list[nodes.NodeNG] = []
    for node in made.args:
        if not isinstance(node, nodes.Starred):
            found.append(node)
        elif (items := _items(names, node.value)) is not None:
            found += items
        else:
            return None
    return found


def _ordered(names: Names, node: nodes.NodeNG) -> list[nodes.NodeNG] | None:
    """Return the values of *node* if it is a dictionary of layers."""
    definition = _definition(node)
    value = node if definition is None else definition.value
    found: list[nodes.NodeNG] = []
    match value:
        case nodes.Call() if last_name(value.func) == "OrderedDict":
            pairs = value.args[0] if value.args else None
            if isinstance(pairs, nodes.Dict):
                found = [item for _, item in pairs.items]
            elif isinstance(pairs, (nodes.List, nodes.Tuple)):
                found = [pair.elts[1] for pair in pairs.elts if isinstance(pair, nodes.Tuple) and len(pair.elts) == 2]
            elif pairs is not None:
                return None
        case nodes.Dict():
            found = [item for _, item in value.items]
        case _:
            return None
    if definition is not None:
        name = assigned_name(value) or ""
        for target in names.index_of(node).items.get(name, ()):
            if share_name(target, node, name) and isinstance(target.parent, nodes.Assign):
                found.append(target.parent.value)
    return found


def _items(names: Names, node: nodes.NodeNG) -> list[nodes.NodeNG] | None:
    """Return the items of the list *node*, with what was appended to it before, in the order of the text."""
    match node:
        case nodes.List() | nodes.Tuple():
            return None if any(isinstance(element, nodes.Starred) for element in node.elts) else list(node.elts)
        case nodes.BinOp(op="+"):
            left, right = _items(names, node.left), _items(names, node.right)
            return [*(left or ()), *right] if right else None
        case nodes.BinOp(op="*"):
            return _items(names, node.left)
        case nodes.Name():
            return _named_items(names, node)
        case nodes.Call():
            returned = names.known(node)
            if len(returned) == 1 and isinstance(returned[0], Data) and returned[0].node is not node:
                display = returned[0].node
                name = assigned_name(display)
                if isinstance(display, nodes.List) and (name is None or not any(_added(names, display, name))):
                    return _items(names, display)
    return None


def _named_items(names: Names, node: nodes.Name) -> list[nodes.NodeNG] | None:
    scope = function_of(node)
    statements = [found.statement() for found in scope.locals.get(node.name, ()) if not _is_parameter(found)]
    if not statements or len(statements) != len(scope.locals[node.name]):
        return None
    found: list[nodes.NodeNG] = []
    for statement in statements:
        if not isinstance(statement, (nodes.Assign, nodes.AugAssign)):
            return None
        items = _items(names, statement.value)
        if items is None or (isinstance(statement, nodes.AugAssign) and statement.op != "+="):
            return None
        found += items
    found += _added(names, node, node.name)
    for call in names.index_of(node).calls.get("extend", ()):
        if dotted(getattr(call.func, "expr", None)) == node.name and share_name(call, node, node.name):
            items = _items(names, call.args[0]) if call.args else None
            if items is None:
                return None
            found += items
    before = [item for item in found if _order(item) < _order(node)]
    return sorted(before, key=_order)


def _added(names: Names, place: nodes.NodeNG, name: str) -> Iterator[nodes.NodeNG]:
    """Yield the layers added to the object *name* by the methods of ``nn.Sequential`` and ``list``, in order."""
    index = names.index_of(place)
    found = []
    for method, position in _ADDED_AT.items():
        for call in index.calls.get(method, ()):
            if isinstance(call.func, nodes.Attribute) and dotted(call.func.expr) == name:
                same = class_of(call) is class_of(place) if name == "self" else share_name(call, place, name)
                layer = argument(call, position, "module")
                if same and layer is not None:
                    found.append(layer)
    yield from sorted(found, key=_order)


def _is_edited(names: Names, made: nodes.Call, name: str) -> bool:
    """Return whether a layer of the Sequential *name* is replaced, inserted or taken out after it was made."""
    index = names.index_of(made)
    if any(share_name(target, made, name) for target in index.items.get(name, ())):
        return True
    return any(
        dotted(getattr(call.func, "expr", None)) == name and share_name(call, made, name)
        for method in ("insert", "pop", "extend", "__delitem__")
        for call in index.calls.get(method, ())
    )


def _definition(node: nodes.NodeNG) -> nodes.Assign | None:
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
        if len(found) == 1 and isinstance(found[0].parent, nodes.Assign):
            return found[0].parent
    return None


def _is_parameter(node: nodes.NodeNG) -> bool:
    return isinstance(node.parent, nodes.Arguments)


def _order(node: nodes.NodeNG) -> tuple[int, int]:
    return node.lineno or 0, node.col_offset or 0
