"""Which assignments a name may mean at a place, and which argument a parameter gets."""
from __future__ import annotations

import ast
import bisect
import builtins
import sys

from astroid import nodes

from flake8_torch_pitfalls.analysis.tree import COMPREHENSIONS, FUNCTIONS, LOOPS, ancestors, parse

BUILTINS = frozenset(dir(builtins))
CLOSED = sys.stdlib_module_names
"""Packages whose classes are no torch objects, whatever their bases are."""

NEAREST = 24
"""Definitions of one name that are looked at, before a use and after it."""

_KEPT = "_definitions"
"""The attribute of a node that keeps the last answer about it: each is asked for three times on average."""
_NO_SCOPES = frozenset(
    (nodes.Call, nodes.Attribute, nodes.Assign, nodes.Expr, nodes.If, nodes.For, nodes.With, nodes.BinOp, nodes.Return,
     nodes.Keyword, nodes.Tuple, nodes.List, nodes.Subscript, nodes.Compare, nodes.AugAssign, nodes.UnaryOp)
)  # fmt: skip
"""The commonest nodes between a name and its scope: passed over first."""
_TRANSPARENT = (nodes.With, nodes.Try)
_LEAVING = (nodes.Return, nodes.Raise, nodes.Continue, nodes.Break)


def definitions(use: nodes.NodeNG, name: str) -> list[nodes.NodeNG]:
    """Return what may have given *name* its value at *use*, latest first; [] if nothing in the module did.

    In the scope of *use* itself only definitions count that can reach it; a name of an outer scope may
    have been bound by any of its definitions there.
    """
    kept = vars(use).get(_KEPT)
    if kept is None or kept[0] != name:
        kept = vars(use)[_KEPT] = (name, _definitions(use, name))
    found: list[nodes.NodeNG] = kept[1]
    return found


def forget(use: nodes.NodeNG) -> None:
    """Drop what is kept at *use*: a definition may hold the use, and they would hold each other."""
    vars(use).pop(_KEPT, None)


def _definitions(use: nodes.NodeNG, name: str) -> list[nodes.NodeNG]:
    first = True
    below = use
    for scope in ancestors(use):
        if type(scope) in _NO_SCOPES:
            below = scope
            continue
        if isinstance(scope, FUNCTIONS):
            if below is scope.args or below in (getattr(scope, "decorators", None), getattr(scope, "returns", None)):
                below = scope  # defaults, annotations and decorators are evaluated outside
                continue
        elif isinstance(scope, nodes.ClassDef):
            if below in scope.bases or below is scope.decorators or not first:
                below = scope
                continue
        elif not isinstance(scope, (nodes.Module, *COMPREHENSIONS)):
            below = scope
            continue
        found = scope.locals.get(name)
        if found:
            found = [node for node in found if not isinstance(node, nodes.DelName)]
        if found:
            if first and not isinstance(scope, COMPREHENSIONS):
                return _reaching(found, use)
            return list(reversed(found))
        below = scope
        first = first and isinstance(scope, COMPREHENSIONS)
    return []


def _reaching(found: list[nodes.NodeNG], use: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return those of *found*, in the order of the text, that may still hold at *use*; latest first.

    Only the nearest are looked at, so that a script that binds one name ten thousand times stays linear.
    """
    if len(found) == 1:
        return list(found)
    above = {use}
    above.update(ancestors(use))
    statement = use.statement()
    here = bisect.bisect_right(found, _order(statement), key=lambda node: _order(_binder(node)))
    reached: list[nodes.NodeNG] = []
    dominating: nodes.NodeNG | None = None
    for node in reversed(found[max(0, here - NEAREST) : here]):
        binder = _binder(node)
        if isinstance(node.parent, nodes.Arguments):
            reached.append(node)
            dominating = node
            break
        if binder is statement and not isinstance(binder, (*LOOPS, nodes.With)):
            if not isinstance(node.parent, nodes.NamedExpr):
                continue  # x = f(x): the value comes from before
        if _excluded(binder, above):
            continue
        reached.append(node)
        if _dominates(binder, above):
            dominating = binder
            break
    later = found[here : here + NEAREST] + [node for node in found[:here] if _binder(node) is statement]
    reached += [one for one in later if one not in reached and (not reached or _comes_round(one, above, dominating))]
    return reached


def _binder(node: nodes.NodeNG) -> nodes.NodeNG:
    return node if isinstance(node, (*FUNCTIONS, nodes.ClassDef)) else node.statement()


def _order(node: nodes.NodeNG) -> tuple[int, int]:
    return node.fromlineno or 0, node.col_offset or 0


def _branch(node: nodes.NodeNG, parent: nodes.NodeNG) -> str:
    for field in ("body", "orelse", "handlers", "finalbody"):
        if node in (getattr(parent, field, None) or ()):
            return field
    return ""


def _excluded(definition: nodes.NodeNG, above: set[nodes.NodeNG]) -> bool:
    """Return whether *definition* stands in the other branch of an ``if`` around the use."""
    below = definition
    for parent in ancestors(definition):
        if parent in above:
            if not isinstance(parent, nodes.If):
                return False
            mine = _branch(below, parent)
            branches = (_branch(node, parent) for node in above if node.parent is parent)
            theirs = next(filter(None, branches), "")
            return mine != theirs and bool(mine) and bool(theirs)
        below = parent
    return False


def _dominates(definition: nodes.NodeNG, above: set[nodes.NodeNG]) -> bool:
    """Return whether control cannot reach the use without passing *definition*."""
    if isinstance(definition, LOOPS):
        return definition in above
    below = definition
    for parent in ancestors(definition):
        if parent in above:
            return True
        if not isinstance(parent, _TRANSPARENT) or _branch(below, parent) == "handlers":
            return False
        if isinstance(parent, nodes.Try) and _branch(below, parent) == "body" and _is_survived(parent):
            return False
        below = parent
    return False


def _is_survived(attempt: nodes.Try) -> bool:
    """Return whether control goes on after a handler of *attempt*, whose body may have stopped anywhere."""
    return not all(isinstance(handler.body[-1], _LEAVING) for handler in attempt.handlers)


def _comes_round(node: nodes.NodeNG, above: set[nodes.NodeNG], dominating: nodes.NodeNG | None) -> bool:
    """Return whether a loop brings *node* round to the use, and not through *dominating* first."""
    shared = [parent for parent in ancestors(node) if isinstance(parent, LOOPS) and parent in above]
    if not shared or dominating is None:
        return bool(shared)
    passed = {dominating, *ancestors(dominating)}
    return any(loop not in passed for loop in shared)


def annotation(function: nodes.FunctionDef | nodes.Lambda, name: str) -> nodes.NodeNG | None:
    """Return the annotation of parameter *name* of *function*."""
    args = function.args
    for parameters, declared in (
        (args.posonlyargs, args.posonlyargs_annotations),
        (args.args or [], args.annotations),
        (args.kwonlyargs, args.kwonlyargs_annotations),
    ):
        for parameter, node in zip(parameters, declared):
            if parameter.name == name:
                return node
    return None


def default(function: nodes.FunctionDef | nodes.Lambda, name: str) -> nodes.NodeNG | None:
    """Return the default of parameter *name* of *function*."""
    args = function.args
    positional = [*args.posonlyargs, *(args.args or [])]
    for parameter, node in zip(reversed(positional), reversed(args.defaults or [])):
        if parameter.name == name:
            return node
    for parameter, node in zip(args.kwonlyargs, args.kw_defaults or []):
        if parameter.name == name:
            return node
    return None


def match_arguments(
    function: nodes.FunctionDef | nodes.Lambda, call: nodes.Call, bound: bool
) -> dict[str, nodes.NodeNG]:
    """Return which expression of *call* each parameter of *function* gets, as far as the text shows.

    *bound* says that the first parameter is supplied by the object the method is called on.
    """
    parameters = [p.name for p in [*function.args.posonlyargs, *(function.args.args or [])]][bound:]
    given: dict[str, nodes.NodeNG] = {}
    for name, node in zip(parameters, call.args):
        if isinstance(node, nodes.Starred):
            break
        given[name] = node
    for keyword in call.keywords or ():
        if keyword.arg is not None:
            given[keyword.arg] = keyword.value
    return given


def expression(text: str, place: nodes.NodeNG) -> nodes.NodeNG:
    """Return the expression that *text*, a string annotation, holds, as if it stood at *place*.

    Raises SyntaxError or ValueError for text that is no expression.
    """
    ast.parse(text.strip(), mode="eval")
    statement = parse(text.strip(), "annotation", "").body[0]
    assert isinstance(statement, nodes.Expr)
    statement.value.parent = place.parent
    return statement.value
