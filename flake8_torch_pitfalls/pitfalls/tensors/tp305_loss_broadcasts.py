"""A loss of predictions of shape (N, 1) and targets of shape (N,) compares every prediction with every target.

## What happens
Elementwise operations broadcast: of (N, 1) and (N,) they make (N, N), where each prediction meets all N targets. The
mean over that is a number like any loss, it falls for a while, and what the model learns is the mean of the targets.
`mse_loss`, `l1_loss`, `smooth_l1_loss` and `huber_loss` warn, once. `kl_div`, `poisson_nll_loss`, `gaussian_nll_loss`,
`hinge_embedding_loss`, a difference as in `((pred - y) ** 2).mean()` and a count as in `(pred == y).sum()` say nothing.

The dimension of size 1 comes from a last layer `nn.Linear(…, 1)`, from `keepdim=True`, `gather`, `unsqueeze(1)` or
`view(-1, 1)`; the other operand lost its own through `squeeze`, `argmax`, `view(-1)`, or never had one.

## What to write
One shape for both: `pred.squeeze(1)` beside targets of shape (N,), or `y.unsqueeze(1)` beside predictions of (N, 1).

## Silent
- Operands of one shape, and everything of which only one side is known.
- Scalars, rows of one example, and biases: (N, C) with (C,) or (1, C).
- Outer differences that are meant, `x[:, None] - y[None]` and `x.unsqueeze(1) - y`.
- The variance of `gaussian_nll_loss`, for which (N, 1) is right, and operands that were expanded.
- `binary_cross_entropy`, with or without logits: torch refuses it.

## Known limits
Shapes are known from what the text does to a tensor: factories, layers, and operations that set, drop or add a
dimension. What a loader gives is known only for a data set in view. The input of a linear layer is taken to be a
batch, and sizes that are not known not to be 1 by chance. A sum of (N, 1) and (N,), as in a target `reward + value`,
is not reported, nor is a loss inside a class of the project's own that is given such operands.

## Sources
- PyTorch's documentation on broadcasting semantics; the warning of `torch.nn.functional.mse_loss`: "This will likely
  lead to incorrect results due to broadcasting".
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import broadcasts, scopes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.shaped import known_by_name
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tensors import Pass
from flake8_torch_pitfalls.analysis.tree import (
    argument,
    constant,
    dotted,
    function_of,
    is_open,
    last_name,
    own_name,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

CLASSES = {
    "MSELoss": "mse_loss", "L1Loss": "l1_loss", "SmoothL1Loss": "smooth_l1_loss", "HuberLoss": "huber_loss",
    "KLDivLoss": "kl_div", "PoissonNLLLoss": "poisson_nll_loss", "GaussianNLLLoss": "gaussian_nll_loss",
    "HingeEmbeddingLoss": "hinge_embedding_loss",
}  # fmt: skip
FUNCTIONS = frozenset(CLASSES.values())
SYMBOLS = {
    **{f"torch.nn.{cls}": name for cls, name in CLASSES.items()},
    **{f"torch.nn.functional.{name}": name for name in FUNCTIONS},
}
INPUTS = ("input", "log_input")
SUMMARIES = ("mean", "sum")
POWERS = ("pow", "square", "abs", "float", "long", "int", "double")
"""What stands between a difference, or a comparison, and its mean without changing its shape."""
WORDS = {*CLASSES, *FUNCTIONS, *SUMMARIES}
LONGEST = 30


def check(source: Source) -> Iterator[Finding]:
    """Yield losses, and differences that are one, whose operands spread over each other."""
    for call in _losses(source):
        left, right = _operands(call)
        yield from _compared(source, call, left, right, f"in '{_called(call.func)}'")
    for node in _differences(source):
        where = "in this difference" if isinstance(node, nodes.BinOp) else "in this comparison"
        yield from _compared(source, node, *_sides(node), where)


def _losses(source: Source) -> Iterator[nodes.Call]:
    """Yield the calls of torch's elementwise losses, of functions and of objects, whose operands may be known."""
    index = source.index
    made = {name for call in _calls(source, CLASSES) for name in _kept_as(call)}
    candidates = [call.parent for call in _calls(source, CLASSES) if isinstance(call.parent, nodes.Call)]
    candidates = [call for call in candidates if not isinstance(call.func, (nodes.Name, nodes.Attribute))]
    for name in sorted(index.calls):
        if name in FUNCTIONS or name in made or "crit" in name or "loss" in name:
            candidates += index.calls[name]
    for call in candidates:
        left, right = _operands(call)
        if left is not None and right is not None and not is_open(call):
            if known_by_name(source, left, right) and _is_loss(source, call):
                yield call


def _operands(call: nodes.Call) -> tuple[nodes.NodeNG | None, nodes.NodeNG | None]:
    left = next((found for name in INPUTS if (found := argument(call, 0, name)) is not None), None)
    return left, argument(call, 1, "target")


def _calls(source: Source, names: Iterable[str]) -> Iterator[nodes.Call]:
    for name in sorted(names):
        yield from source.index.calls.get(name, ())


def _kept_as(call: nodes.Call) -> Iterator[str]:
    """Yield the names under which the loss made at *call* is kept, or handed to a function."""
    parent = call.parent
    if isinstance(parent, nodes.Assign):
        yield from (name for target in parent.targets if (name := own_name(target)) is not None)
    elif isinstance(parent, nodes.Keyword) and parent.arg:
        yield parent.arg


def _is_loss(source: Source, call: nodes.Call) -> bool:
    values = [value for value in source.names.values(call.func) if value != NOTHING]
    return bool(values) and all(
        isinstance(value, Symbol) and value.name in SYMBOLS or isinstance(value, Instance) and value.cls in SYMBOLS
        for value in values
    )


def _differences(source: Source) -> Iterator[nodes.NodeNG]:
    """Yield the differences and comparisons of which the file takes the mean or sum over everything."""
    seen = set()
    for call in _calls(source, SUMMARIES):
        if call.keywords:
            continue
        found = None
        if len(call.args) == 1 and dotted(call.func) in ("torch.mean", "torch.sum"):
            found = _difference(call.args[0], call)
        elif not call.args and isinstance(call.func, nodes.Attribute):
            found = _difference(call.func.expr, call)
        if found is not None and found not in seen:
            seen.add(found)
            if known_by_name(source, *_sides(found), are_classes=not isinstance(found, nodes.BinOp)):
                yield found


def _sides(found: nodes.NodeNG) -> tuple[nodes.NodeNG, nodes.NodeNG]:
    match found:
        case nodes.BinOp(left=left, right=right) | nodes.Compare(left=left, ops=[(_, right)]):
            return left, right
    return found.func.expr, found.args[0]


def _difference(node: nodes.NodeNG, use: nodes.NodeNG, is_raised: bool = False) -> nodes.NodeNG | None:
    """Return the difference, raised to a power on the way, or the comparison that *node* is made of."""
    match node:
        case nodes.BinOp(op="-") if is_raised and not _is_meant(node.left, node.right):
            return node
        case nodes.BinOp(op="**"):
            return _difference(node.left, use, True)
        case nodes.BinOp(op="*", left=nodes.Name(name=one), right=nodes.Name(name=other)) if one == other:
            return _difference(node.left, use, True)
        case nodes.BinOp(op="*", left=nodes.BinOp(), right=nodes.BinOp()):
            same = node.left.as_string() == node.right.as_string()
            return _difference(node.left, use, True) if same else None
        case nodes.Compare(ops=[("==", right)]) if not _is_meant(node.left, right):
            return node
        case nodes.Call(func=nodes.Attribute(attrname="eq", expr=left), args=[right]) if not _is_meant(left, right):
            return node
        case nodes.Call(func=nodes.Attribute(attrname=name, expr=expr), args=args) if name in POWERS:
            raised = is_raised or name in ("pow", "square", "abs")
            if isinstance(expr, nodes.Name) and expr.name == "torch":
                return _difference(args[0], use, raised) if args else None
            return _difference(expr, use, raised)
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign) and found[0] in found[0].parent.targets:
                value = found[0].parent.value
                return _difference(value, use, is_raised) if function_of(value) is function_of(use) else None
    return None


def _is_meant(*operands: nodes.NodeNG) -> bool:
    """Return whether one of *operands* gets its dimension of size 1 right there, as in ``x[:, None] - y``."""
    for operand in operands:
        match operand:
            case nodes.Const():
                return True
            case nodes.Subscript(slice=nodes.Tuple(elts=keys)) if any(constant(key) is None for key in keys):
                return True
            case nodes.Call() if last_name(operand.func) in ("unsqueeze", "expand", "expand_as"):
                return True
            case nodes.Call(args=args) if last_name(operand.func) in ("view", "reshape"):
                if any(constant(size) == 1 for size in args):
                    return True
    return False


def _compared(
    source: Source, node: nodes.NodeNG, left: nodes.NodeNG, right: nodes.NodeNG, where: str
) -> Iterator[Finding]:
    for done in _passes(source, function_of(node)):
        one, other = done.facts.get(left), done.facts.get(right)
        if isinstance(one, Tensor) and isinstance(other, Tensor) and one.layout and other.layout:
            if (found := broadcasts.spread(one.layout, other.layout)) is not None:
                shapes = [broadcasts.described(shape) for shape in (*found, broadcasts.result(*found))]
                names = _name(left, "the input"), _name(right, "the target")
                yield Finding(
                    node,
                    f"{names[0]} {shapes[0]} and {names[1]} {shapes[1]} broadcast to {shapes[2]} {where}; "
                    "give both the same shape",
                )
                return


def _passes(source: Source, scope: nodes.NodeNG) -> Iterator[Pass]:
    """Yield the value passes through *scope*, by itself and for what its callers in view hand over."""
    yield from source.shapes.passes(scope)
    if isinstance(scope, nodes.FunctionDef):
        for call in source.names.call_sites(scope):
            source.shapes.of(function_of(call))
        yield from source.shapes.passes(scope)


def _called(func: nodes.NodeNG) -> str | None:
    return last_name(func.func if isinstance(func, nodes.Call) else func)


def _name(node: nodes.NodeNG, fallback: str) -> str:
    text = text_of(node)
    return f"'{text}'" if len(text) <= LONGEST and "\n" not in text else fallback
