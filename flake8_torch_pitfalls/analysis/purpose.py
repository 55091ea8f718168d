"""What a statement is there for whose value goes nowhere: a mistake, an attempt, a warm-up, a measurement."""
from __future__ import annotations

from astroid import nodes

from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import COMPREHENSIONS, LOOPS, ancestors, function_of, last_name, loops_around
from flake8_torch_pitfalls.analysis.values import Symbol

MISUSE = ("TypeError", "ValueError", "Exception")
EXPECTS_FAILURE = ("raises", "assertRaises", "assertRaisesRegex", "suppress", "warns", "assertWarns")


def expects_failure(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands in a ``with`` block, or an argument, of something that expects it to fail.

    Or alone in a ``try`` that catches the errors of wrong arguments: it shows what happens, or has another way ready.
    """
    for above in ancestors(node):
        if isinstance(above, nodes.Try) and above.body == [node.statement()]:
            if any(_catches_misuse(handler) for handler in above.handlers):
                return True
        if isinstance(above, nodes.With) and any(_is_expectation(context) for context, _ in above.items):
            return True
        if isinstance(above, nodes.Call) and _is_expectation(above):
            return True
        if isinstance(above, (nodes.ClassDef, nodes.FunctionDef)):
            return False
    return False


def _catches_misuse(handler: nodes.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, nodes.Tuple) else [handler.type]
    return any(last_name(each) in MISUSE for each in caught if each is not None)


def _is_expectation(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Call) and last_name(node.func) in EXPECTS_FAILURE


def is_dropped(call: nodes.Call) -> bool:
    """Return whether *call* stands as a statement, alone or in ``a and …``, ``… if a else None``, ``[…]``, ``…, …``."""
    below: nodes.NodeNG = call
    for above in ancestors(call):
        match above:
            case nodes.Expr():
                return True
            case nodes.IfExp() if below is not above.test:
                pass
            case nodes.BoolOp() if below is above.values[-1]:
                pass
            case nodes.ListComp() if below is above.elt:
                pass
            case nodes.Tuple() if _is_no_display(above):
                pass
            case _:
                return False
        below = above
    return False


def _is_no_display(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands where a notebook would not show its value."""
    return isinstance(function_of(node), nodes.FunctionDef) or next(iter(loops_around(node)), None) is not None


def is_on_purpose(names: Names, call: nodes.Call, receiver: nodes.NodeNG) -> bool:
    """Return whether *call*, a statement, is there to try, to warm up or to time what it would do to *receiver*."""
    root = root_of(receiver)
    if not isinstance(root, nodes.Name) or isinstance(next(iter(names.values(root)), None), Symbol):
        return True
    statement = call.statement()
    below: nodes.NodeNG = statement
    for above in ancestors(statement):
        match above:
            case nodes.Try(body=[only]) if only is below and above.handlers:
                return True
            case nodes.With():
                if any(_is_expectation(context) for context, _ in above.items) or _only_drops(above.body):
                    return True
            case nodes.For() if _only_drops(above.body) and not binds(above.target, root.name):
                return not _takes_turns(above, root.name)
            case nodes.FunctionDef() | nodes.Lambda() | nodes.ClassDef():
                break
        below = above
    return not _is_read_elsewhere(statement, root)


def root_of(node: nodes.NodeNG) -> nodes.NodeNG:
    """Return the name at the start of a chain of attributes, calls and subscripts."""
    while True:
        match node:
            case nodes.Call():
                node = node.func
            case nodes.Attribute():
                node = node.expr
            case nodes.Subscript():
                node = node.value
            case _:
                return node


def _only_drops(body: list[nodes.NodeNG]) -> bool:
    return all(isinstance(statement, nodes.Expr) for statement in body)


def _takes_turns(loop: nodes.For, name: str) -> bool:
    """Return whether *loop* goes through *name* by index: ``for i in range(n): xs[i].to(device)``."""
    return any(
        isinstance(use.parent, nodes.Subscript) and use.name == name and not isinstance(use.parent.slice, nodes.Const)
        for statement in loop.body
        for use in statement.nodes_of_class(nodes.Name)
    )


def _is_read_elsewhere(statement: nodes.NodeNG, root: nodes.Name) -> bool:
    """Return whether the object behind *root* is of use after *statement*: what nobody reads cannot be wrong."""
    if _is_loop_variable(statement, root.name) or any(isinstance(c, COMPREHENSIONS) for c in ancestors(root)):
        return True
    scope = function_of(statement)
    if isinstance(scope, nodes.FunctionDef) and root.name in ("self", "cls"):
        return True
    looping = [above for above in ancestors(statement) if isinstance(above, LOOPS)]
    return any(
        use is not root
        and use.name == root.name
        and not _repeats(use.statement(), statement)
        and (use.fromlineno > statement.fromlineno or any(loop.parent_of(use) for loop in looping))
        for use in scope.nodes_of_class(nodes.Name)
    )


def _repeats(one: nodes.NodeNG, other: nodes.NodeNG) -> bool:
    """Return whether two statements are the same: a call to warm up, and again to time it."""
    return isinstance(one, nodes.Expr) and bool(one.as_string() == other.as_string())


def _is_loop_variable(statement: nodes.NodeNG, name: str) -> bool:
    return any(isinstance(loop, nodes.For) and binds(loop.target, name) for loop in loops_around(statement))


def binds(target: nodes.NodeNG, name: str) -> bool:
    """Return whether the assignment target *target* gives the variable *name* a value."""
    return any(bound.name == name for bound in target.nodes_of_class(nodes.AssignName))


def is_last_use(call: nodes.Call, root: nodes.Name) -> bool:
    """Return whether *root* is a variable of a loop or comprehension that nothing reads after *call*."""
    if any(isinstance(above, COMPREHENSIONS) for above in ancestors(root)):
        return True
    loop = next(iter(loops_around(call)), None)
    if not isinstance(loop, nodes.For) or not binds(loop.target, root.name):
        return False
    return not any(
        use.name == root.name and use.fromlineno > call.fromlineno for use in loop.nodes_of_class(nodes.Name)
    )
