"""A tensor that requires grad, but is no `nn.Parameter` of its module, is never trained, saved or moved.

## What happens
`nn.Module` registers an attribute as a parameter only if it is an `nn.Parameter`. A plain tensor with
`requires_grad=True` collects gradients, but `parameters()` leaves it out, so that the optimizer never steps it and
`zero_grad()` never clears it; `state_dict()` does not save it and `to(device)` does not move it. Whatever is done to
a parameter on the way to the attribute makes it such a tensor: `nn.Parameter(...) * 0.1`, and
`nn.Parameter(...).to("cuda")`, which gives back the parameter itself only where nothing has to be moved. None of
that raises.

## What to write
`self.scale = nn.Parameter(torch.ones(8))`, with the arithmetic inside the call, and the module moved as a whole.

## Silent
- `nn.Parameter`, `register_parameter`, `nn.ParameterList`. Parameters in a plain list are TP205's.
- A tensor that the file gives to an optimizer by itself: `torch.optim.Adam([self.log_alpha])`.
- A tensor that the class collects with others in a list, which an optimizer may be given elsewhere.
- A tensor whose gradient the file reads or asks for: `self.delta.grad`, `torch.autograd.grad(loss, self.delta)`.
- A tensor to which the file gives another value, or items, later: the context of a meta-learner.
- Classes that say themselves what their parameters are.
- Tensors made in `forward`, or in methods that others call; attributes of objects that are no modules.

## Known limits
The tensor must be made in the class, or by a function of its file.

## Sources
- `torch.nn.parameter.Parameter` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import construction, devices, scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    COMPREHENSIONS,
    argument,
    class_of,
    constant,
    function_of,
    last_name,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"requires_grad", "requires_grad_", "Parameter"}

PARAMETER = "torch.nn.Parameter"
TENSORS = ("torch.Tensor", "torch.autograd.Variable")
_CUTS = ("detach", "data", "item", "grad", "tolist", "numpy", "shape", "size")
_KEEPS_PARAMETER = frozenset("float contiguous cpu type type_as".split())
"""Methods that may give back the parameter itself."""
_TO_DTYPE = ("double", "half", "bfloat16")
_DISPLAYS = (nodes.List, nodes.Tuple, nodes.Dict, *COMPREHENSIONS)
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Yield the attributes of modules that hold what should be a parameter, and is none."""
    found: dict[nodes.AssignAttr, str] = {}
    for tensor in _trainable(source):
        found.update(dict.fromkeys(_attributes(source, tensor), "requires grad but is no parameter"))
    for tensor in _changed_parameters(source):
        found.update(dict.fromkeys(_attributes(source, tensor), "is made from an 'nn.Parameter' and is none itself"))
    for target in sorted(found, key=lambda node: (node.lineno, node.col_offset)):
        if _is_lost(source, target):
            problem = f"'self.{target.attrname}' {found[target]}"
            yield Finding(target, f"{problem}: not trained, saved or moved; make 'nn.Parameter' the last step")


# -- what is made to be trained --------------------------------------------------------------------


def _trainable(source: Source) -> Iterator[nodes.NodeNG]:
    """Yield the expressions of tensors, no parameters, that are made to require grad."""
    for keyword in source.index.of(nodes.Keyword):
        if keyword.arg == "requires_grad" and constant(keyword.value) is True and _is_tensor(source, keyword.parent):
            yield keyword.parent
    for call in source.index.calls.get("requires_grad_", ()):
        if isinstance(call.func, nodes.Attribute) and constant(argument(call, 0, "requires_grad")) in (..., True):
            if _is_tensor(source, call.func.expr):
                yield call.func.expr if isinstance(call.parent, nodes.Expr) else call
    for target in source.index.stores.get("requires_grad", ()):
        if constant(getattr(target.parent, "value", None)) is True and _is_tensor(source, target.expr):
            yield target.expr


def _is_tensor(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is surely a tensor, and no parameter."""
    return all(
        source.names.is_a(value, *TENSORS) and not source.names.is_a(value, PARAMETER)
        for value in source.names.values(node)
    )


def _changed_parameters(source: Source) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that make another tensor of a parameter just made: ``nn.Parameter(x).to(device)``."""
    for call in source.index.calls.get("Parameter", ()):
        if isinstance(call.parent, (nodes.Attribute, nodes.BinOp, nodes.UnaryOp)):
            changed = _changed(source, call) if constant(argument(call, 1, "requires_grad")) is not False else None
            if changed is not None and all(source.names.is_a(one, PARAMETER) for one in source.names.values(call)):
                yield changed


def _changed(source: Source, node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the smallest expression around *node*, a parameter, that is surely another tensor."""
    match node.parent:
        case nodes.BinOp() | nodes.UnaryOp(op="-"):
            return node.parent
        case nodes.Attribute(attrname=name, parent=nodes.Call() as call) if call.func is node.parent:
            if name in _CUTS:
                return None
            return call if _makes_another(source, name, call) else _changed(source, call)
    return None


def _makes_another(source: Source, name: str, call: nodes.Call) -> bool:
    """Return whether the method *name* of a parameter gives another tensor, at least where there is an accelerator."""
    if name == "to":
        device = argument(call, 0, "device")
        return "device" in (last_name(device) or "") or devices.named(source.names, device) not in (None, devices.CPU)
    if name in _TO_DTYPE:
        return "dtype" not in call.as_string() and call.as_string().count(f".{name}") == 1
    return name not in _KEEPS_PARAMETER and not name.endswith("_")


# -- where it goes ---------------------------------------------------------------------------------


def _attributes(source: Source, node: nodes.NodeNG, depth: int = 0) -> Iterator[nodes.AssignAttr]:
    """Yield the attributes of ``self`` that are given the tensor *node*, by itself or in a list or dict."""
    if depth > _DEEPEST:
        return
    match node:
        case nodes.Attribute() if construction.is_self(node.expr):
            for target in source.index.stores.get(node.attrname, ()):
                if class_of(target) is class_of(node) and construction.is_self(target.expr):
                    yield target
            return
        case nodes.Name():
            for definition in scopes.definitions(node, node.name):
                yield from _attributes_given(source, definition, depth)
            return
    whole = _whole(node)
    match whole.parent if whole is not None else None:
        case nodes.AnnAssign(target=nodes.AssignAttr() as target):
            yield target
        case nodes.Assign(targets=[nodes.AssignName() as target]):
            yield from _attributes_given(source, target, depth)
        case nodes.Assign(targets=targets):
            yield from (target for target in targets if isinstance(target, nodes.AssignAttr))
        case nodes.Return():
            yield from _attributes_returned(source, function_of(node), depth)
        case nodes.Call(func=nodes.Attribute(attrname="append", expr=nodes.Attribute() as holder)):
            yield from _attributes(source, holder, depth + 1)


def _attributes_given(source: Source, definition: nodes.NodeNG, depth: int) -> Iterator[nodes.AssignAttr]:
    """Yield the attributes of ``self`` that are given the variable bound at *definition*."""
    if not isinstance(definition.parent, (nodes.Assign, nodes.AnnAssign)):
        return
    for use in source.index.within(function_of(definition), nodes.Name):
        if use.name == definition.name and definition in scopes.definitions(use, use.name):
            whole = _whole(use)
            match whole.parent if whole is not None else None:
                case nodes.Assign(targets=[nodes.AssignAttr() as target]):
                    yield target
                case nodes.Return():
                    yield from _attributes_returned(source, function_of(use), depth)


def _attributes_returned(source: Source, function: nodes.NodeNG, depth: int) -> Iterator[nodes.AssignAttr]:
    """Yield the attributes of ``self`` that are given what *function* returns."""
    for call in source.index.calls.get(getattr(function, "name", ""), ()):
        if any(found.node is function for found in source.names.callee(call)):
            yield from _attributes(source, call, depth + 1)


def _whole(node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the largest expression that is the tensor *node*, or is computed from it alone, or a display of such."""
    while True:
        parent = node.parent
        match parent:
            case nodes.Attribute(attrname=name):
                if name in _CUTS or not (isinstance(parent.parent, nodes.Call) and parent.parent.func is parent):
                    return None
                parent = parent.parent
            case nodes.Subscript() if parent.value is not node:
                return None
            case nodes.BinOp() | nodes.UnaryOp() | nodes.IfExp() | nodes.Subscript():
                pass
            case _ if not isinstance(parent, _DISPLAYS):
                return node
        node = parent


# -- who may look after it -------------------------------------------------------------------------


def _is_lost(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether the module that *target* is an attribute of is its only home, and cannot see it."""
    cls = class_of(target)
    if cls is None or not construction.is_self(target.expr):
        return False
    return (
        source.kinds.is_kind(Instance(cls), "module") is True
        and construction.constructs(source.names, function_of(target))
        and not construction.keeps_own_books(source.names, cls)
        and not _is_registered(source, cls, target.attrname)
        and not _is_looked_after(source, target.attrname)
    )


def _is_registered(source: Source, cls: nodes.ClassDef, name: str) -> bool:
    """Return whether ``self.name`` becomes a parameter of *cls* after all, or is handed to another module."""
    for store in source.names.stores(cls, name):
        if isinstance(store, nodes.Call) or any(
            source.names.is_a(value, PARAMETER, "torch.nn.Module") for value in source.names.stored(store)
        ):
            return True
    return any(
        construction.is_given(given, f"self.{name}")
        and (source.kinds.inferred(call, "module") or source.names.symbol(call.func) == PARAMETER)
        for call in source.index.within(cls, nodes.Call)
        for given in call.args
    )


def _is_looked_after(source: Source, name: str) -> bool:
    """Return whether the file gives the attribute *name* to an optimizer, or sees to its gradient or value itself."""
    stores = [*source.index.stores.get(name, ()), *source.index.items.get(f"self.{name}", ())]
    if any(not construction.constructs(source.names, function_of(store)) for store in stores):
        return True
    for read in source.index.attributes.get(name, ()):
        if isinstance(read.parent, nodes.Attribute) and read.parent.attrname in ("grad", "retain_grad"):
            return True
        if isinstance(read.parent, (nodes.List, nodes.Tuple, nodes.Dict)) and _is_collected(read.parent):
            return True
    return any(
        read.attrname == name
        for call in _handlers(source)
        for given in (*call.args, *(keyword.value for keyword in call.keywords or ()))
        for read in walk(given)
        if isinstance(read, nodes.Attribute)
    )


def _is_collected(display: nodes.NodeNG) -> bool:
    """Return whether *display* is kept or returned, so that others may take what is to be trained from it."""
    while isinstance(display.parent, (nodes.BinOp, nodes.List, nodes.Tuple, nodes.Dict)):
        display = display.parent
    match display.parent:
        case nodes.Assign(targets=[nodes.AssignAttr()]):
            return True
        case nodes.Return():
            return bool(function_of(display).name != "forward")
    return False


def _handlers(source: Source) -> Iterator[nodes.Call]:
    """Yield the calls that make optimizers, or compute gradients of what they are given."""
    for name, calls in source.index.calls.items():
        if name == "grad" or name[:1].isupper() or "optim" in name:
            for call in calls:
                symbol = source.names.symbol(call.func) or ""
                if symbol == "torch.autograd.grad" or source.kinds.inferred(call, "optimizer"):
                    yield call
