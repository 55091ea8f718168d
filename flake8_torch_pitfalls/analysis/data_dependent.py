"""What depends on the data of tensors, in functions that a compiler or tracer runs through without the data."""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import branches, scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, Index, ancestors, function_of, last_name, position, walk
from flake8_torch_pitfalls.analysis.values import NOTHING

_TENSOR_METHODS = frozenset(
    "any all sum mean max min amax amin norm abs prod std var median argmax argmin eq ne gt lt ge le isnan isinf "
    "isfinite logical_and logical_or logical_not square sqrt exp log clamp sigmoid softmax float long double detach "
    "cpu cuda squeeze unsqueeze reshape view flatten bool numpy cumsum diff pow".split()
)
"""Methods that nothing else has whose object may be unknown: tensors and arrays do, the compiler takes both alike."""
_IDENTITY = frozenset(("is", "is not", "in", "not in"))
_ARRAY = "torch.Tensor.numpy"
_DEEPEST = 6


def may_be_skipped(source: Source, node: nodes.NodeNG, function: nodes.NodeNG) -> bool:
    """Return whether a flag out of view decides whether *function* comes to *node*; tests of tensors are no flags."""
    below = node
    for above in ancestors(node):
        if above is function:
            return False
        if isinstance(above, (nodes.ExceptHandler, nodes.Raise, *FUNCTIONS)):
            return True
        if isinstance(above, nodes.Assert) and below is above.fail:
            return True
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            in_body = below is above.body if isinstance(above, nodes.IfExp) else below in above.body
            if not _comes_out(source, above.test, in_body):
                return True
        if isinstance(above, nodes.BoolOp) and below in above.values:
            before = above.values[: above.values.index(below)]
            if any(not _comes_out(source, test, above.op == "and") for test in before):
                return True
        below = above
    return True


def _comes_out(source: Source, test: nodes.NodeNG, outcome: bool) -> bool:
    """Return whether *test* may be expected to come out as *outcome* in some call."""
    decided = branches.decided(source.names, test, None)
    if decided is not None and not _is_mode(test):
        return decided is outcome
    match test:
        case nodes.UnaryOp(op="not"):
            return _comes_out(source, test.operand, not outcome)
        case nodes.BoolOp():
            return all(_comes_out(source, value, outcome) for value in test.values)
    return _is_mode(test) or _counts(test) or depends_on_tensor(source, test)


def _is_mode(test: nodes.NodeNG) -> bool:
    return isinstance(test, nodes.Attribute) and test.attrname == "training"


def _counts(test: nodes.NodeNG) -> bool:
    """Return whether *test* is of the form ``step % 100 == 0``."""
    return isinstance(test, nodes.Compare) and isinstance(test.left, nodes.BinOp) and test.left.op == "%"


def tests_of(function: nodes.NodeNG, index: Index) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG]]:
    """Yield each statement or expression of *function* that branches, with the tests that it asks in turn."""
    kinds = (nodes.If, nodes.While, nodes.IfExp, nodes.Assert)
    for node in sorted((one for kind in kinds for one in index.within(function, kind)), key=position):
        if function_of(node) is not function:
            continue
        if isinstance(node, nodes.Assert) and not isinstance(node.test, (nodes.BoolOp, nodes.UnaryOp)):
            continue  # becomes part of the graph
        yield from ((node, test) for test in (node.test.values if isinstance(node.test, nodes.BoolOp) else [node.test]))


def depends_on_tensor(source: Source, test: nodes.NodeNG) -> bool:
    """Return whether *test* asks for the data of a tensor."""
    match test:
        case nodes.UnaryOp(op="not"):
            return depends_on_tensor(source, test.operand)
        case nodes.Call(func=nodes.Name(name="bool"), args=[inner]):
            return is_tensor(source, inner)
    return is_tensor(source, test)


def reads_tensor(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is calculated from a number that is read from a tensor: ``x.item()``, ``int(x.max())``."""
    for one in walk(node):
        match one:
            case nodes.Call(func=nodes.Attribute(attrname="item", expr=owner), args=[]) if may_be_tensor(source, owner):
                return True
            case nodes.Call(func=nodes.Name(name="int" | "float" | "bool"), args=[inner]) if is_tensor(source, inner):
                return True
            case nodes.Name():
                found = [
                    definition
                    for definition in scopes.definitions(one, one.name)
                    if not isinstance(definition.parent, nodes.AugAssign)
                ]
                if len(found) == 1 and _is_plainly_assigned(found[0]) and _is_read(source, found[0].parent.value):
                    return True
    return False


def _is_read(source: Source, value: nodes.NodeNG) -> bool:
    return isinstance(value, nodes.Call) and last_name(value.func) in ("item", "int", "float", "bool") and (
        reads_tensor(source, value)
    )


def is_tensor(source: Source, node: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *node* is surely a tensor, or an array made of one, in a function that is traced."""
    if depth > _DEEPEST:
        return False
    match node:  # operators before names: one alternative of an operand that is a tensor is not enough
        case nodes.Compare():
            sides = [node.left, *(right for _, right in node.ops)]
            is_identity = any(operator in _IDENTITY for operator, _ in node.ops)
            return not is_identity and any(is_tensor(source, side, depth + 1) for side in sides)
        case nodes.BinOp():
            return is_tensor(source, node.left, depth + 1) or is_tensor(source, node.right, depth + 1)
        case nodes.UnaryOp(op="-" | "~"):
            return is_tensor(source, node.operand, depth + 1)
        case nodes.Subscript() if True in _are_tensors(source, node.value):
            return is_tensor(source, node.value, depth + 1)
    answers = _are_tensors(source, node)
    if None not in answers or False in answers:
        return answers == {True}
    match node:
        case nodes.Call():
            return _gives_tensor(source, node, depth)
        case nodes.Subscript():
            return is_tensor(source, node.value, depth + 1)
        case nodes.Name():
            found = scopes.definitions(node, node.name)
            if found and all(_is_plainly_assigned(one) for one in found):
                return all(is_tensor(source, one.parent.value, depth + 1) for one in found)
    return False


def _gives_tensor(source: Source, call: nodes.Call, depth: int) -> bool:
    functions = source.names.callee(call)
    if functions:
        returns = [
            one.value
            for function in functions
            for one in source.names.index_of(function.node).returns.get(function.node, ())
        ]
        return bool(returns) and all(one is not None and is_tensor(source, one, depth + 1) for one in returns)
    symbol = source.names.symbol(call.func) or ""
    if symbol.startswith("numpy."):
        return any(is_tensor(source, given, depth + 1) for given in call.args)
    if symbol not in ("", _ARRAY) or not isinstance(call.func, nodes.Attribute):
        return False
    return call.func.attrname in _TENSOR_METHODS and may_be_tensor(source, call.func.expr)


def _are_tensors(source: Source, node: nodes.NodeNG) -> set[bool | None]:
    """Return for each thing that *node* may be whether it is a tensor."""
    return {source.names.is_a(value, "torch.Tensor") for value in source.names.values(node) if value != NOTHING}


def _is_plainly_assigned(definition: nodes.NodeNG) -> bool:
    return isinstance(definition, nodes.AssignName) and isinstance(definition.parent, nodes.Assign)


def may_be_tensor(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether nothing says that *node* is something else than a tensor."""
    return all(source.names.is_a(value, "torch.Tensor") is not False for value in source.names.values(node))
