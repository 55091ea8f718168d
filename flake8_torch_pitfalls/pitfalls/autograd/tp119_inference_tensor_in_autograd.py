"""A tensor made under `inference_mode` cannot take part in what autograd records: using it so raises.

## What happens
`torch.inference_mode()` is more than `no_grad()`: its tensors have no version counter and stay what they are for
ever. Outside of the block
- an operation that keeps such a tensor for its backward, as every layer with weights and `F.mse_loss` do, raises
  "Inference tensors cannot be saved for backward",
- a change in place (`x.add_(1)`, `x[0] = 1`, `x *= 2`) raises, under `no_grad()` too,
- `requires_grad_()` and `nn.Parameter(x)` raise.

`detach()`, views and a `.to()` that changes nothing return inference tensors again.

## What to write
Compute what is needed afterwards under `torch.no_grad()`, or take a `clone()` outside of the block:

```python
with torch.no_grad():
    target = teacher(images)
loss = F.mse_loss(student(images), target)
```

## Silent
- Use under `no_grad()` or `inference_mode()`, other than a change in place.
- `clone()` outside of the block, and what is computed from the tensor by an operation that is not recorded.
- Operations that keep nothing, such as sums, differences and `torch.cat`.

## Known limits
Only variables of the function that has the block, and results of functions decorated with `inference_mode`.

## Sources
- "Inference Mode" in PyTorch's notes on autograd mechanics, and `torch.inference_mode`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.calls import arguments
from flake8_torch_pitfalls.analysis.cuts import Cuts, freezes
from flake8_torch_pitfalls.analysis.layers import Trait, has
from flake8_torch_pitfalls.analysis.operations import OPERATORS
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, constant, function_of, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method, Symbol, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"inference_mode"}

_MODES = frozenset(("torch.inference_mode", "torch.autograd.inference_mode"))
_STAYS = frozenset("detach view reshape squeeze unsqueeze flatten transpose permute contiguous t expand".split())
"""Methods whose result, outside of the block, still is an inference tensor."""
_MAKE_GRADIENTS = frozenset(("requires_grad_", "retain_grad"))
_FEEDS = frozenset(
    "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LSTM GRU RNN LayerNorm "
    "GroupNorm RMSNorm BatchNorm1d BatchNorm2d BatchNorm3d MultiheadAttention".split()
)
"""Layers that keep their input for the gradient of their weights."""


def check(source: Source) -> Iterator[Finding]:
    """Yield where tensors made in inference mode meet autograd."""
    found = {}
    for use, name in _tensors(source):
        for node, message in _faults(source, use, name):
            if node not in found and not expects_failure(node):
                found[node] = message
    for node, message in sorted(found.items(), key=lambda fault: (fault[0].lineno, fault[0].col_offset)):
        yield Finding(node, message)


# -- where inference tensors are --------------------------------------------------------------------------


def _tensors(source: Source) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield the expressions outside of inference mode that are inference tensors, each with a name for it."""
    made = set(_made_in_blocks(source)) | set(_made_by_functions(source))
    if not made:
        return
    named = {definition.name for definition in made}
    uses = [use for use in source.index.of(nodes.Name, nodes.AssignName) if use.name in named]
    for use in uses:
        if isinstance(use, nodes.AssignName) and not isinstance(use.parent, nodes.AugAssign):
            continue
        reaching = definitions(use, use.name)
        if reaching and all(definition in made for definition in reaching) and not _is_in_mode(source, use):
            yield _whole(use), use.name


def _made_in_blocks(source: Source) -> Iterator[nodes.AssignName]:
    """Yield the variables that a block in inference mode gives tensors of its own."""
    for block in source.index.of(nodes.With):
        if any(_is_mode(source, context) for context, _ in block.items):
            for target in source.index.within(block, nodes.AssignName):
                value = target.parent.value if isinstance(target.parent, nodes.Assign) else None
                if isinstance(value, nodes.Call) and _is_in_mode(source, target) and _makes_tensor(source, value):
                    yield target


def _made_by_functions(source: Source) -> Iterator[nodes.AssignName]:
    """Yield the variables that get the result of a function that is decorated with inference mode."""
    for function in source.index.of(nodes.FunctionDef):
        decorators = function.decorators.nodes if function.decorators is not None else ()
        if any(_is_mode(source, decorator) for decorator in decorators):
            returned = [result.value for result in source.index.returns.get(function, ())]
            if returned and all(_is_own_tensor(source, value) for value in returned):
                for call in source.names.call_sites(function):
                    if isinstance(call.parent, nodes.Assign) and call.root() is source.module:
                        yield from (t for t in call.parent.targets if isinstance(t, nodes.AssignName))


def _is_mode(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is ``torch.inference_mode()``, or the class itself, switched on."""
    target = node.func if isinstance(node, nodes.Call) else node
    if last_name(target) is None or source.names.symbol(target) not in _MODES:
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords or ())] if isinstance(node, nodes.Call) else []
    return all(constant(value) is True for value in given)


def _is_in_mode(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* runs in inference mode, by a block or the decorator of its function."""
    function = function_of(node)
    for above in ancestors(node):
        if isinstance(above, nodes.With) and any(_is_mode(source, context) for context, _ in above.items):
            return True
        if above is function:
            break
    decorators = getattr(function, "decorators", None)
    return decorators is not None and any(_is_mode(source, decorator) for decorator in decorators.nodes)


def _is_own_tensor(source: Source, value: nodes.NodeNG | None) -> bool:
    """Return whether *value*, returned in inference mode, is a tensor that was made there."""
    if isinstance(value, nodes.Name):
        found = definitions(value, value.name)
        made = [one.parent.value if isinstance(one.parent, nodes.Assign) else None for one in found]
        return bool(made) and all(isinstance(one, nodes.Call) and _makes_tensor(source, one) for one in made)
    return isinstance(value, nodes.Call) and _makes_tensor(source, value)


def _makes_tensor(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* makes a tensor with memory of its own."""
    name = last_name(call.func) or ""
    op = torch_model.op(name)
    values = source.names.known(call.func)
    if isinstance(call.func, nodes.Attribute) and op is not None and not any(
        isinstance(value, (Function, Symbol)) for value in values
    ):  # fmt: skip
        receiver = call.func.expr
        if op.view or op.moves or op.in_place or name in _STAYS:
            return isinstance(receiver, nodes.Call) and _makes_tensor(source, receiver)
        return source.names.is_a(source.names.values(call)[0], "torch.Tensor") is True
    if bool(source.kinds.of(call.func, "module")):
        return True
    return bool(values) and all(_is_maker(value) for value in values)


def _is_maker(value: Value) -> bool:
    if not isinstance(value, Symbol) or not value.name.startswith("torch."):
        return False
    op = torch_model.op(value.name)
    is_view = op is not None and (op.view or op.in_place or op.moves)
    types = torch_model.returned(value.name)
    return not is_view and bool(types) and all(one.name == "torch.Tensor" for one in types)


def _whole(node: nodes.NodeNG) -> nodes.NodeNG:
    """Return the longest chain of calls on *node* that still is an inference tensor: ``x.detach()`` of ``x``."""
    while True:
        call = node.parent.parent if isinstance(node.parent, nodes.Attribute) else None
        if not isinstance(call, nodes.Call) or call.func is not node.parent or node.parent.attrname not in _STAYS:
            return node
        node = call


# -- what is done to them ---------------------------------------------------------------------------------


def _faults(source: Source, use: nodes.NodeNG, name: str) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield what raises around *use*, an inference tensor called *name*."""
    parent = use.parent
    fix = "compute it under 'torch.no_grad()'"
    match parent:
        case nodes.AugAssign() if use is parent.target:
            yield parent, f"'{name}' was made in inference mode, so changing it in place raises; {fix}"
        case nodes.Subscript() if parent.ctx.name == "Store" and use is parent.value:
            statement = parent.statement()
            yield statement, f"'{name}' was made in inference mode, so changing it in place raises; {fix}"
        case nodes.Attribute(attrname=method) if isinstance(parent.parent, nodes.Call) and use is parent.expr:
            if method in _MAKE_GRADIENTS:
                yield parent.parent, f"'{name}' was made in inference mode, so '{method}()' raises; {fix}"
            elif method.endswith("_") and (op := torch_model.op(method)) is not None and op.in_place:
                yield parent.parent, f"'{name}' was made in inference mode, so changing it in place raises; {fix}"
            elif _is_kept(source, use, parent.parent):
                yield parent.parent, _message(name, fix)
        case nodes.Attribute() if isinstance(parent.parent, nodes.Assign):
            return
        case nodes.BinOp() | nodes.Call() if source.tensors.recording(parent) is True:
            if isinstance(parent, nodes.Call) and source.names.symbol(parent.func) == "torch.nn.Parameter":
                yield parent, f"'{name}' was made in inference mode, so 'Parameter()' raises; {fix}"
            elif _is_kept(source, use, parent):
                yield parent, _message(name, fix)


def _message(name: str, fix: str) -> str:
    return f"'{name}' was made in inference mode, so keeping it for backward raises here; {fix}"


def _is_kept(source: Source, use: nodes.NodeNG, node: nodes.NodeNG) -> bool:
    """Return whether the operation or call *node* keeps its operand *use* for a backward pass."""
    if source.tensors.recording(node) is not True:
        return False
    if isinstance(node, nodes.BinOp):
        other = node.right if use is node.left else node.left
        return _is_saved(source, OPERATORS.get(node.op, ""), {"self": node.left, "other": node.right}, use, [other])
    values = source.names.values(node.func)
    return bool(values) and all(_keeps(source, value, use, node) for value in values)


def _keeps(source: Source, value: Value, use: nodes.NodeNG, call: nodes.Call) -> bool:
    """Return whether *value*, called as *call*, keeps its argument *use*."""
    match value:
        case Instance(str() as cls) if cls.startswith("torch.nn."):
            short = cls.rpartition(".")[2]
            if short.endswith("Loss"):
                return _is_kept_by_loss(source, use, call)
            if short == "Sequential":
                return _starts_with_weights(source, value)
            return short in _FEEDS and call.args[:1] == [use] and not freezes(source.index)
        case Symbol(symbol) if symbol.startswith("torch."):
            if symbol.endswith(("_loss", "cross_entropy", "_with_logits", "kl_div")):
                return _is_kept_by_loss(source, use, call)
            given = arguments(call, symbol)
            others = [node for node in given.values() if node is not use]
            return _is_saved(source, symbol, given, use, others)
        case Method(method) if method.startswith("torch.Tensor.") and isinstance(call.func, nodes.Attribute):
            given = {"self": call.func.expr, **arguments(call, method)}
            others = [node for node in given.values() if node is not use]
            return _is_saved(source, method.rpartition(".")[2], given, use, others)
    return False


def _is_kept_by_loss(source: Source, use: nodes.NodeNG, call: nodes.Call) -> bool:
    """Return whether a loss keeps *use*: all but the absolute difference keep both, where one has a graph."""
    if "l1" in (last_name(call.func) or "").lower() or "L1Loss" in call.func.as_string():
        return False
    others = [node for node in call.args[:2] if node is not use]
    return use in call.args[:2] and len(others) == 1 and Cuts(source).of(others[0]).graph is True


def _is_saved(
    source: Source, name: str, given: dict[str, nodes.NodeNG], use: nodes.NodeNG, others: list[nodes.NodeNG]
) -> bool:
    op = torch_model.op(name) if name else None
    if op is None or not op.known:
        return False
    cuts = Cuts(source)
    if not any(cuts.of(node).graph is True for node in others):
        return False
    tracked = frozenset(
        "self" if name == "input" else name for name, node in given.items() if node is not use and cuts.of(node).graph
    )
    role = next(name for name, node in given.items() if node is use) if use in given.values() else ""
    role = "self" if role == "input" else role
    return any(
        role in overload.saves(tracked)
        for overload in op.overloads
        if set(given) - {"input"} <= set(overload.arguments) and role in overload.tensors
    )


def _starts_with_weights(source: Source, module: Instance) -> bool:
    """Return whether the first layer of a Sequential keeps what it is given."""
    made = module.made_at
    if not isinstance(made, nodes.Call) or not made.args or isinstance(made.args[0], nodes.Starred):
        return False
    first = source.names.values(made.args[0])
    return not freezes(source.index) and all(
        isinstance(value, Instance)
        and isinstance(value.cls, str)
        and value.cls.rpartition(".")[2] in _FEEDS
        and has(source.names, value, Trait.PARAMETERS) is True
        for value in first
    )
