"""Which values a variable cannot have at a place, because ``isinstance`` or ``hasattr`` was asked before."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, Index, ancestors, block_of, function_of

_LEAVES = (nodes.Return, nodes.Raise, nodes.Continue, nodes.Break)


def is_tested(index: Index, use: nodes.Name) -> bool:
    """Return whether the function of *use* asks ``isinstance`` or ``hasattr`` of the variable."""
    return (function_of(use), use.name) in index.asked


def refuted(use: nodes.Name, definition: nodes.NodeNG, others: Sequence[nodes.NodeNG]) -> Iterator[nodes.Call]:
    """Yield the questions of *use* that the value of *definition* answers with no; *others* reach *use* as well."""
    for test, outcome in (*_around(use, definition), *_passed_by(definition, others)):
        yield from _denied(test, outcome, use.name)


def _around(use: nodes.Name, definition: nodes.NodeNG) -> Iterator[tuple[nodes.NodeNG, bool]]:
    """Yield the tests that decide whether *use* runs after *definition*, each with how it came out."""
    below: nodes.NodeNG = use
    for parent in ancestors(use):
        if below.is_statement:
            yield from _left_before(below, definition)
        if parent.parent_of(definition) and not isinstance(parent, (nodes.For, nodes.While, nodes.With, nodes.Try)):
            return
        match parent:
            case nodes.IfExp() if below is not parent.test:
                yield parent.test, below is parent.body
            case nodes.If() if below is not parent.test:
                yield parent.test, below in parent.body
        below = parent


def _left_before(statement: nodes.NodeNG, definition: nodes.NodeNG) -> Iterator[tuple[nodes.NodeNG, bool]]:
    """Yield the tests above *statement* in its block whose first branch goes elsewhere."""
    block = block_of(statement) or []
    for earlier in block[: block.index(statement)] if statement in block else ():
        if isinstance(earlier, nodes.If) and isinstance(earlier.body[-1], _LEAVES):
            if (definition.fromlineno or 0) < (earlier.fromlineno or 0):
                yield earlier.test, False


def _passed_by(definition: nodes.NodeNG, others: Sequence[nodes.NodeNG]) -> Iterator[tuple[nodes.NodeNG, bool]]:
    """Yield the tests in whose branch another assignment would have replaced *definition*."""
    for other in others:
        if other is definition or isinstance(other, FUNCTIONS):
            continue
        statement = other.statement()
        test = statement.parent
        if isinstance(test, nodes.If) and not test.parent_of(definition):
            yield test.test, statement not in test.body


def _denied(test: nodes.NodeNG, outcome: bool, name: str) -> Iterator[nodes.Call]:
    """Yield the questions of *name* that were answered with no where *test* came out as *outcome*."""
    match test:
        case nodes.UnaryOp(op="not"):
            yield from _denied(test.operand, not outcome, name)
        case nodes.BoolOp() if outcome is (test.op == "and"):
            for part in test.values:
                yield from _denied(part, outcome, name)
        case nodes.Call(func=nodes.Name(name="isinstance" | "hasattr"), args=[nodes.Name(name=asked), _]):
            if asked == name and not outcome:
                yield test
