"""The result of an operation keeps no gradient: its `.grad` is `None`, and no optimizer takes it.

## What happens
Only leaves keep their gradient: tensors that the program makes with `requires_grad=True`. What an operation returns
is no leaf, and moving to another device or dtype is an operation, too. `torch.randn(3, requires_grad=True).cuda()`
gives a tensor whose `.grad` stays `None` after `backward()` (torch warns) while the gradient goes to the tensor that
nothing names; an optimizer refuses it with "can't optimize a non-leaf Tensor".

All this happens only where the move changes something, so that the program may work on a CPU and fail on a GPU.

## What to write
Make the tensor where and as it is wanted, or ask for the gradient last:

```python
w = torch.randn(3, device="cuda", requires_grad=True)
w = torch.randn(3).cuda().requires_grad_()
```

Where the gradient of an intermediate result
is wanted, call `y.retain_grad()` before `backward()`.

## Silent
- `retain_grad()`; `requires_grad_()` last; `detach()` before it.
- A move that changes nothing: `.to("cpu")` of what is there, `.float()` of a float tensor.
- `.grad` that is only compared with `None`.
- Variables that are leaves on some path.

## Known limits
Only variables and attributes of `self` that are assigned in view. Whether a move changes something is told from its
argument alone.

## Sources
- `torch.Tensor.is_leaf`, `torch.Tensor.grad` and `torch.Tensor.retain_grad` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices, scopes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, class_of, dotted, function_of, last_name, text_of, walk
from flake8_torch_pitfalls.analysis.values import Instance, Method, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"grad", "optim", "requires_grad", "requires_grad_"}

_MOVES = {"to": None, "cuda": "device", "xpu": "device", "half": "dtype", "bfloat16": "dtype", "double": "dtype"}
"""Methods that change a tensor made by default, with the keyword by which a factory has already done so."""
_MAY_KEEP = frozenset("float cpu contiguous type requires_grad_ data detach_ type_as".split())
"""Methods that may return the very tensor they are called on."""
_OTHER_DTYPES = frozenset("torch." + name for name in "float64 double float16 half bfloat16 complex64".split())


def check(source: Source) -> Iterator[Finding]:
    """Yield gradients that are read where none is kept, and non-leaves that are to be trained."""
    yield from _read(source)
    yield from _optimized(source)


# -- .grad is read --------------------------------------------------------------------------------------


def _read(source: Source) -> Iterator[Finding]:
    seen: set[tuple[nodes.NodeNG, str]] = set()
    for node in source.index.attributes.get("grad", ()):
        function, name = function_of(node), dotted(node.expr)
        if name is None or (function, name) in seen or _is_test(node):
            continue
        if _is_non_leaf(source, node.expr) and not _retains(source, node):
            seen.add((function, name))
            yield Finding(node, f"'{name}' is no leaf, so '{name}.grad' is None; call 'requires_grad_()' on it last")


def _is_test(node: nodes.Attribute) -> bool:
    return isinstance(node.parent, (nodes.Compare, nodes.If, nodes.Assert))


def _retains(source: Source, node: nodes.Attribute) -> bool:
    """Return whether the function of *node* asks some tensor to keep its gradient, or catches gradients itself."""
    return any(
        function_of(call) is function_of(node)
        for name in ("retain_grad", "register_hook")
        for call in source.index.calls.get(name, ())
    )


# -- optimizers -----------------------------------------------------------------------------------------


def _optimized(source: Source) -> Iterator[Finding]:
    """Yield the non-leaves in the lists that optimizers are given."""
    for call in source.index.of(nodes.Call):
        if call.args and isinstance(call.args[0], nodes.List) and isinstance(call.func, (nodes.Name, nodes.Attribute)):
            if (source.names.symbol(call.func) or "").startswith("torch.optim."):
                for element in call.args[0].elts:
                    if isinstance(element, (nodes.Name, nodes.Attribute)) and _is_non_leaf(source, element):
                        name = text_of(element)
                        yield Finding(
                            element, f"'{name}' is no leaf, so the optimizer raises; call 'requires_grad_()' on it last"
                        )


# -- leaves ---------------------------------------------------------------------------------------------


def _is_non_leaf(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether whatever the variable or attribute *node* holds is the result of an operation."""
    values = list(_assigned(source, node))
    return bool(values) and all(value is not None and _is_result(source, value) for value in values)


def _assigned(source: Source, node: nodes.NodeNG) -> Iterator[nodes.NodeNG | None]:
    """Yield what is assigned to *node*, None for what cannot be told; changes in place leave it what it is."""
    if isinstance(node, nodes.Name):
        targets = list(scopes.definitions(node, node.name))
    else:
        owner = class_of(node)
        if owner is None or dotted(getattr(node, "expr", None)) != "self":
            return
        targets = list(source.names.stores(owner, node.attrname))
    for target in targets:
        match target.parent:
            case nodes.Assign(targets=[only]) if only is target:
                yield target.parent.value
            case nodes.AugAssign():
                continue
            case _:
                yield None


def _is_result(source: Source, value: nodes.NodeNG) -> bool:
    """Return whether *value* is surely made by an operation that records a graph."""
    fact = source.tensors.at(value)
    if not isinstance(fact, Tensor) or fact.graph is not True or fact.leaf:
        return False
    if isinstance(value, nodes.BinOp):
        return True
    if not isinstance(value, nodes.Call) or isinstance(value.parent, nodes.Starred):
        return False
    called = source.names.known(value.func)
    if isinstance(value.func, nodes.Attribute) and all(_is_tensor_method(one) for one in called) and called:
        name = value.func.attrname
        if name in _MOVES:
            return _changes(source, value) or _is_result(source, value.func.expr)
        return not name.endswith("_") and name not in _MAY_KEEP or _is_result(source, value.func.expr)
    return bool(called) and all(_is_operation(source, one) for one in called)


def _is_tensor_method(value: object) -> bool:
    return isinstance(value, Method) and value.name.startswith("torch.Tensor.")


def _is_operation(source: Source, value: object) -> bool:
    match value:
        case Symbol(name):
            return name.startswith(("torch.", "torch.nn.functional.")) and not name.startswith("torch.optim.")
        case Instance(str() as cls):
            return cls.startswith("torch.nn.") and cls != "torch.nn.Identity"
    return False


def _changes(source: Source, call: nodes.Call) -> bool:
    """Return whether the move *call* makes another tensor of one that is made as factories do by default."""
    keyword = _MOVES[call.func.attrname]
    if keyword is None:
        wanted = argument(call, 0, "device")
        dtypes = {source.names.symbol(node) for node in (wanted, argument(call, None, "dtype"))}
        if not dtypes.isdisjoint(_OTHER_DTYPES):
            keyword = "dtype"
        elif devices.named(source.names, wanted) not in (None, devices.CPU):
            keyword = "device"
        else:
            return False
    given = [node.arg for node in walk(call.func.expr) if isinstance(node, nodes.Keyword)]
    moved = [last_name(node.func) for node in walk(call.func.expr) if isinstance(node, nodes.Call)]
    return keyword not in given and not {"to", "type_as", "cuda", "new_tensor", "zeros_like", "randn_like"} & set(moved)
