"""Code that tells versions of torch apart: what stands behind such a question is right for the version it asks for."""
from __future__ import annotations

from typing import TYPE_CHECKING

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.tree import ancestors, argument, block_of, constant, last_name, walk

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.symbols import Names

MISSING_NAME = frozenset(("AttributeError", "ImportError", "ModuleNotFoundError", "NotImplementedError", "TypeError"))
FAILED_CALL = frozenset(("RuntimeError",))
ANYTHING = frozenset(("Exception", "BaseException"))
EXPECTS_WARNING = frozenset(("catch_warnings", "warns", "raises", "deprecated_call", "assertWarns", "assertRaises"))
LEAVES = (nodes.Return, nodes.Raise, nodes.Continue)


def is_guarded(names: Names, named: nodes.NodeNG, raises: str | None = None) -> bool:
    """Return whether *named*, or the import behind it, is the way for an old torch beside one for a new one.

    *raises* is the public name of a function that exists to raise: ``hasattr`` and ``except AttributeError`` do not
    see that it is of no use.
    """
    places = [named]
    root = root_of(named)
    if isinstance(root, nodes.Name):
        places += scopes.definitions(root, root.name)
    for place in places:
        below = place
        for above in ancestors(place):
            if _is_alternative(names, above, below, raises) or _leaves_before(names, below, raises):
                return True
            below = above
    return False


def root_of(node: nodes.NodeNG) -> nodes.NodeNG:
    """Return the leftmost part of a chain of attributes."""
    while isinstance(node, nodes.Attribute):
        node = node.expr
    return node


def asks_for_version(names: Names, test: nodes.NodeNG, raises: str | None = None) -> bool:
    """Return whether *test* asks which torch there is, itself or by a flag or function defined elsewhere."""
    for node in walk(test):
        name = last_name(node)
        if name is None:
            continue
        if name == "hasattr" and isinstance(node.parent, nodes.Call):
            if raises is None or _asked_for(names, node.parent) != raises:
                return True
        elif "version" in name.lower() or name == "signature" or ("torch" in name.lower() and name != "torch"):
            return True
        elif isinstance(node, nodes.Name) and _is_version_flag(node):
            return True
    return False


def _asked_for(names: Names, call: nodes.Call) -> str:
    """Return the dotted name that *call*, of ``hasattr``, looks for."""
    return f"{names.symbol(argument(call, 0, None))}.{constant(argument(call, 1, None))}"


def _is_version_flag(name: nodes.Name) -> bool:
    """Return whether what *name* stands for is worked out from a version, or by trying an import."""
    for definition in scopes.definitions(name, name.name)[:3]:
        statement = definition.statement()
        if any(isinstance(above, nodes.Try) and _imports(above) for above in ancestors(statement)):
            return True
        if isinstance(definition, nodes.FunctionDef) or isinstance(getattr(statement, "value", None), nodes.Compare):
            if any("version" in (last_name(node) or "").lower() for node in walk(statement)):
                return True
        elif isinstance(getattr(statement, "value", None), nodes.Call) and last_name(statement.value.func) == "hasattr":
            return True
    return False


def _is_alternative(names: Names, choice: nodes.NodeNG, below: nodes.NodeNG, raises: str | None) -> bool:
    """Return whether *choice* is a test or ``try`` that decides over *below*, a part of it, by what torch has."""
    match choice:
        case nodes.Try():
            return _protects(choice, below, raises)
        case nodes.If() | nodes.IfExp():
            return below is not choice.test and asks_for_version(names, choice.test, raises)
        case nodes.With():
            return any(
                isinstance(context, nodes.Call) and last_name(context.func) in EXPECTS_WARNING
                for context, _ in choice.items
            )
    return False


def _protects(choice: nodes.Try, below: nodes.NodeNG, raises: str | None) -> bool:
    caught = {name for handler in choice.handlers for name in _caught(handler)}
    if below in choice.body:
        expected = FAILED_CALL if raises is not None else MISSING_NAME
        if not caught.isdisjoint(expected):
            return True
        return not caught.isdisjoint(ANYTHING) and len(choice.body) == 1  # not a net under a whole program
    if below in choice.handlers:
        return _imports(choice) or not caught.isdisjoint(MISSING_NAME | ANYTHING)
    return False


def _imports(choice: nodes.Try) -> bool:
    return any(isinstance(inner, (nodes.Import, nodes.ImportFrom)) for inner in choice.body)


def _caught(handler: nodes.ExceptHandler) -> set[str]:
    if handler.type is None:
        return set(ANYTHING)
    return {name for node in walk(handler.type) if (name := last_name(node)) is not None}


def _leaves_before(names: Names, below: nodes.NodeNG, raises: str | None) -> bool:
    """Return whether an ``if`` above *below*, in the same block, leaves for other versions of torch."""
    for statement in block_of(below):
        if statement is below:
            return False
        if isinstance(statement, nodes.If) and isinstance(statement.body[-1], LEAVES):
            if asks_for_version(names, statement.test, raises):
                return True
    return False
