"""Which branches are taken where flags are known: ``if self.use_softmax:`` of an object made without it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.symbols import Frame, Names
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors, constant, function_of, is_open
from flake8_torch_pitfalls.analysis.values import NOTHING, Function, Instance, Unknown, Value


def in_force(
    names: Names, candidates: Iterable[nodes.NodeNG], frame: Frame | None, anchor: nodes.NodeNG
) -> Iterator[nodes.NodeNG]:
    """Yield those of *candidates*, in order of preference, that may hold at *anchor*, up to one that surely does."""
    for node in candidates:
        outcome = runs(names, node, frame, anchor)
        if outcome is not False:
            yield node
        if outcome:
            return


def runs(names: Names, node: nodes.NodeNG, frame: Frame | None, anchor: nodes.NodeNG) -> bool | None:
    """Return whether the tests around *node* let it run where *anchor* runs; None if that is not known.

    Both stand in one function, and *frame* is the call of it that is looked into.
    """
    shared = {anchor, *ancestors(anchor)}
    answer: bool | None = True
    below = node
    for parent in ancestors(node):
        if isinstance(parent, (*FUNCTIONS, nodes.ClassDef)):
            break
        if isinstance(parent, nodes.If) and below is not parent.test and not _one_branch(parent, shared, below):
            outcome = decided(names, parent.test, frame)
            if outcome is None:
                answer = None
            elif outcome is not (below in parent.body):
                return False
        elif isinstance(parent, (nodes.While, nodes.ExceptHandler)) and parent not in shared:
            answer = None
        below = parent
    return answer


def _one_branch(test: nodes.If, shared: set[nodes.NodeNG], below: nodes.NodeNG) -> bool:
    """Return whether the branch of *test* that holds *below* holds the anchor, too."""
    branch = test.body if below in test.body else test.orelse
    return any(statement in shared for statement in branch)


def chosen(names: Names, attribute: str, owner: Value) -> list[Value]:
    """Return the values that flags leave to an *attribute* of *owner*, an object made in view; none if unknown."""
    if not isinstance(owner, Instance) or not isinstance(owner.cls, nodes.ClassDef):
        return []
    init = names.method(owner.cls, "__init__")
    stores = [store for store in names.stores(owner.cls, attribute) if isinstance(store.parent, nodes.Assign)]
    if init is None or any(function_of(store) is not init for store in stores):
        return []
    if not isinstance(owner.made_at, nodes.Call) or is_open(owner.made_at):
        return []
    frame = names.frame(Function(init, owner), owner.made_at, None)
    found: list[Value] = []
    for store in in_force(names, reversed(stores), frame, init):
        value = store.parent.value
        while isinstance(value, nodes.IfExp) and (outcome := decided(names, value.test, frame)) is not None:
            value = value.body if outcome else value.orelse
        with names.within(frame):
            found += names.values(value)
    return found


def decided(names: Names, test: nodes.NodeNG, frame: Frame | None) -> bool | None:
    """Return how *test* comes out within *frame*, None if that is not known."""
    match test:
        case nodes.UnaryOp(op="not"):
            inner = decided(names, test.operand, frame)
            return None if inner is None else not inner
        case nodes.BoolOp():
            outcomes = {decided(names, value, frame) for value in test.values}
            decisive = test.op == "or"
            return decisive if decisive in outcomes else None if None in outcomes else not decisive
        case nodes.Compare(ops=[(("is" | "is not") as operator, right)]) if constant(right) is None:
            with names.within(frame):
                found = names.values(test.left)
            if any(isinstance(value, Unknown) for value in found) or len({value == NOTHING for value in found}) != 1:
                return None
            return (found[0] == NOTHING) is (operator == "is")
        case nodes.Compare(ops=[(("==" | "!=") as operator, right)]):
            left, other = _constant(names, test.left, frame), _constant(names, right, frame)
            return None if ... in (left, other) else (left == other) is (operator == "==")
        case nodes.Name() | nodes.Attribute() | nodes.Const():
            value = _constant(names, test, frame)
            return None if value is ... else bool(value)
    return None


def _constant(names: Names, node: nodes.NodeNG, frame: Frame | None) -> object:
    """Return the one constant that *node* is, Ellipsis if it is none or one of several."""
    if isinstance(node, nodes.Attribute) and is_set_from_outside(names, node):
        return ...
    with names.within(frame):
        found = constants(names, node)
    return found.pop() if found is not None and len(found) == 1 else ...


def is_set_from_outside(names: Names, node: nodes.Attribute) -> bool:
    """Return whether the linted file gives an object the attribute that *node* reads, as in ``net.act = …``."""
    stores = names.index_of(names.module).stores.get(node.attrname, ())
    return any(target.expr.as_string() != "self" for target in stores)
