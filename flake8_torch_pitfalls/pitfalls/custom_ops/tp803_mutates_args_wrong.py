"""A custom operator that changes or returns its arguments, and does not say so, gives wrong results or raises.

## What happens
`mutates_args` is the whole of what PyTorch knows about a custom operator's side effects. An argument that is changed
but not named there is changed all the same when the operator is called directly. `torch.compile` takes the call for
one without effect: it removes or reorders it, and the compiled program computes something else. `opcheck` says
"Argument x is not defined as mutable but was mutated".

An operator must not return an argument, or a view of one, whatever `mutates_args` says: each call raises "The output
of this custom operator (1) must not also be an input to this custom operator". A name in `mutates_args` that is no
parameter raises when the operator is defined; so does a string instead of a sequence of names.

## What to write

    @torch.library.custom_op("mylib::scale_", mutates_args={"x"})
    def scale_(x: torch.Tensor, factor: float) -> None:
        x.mul_(factor)

An operator that gives a result gives a new tensor: `return x.clone()`.

## Silent
- Arguments named in `mutates_args`, and `mutates_args="unknown"`.
- Changes of a copy: `x = x.clone()` first, or a result that is made in the operator.
- Values that may or may not be the argument, such as `x.contiguous()` and `x.to(dtype)`.

## Where it is reported
At the definition for what it leaves out, at the value that is returned for what may not be.

## Known limits
Changes that kernels written in Triton, C++ or CUDA make cannot be seen, nor is the pair of views that `chunk` or
`split` gives.

## Sources
- `torch.library.custom_op` and `torch.library.opcheck` in PyTorch's documentation.
- "Custom Python Operators", PyTorch tutorials: "Mutable Python Custom operators".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.custom_ops import CustomOp, custom_ops
from flake8_torch_pitfalls.analysis.facts import Fact, Tensor
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open, last_name, walk_scope
from flake8_torch_pitfalls.finding import Finding

WORDS = {"custom_op"}

_UNKNOWN = "unknown"
_LEAVES_VALUES = frozenset(("requires_grad_", "detach_", "retain_grad_", "share_memory_"))
"""Methods with an underscore that leave the values as they are."""
_DEEPEST = 2


def check(source: Source) -> Iterator[Finding]:
    """Yield the operators that change what they do not declare, and the arguments that operators return."""
    for op in custom_ops(source):
        given = argument(op.node, None, "mutates_args")
        declared = _declared(source, given)
        if declared is not None:
            yield from _badly_declared(source, op, declared)
        elif isinstance(text := constant(given), str) and text != _UNKNOWN:
            yield Finding(op.node, f"'mutates_args' as the string '{text}' raises; give a sequence of names")
        for value in _returned(source, op.function):
            if parameter := _parameter(source, op.function, value):
                yield Finding(value, _message_on_return(op, value, parameter))


def _badly_declared(source: Source, op: CustomOp, declared: set[str]) -> Iterator[Finding]:
    parameters = [parameter.name for parameter in _parameters(op.function)]
    if unknown := sorted(declared - set(parameters)):
        yield Finding(op.node, f"'{op.name}' has no parameter '{unknown[0]}', which raises; correct 'mutates_args'")
        return
    changed = _changed(source, op.function)
    left_out = [f"'{name}'" for name in parameters if name in changed and name not in declared]
    if left_out:
        names = ", ".join(left_out)
        yield Finding(op.node, f"'{op.name}' changes {names} in place, and 'mutates_args' does not say so; name it")


def _message_on_return(op: CustomOp, value: nodes.NodeNG, parameter: str) -> str:
    what = "its argument" if isinstance(value, nodes.Name) and value.name == parameter else "memory of its argument"
    return f"'{op.name}' returns {what} '{parameter}', which raises when it is called; return a copy"


def _declared(source: Source, given: nodes.NodeNG | None) -> set[str] | None:
    """Return the names in *given*, a ``mutates_args``, None if it is a string or they are not all in view."""
    match given:
        case nodes.Tuple() | nodes.List() | nodes.Set():
            found = [constants(source.names, element) for element in given.elts]
            return None if None in found else {str(name) for names in found for name in names or ()}
        case nodes.Dict(items=[]) | nodes.Call(args=[], keywords=[]):
            return set()
    return None


def _parameters(function: nodes.FunctionDef) -> list[nodes.AssignName]:
    return [*function.args.posonlyargs, *(function.args.args or []), *function.args.kwonlyargs]


# -- what is the argument ------------------------------------------------------------------------------


def _parameter(
    source: Source, function: nodes.FunctionDef, node: nodes.NodeNG, is_tensor: bool = False
) -> str | None:
    """Return the parameter of *function* whose memory the tensor *node* surely is.

    A parameter without an annotation counts only if *is_tensor*: the caller is known to give it a tensor.
    """
    match node:
        case nodes.Call(func=nodes.Attribute(attrname="numpy", expr=tensor)):
            return _parameter(source, function, tensor, is_tensor)
        case nodes.Call(args=[array, *_]) if last_name(node.func) == "from_numpy":
            return _parameter(source, function, array, is_tensor)
        case nodes.Name() if (array := _only_value(node)) is not None and _is_array(array):
            return _parameter(source, function, array, is_tensor)
    done = source.tensors.of(function)
    fact = done.facts.get(node) if done is not None else None
    if fact is None and isinstance(node, (nodes.Name, nodes.AssignName)):
        return _untouched(function, node, is_tensor)
    return _whose_memory(function, fact)


def _whose_memory(function: nodes.FunctionDef, fact: Fact | None) -> str | None:
    if not isinstance(fact, Tensor) or len(fact.storage) != 1:
        return None
    [made] = fact.storage
    return made.name if made in _parameters(function) else None


def _untouched(function: nodes.FunctionDef, node: nodes.Name | nodes.AssignName, is_tensor: bool) -> str | None:
    """Return the name of the tensor *node* where it is a parameter still, or the item of one that is a list."""
    found = scopes.definitions(node, node.name)
    if len(found) == 1 and (over := _gone_over(found[0])) is not None:
        return _untouched(function, over, is_tensor)
    if len(found) != 1 or found[0] not in _parameters(function):
        return None
    declared = scopes.annotation(function, node.name)
    return str(node.name) if is_tensor or (declared is not None and "Tensor" in declared.as_string()) else None


def _gone_over(definition: nodes.NodeNG) -> nodes.Name | None:
    """Return the list that a loop goes over, alone or in ``zip``, to give *definition* its values."""
    match definition.parent:
        case nodes.For(target=target, iter=nodes.Name() as over) if target is definition:
            return over
        case nodes.Tuple(
            elts=targets, parent=nodes.For(iter=nodes.Call(func=nodes.Name(name="zip"), args=given))
        ) if len(given) == len(targets):
            over = given[targets.index(definition)]
            return over if isinstance(over, nodes.Name) else None
    return None


def _only_value(node: nodes.Name) -> nodes.NodeNG | None:
    found = scopes.definitions(node, node.name)
    return found[0].parent.value if len(found) == 1 and isinstance(found[0].parent, nodes.Assign) else None


def _is_array(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Call) and last_name(node.func) in ("numpy", "from_numpy")


# -- what is changed -----------------------------------------------------------------------------------


def _changed(source: Source, function: nodes.FunctionDef, depth: int = 0) -> set[str]:
    """Return the parameters of *function* that it surely changes in place."""
    found = set()
    for node in walk_scope(function):
        for changed in _changed_at(source, node, depth):
            if parameter := _parameter(source, function, changed, is_tensor=depth > 0):
                found.add(parameter)
    return found


def _changed_at(source: Source, node: nodes.NodeNG, depth: int) -> Iterator[nodes.NodeNG]:
    """Yield the expressions of what *node* changes in place."""
    match node:
        case nodes.AugAssign(target=nodes.Subscript(value=target)) | nodes.AugAssign(target=target):
            yield target
        case nodes.Assign():
            yield from (target.value for target in node.targets if isinstance(target, nodes.Subscript))
        case nodes.Call():
            yield from _changed_by(source, node, depth)


def _changed_by(source: Source, call: nodes.Call, depth: int) -> Iterator[nodes.NodeNG]:
    name = last_name(call.func) or ""
    out = argument(call, None, "out")
    if out is not None:
        yield from out.elts if isinstance(out, nodes.Tuple) else [out]
    if name.endswith("_") and name not in _LEAVES_VALUES or constant(argument(call, None, "inplace")) is True:
        symbol = source.names.symbol(call.func) or ""
        op = torch_model.op(name)
        if symbol.startswith("torch.") and not symbol.startswith("torch.Tensor.") and call.args:
            yield call.args[0]
        elif isinstance(call.func, nodes.Attribute) and op is not None and op.in_place:
            yield call.func.expr
    elif depth < _DEEPEST and not is_open(call):
        for callee in source.names.callee(call) if isinstance(call.func, nodes.Name) else ():
            if isinstance(callee.node, nodes.FunctionDef) and callee.receiver is None:
                changed = _changed(source, callee.node, depth + 1)
                given = scopes.match_arguments(callee.node, call, bound=False)
                yield from (value for name, value in given.items() if name in changed)


# -- what is returned ----------------------------------------------------------------------------------


def _returned(source: Source, function: nodes.FunctionDef) -> Iterator[nodes.NodeNG]:
    """Yield the tensors that *function* returns, those in tuples one by one."""
    for statement in source.names.index_of(function).returns.get(function, ()):
        values = [statement.value]
        while values:
            value = values.pop(0)
            if isinstance(value, (nodes.Tuple, nodes.List)):
                values += value.elts
            elif isinstance(value, nodes.IfExp):
                values += (value.body, value.orelse)
            elif value is not None:
                yield value
