"""`load_state_dict` changes the module in place and returns a report, not the module.

## What happens
`model = model.load_state_dict(state)` loads the weights and then binds `model` to a tuple of missing and unexpected
keys. The next use, `model.eval()` or `model(x)`, raises `AttributeError` or `TypeError`:
`'_IncompatibleKeys' object is not callable`. The `load_state_dict` of an optimizer or scheduler returns `None`.

## What to write
`model.load_state_dict(state)` on a line of its own; `model` is still the module.

## Silent
- The call as a statement.
- A result that is kept for its keys: `report = model.load_state_dict(state, strict=False)`, `missing, unexpected = …`.
- Methods that pass the report on: `return self.net.load_state_dict(state)`.
- A `load_state_dict` of the project's own, which may return what it likes.

## Known limits
A report that another function of another file uses as a module is not followed, nor one kept in a list.

## Sources
- `torch.nn.Module.load_state_dict` in PyTorch's documentation: it returns "NamedTuple with missing_keys and
  unexpected_keys fields".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import WRAPPERS
from flake8_torch_pitfalls.analysis.tree import class_of, dotted, function_of, target_text, text_of
from flake8_torch_pitfalls.analysis.values import Function
from flake8_torch_pitfalls.finding import Finding

WORDS = {"load_state_dict"}

LOADED = ("module", "optimizer", "scheduler")
OF_THE_OBJECT = frozenset(
    "eval train to cuda cpu half float double parameters named_parameters children modules state_dict "
    "load_state_dict zero_grad requires_grad_ share_memory forward module step param_groups".split()
)
"""What is read of a module or an optimizer, and never of a report."""
_DEEPEST = 2


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``load_state_dict`` whose results are used as the object that was loaded."""
    for call in source.index.calls.get("load_state_dict", ()):
        if not isinstance(call.parent, nodes.Expr) and isinstance(call.func, nodes.Attribute):
            if (kind := _kind(source, call)) is not None and _is_taken_for_object(source, call, 0):
                yield Finding(call, _message(call, kind))


def _message(call: nodes.Call, kind: str) -> str:
    receiver = call.func.expr
    what = "a report of keys" if kind == "module" else "None"
    name = dotted(receiver)
    instead = f"call it on a line of its own and keep '{name}'" if name else f"build the {kind} first, then load"
    return f"'{text_of(call.func) if name else 'load_state_dict'}()' returns {what}, not the {kind}; {instead}"


def _kind(source: Source, call: nodes.Call) -> str | None:
    """Return what sort of object *call* loads, None if that is unknown or its method is the project's."""
    if any(isinstance(value, Function) for value in source.names.values(call.func)):
        return None
    receiver = call.func.expr
    for kind in LOADED:
        if source.kinds.of(receiver, kind) is True:
            return kind
    if call.args and source.kinds.is_unknown(receiver) and _is_checkpoint(source, call.args[0]):
        return "module"
    return None


def _is_checkpoint(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is read by ``torch.load``, or a part of what is."""
    while isinstance(node, nodes.Subscript):
        node = node.value
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
        values = [getattr(definition.parent, "value", None) for definition in found]
        return bool(values) and all(_is_load(source, value) for value in values)
    return _is_load(source, node)


def _is_load(source: Source, node: nodes.NodeNG | None) -> bool:
    while isinstance(node, nodes.Subscript):
        node = node.value
    return isinstance(node, nodes.Call) and source.names.symbol(node.func) == "torch.load"


def _is_taken_for_object(source: Source, node: nodes.NodeNG, depth: int) -> bool:
    """Return whether the value of *node* is called, or asked for what only the loaded object has."""
    match node.parent:
        case nodes.Attribute(attrname=name):
            return name in OF_THE_OBJECT
        case nodes.Call(func=func):
            return func is node or source.names.symbol(func) in (*WRAPPERS, "torch.compile")
        case nodes.Assign(targets=targets, value=value) if value is node:
            return any(_is_bound_as_object(source, target, node, depth) for target in targets)
        case nodes.NamedExpr(target=target):
            return _is_bound_as_object(source, target, node, depth)
        case nodes.Return() as statement:
            return depth < _DEEPEST and _is_returned_as_object(source, statement, depth)
    return False


def _is_bound_as_object(source: Source, target: nodes.NodeNG, value: nodes.NodeNG, depth: int) -> bool:
    text = target_text(target)
    if text is None:
        return False
    if isinstance(value, nodes.Call) and text == dotted(getattr(value.func, "expr", None)):
        return True  # model = model.load_state_dict(…): the object itself is lost
    if isinstance(target, nodes.AssignName):
        return any(
            _is_taken_for_object(source, use, depth)
            for use in function_of(target).nodes_of_class(nodes.Name)
            if use.name == text and target in scopes.definitions(use, text)
        )
    return any(
        dotted(use) == text and class_of(use) is class_of(target) and _is_taken_for_object(source, use, depth)
        for use in source.index.attributes.get(target.attrname, ())
    )


def _is_returned_as_object(source: Source, statement: nodes.Return, depth: int) -> bool:
    """Return whether a caller of the function that *statement* ends uses what it gets as the object."""
    function = function_of(statement)
    return isinstance(function, nodes.FunctionDef) and any(
        _is_taken_for_object(source, call, depth + 1)
        for call in source.names.call_sites(function)
        if call.root() is source.module
    )
