"""A logarithm and an exponential are composed by hand where torch has a stable function for the two.

## What happens
`log(softmax(x))` is `-inf` as soon as a probability underflows to 0, and the gradient is NaN; `log(1 + x)` and
`exp(x) - 1` are 0 for small `x`, since `1 + x` rounds to 1; `log(sum(exp(x)))` overflows to `inf` from `x = 89` on in
float32. The functions that compute both steps at once have none of that.

## What to write
| by hand | stable |
| --- | --- |
| `log(softmax(x, d))` | `log_softmax(x, d)` |
| `log(sigmoid(x))` | `F.logsigmoid(x)` |
| `log(1 + exp(x))` | `F.softplus(x)` |
| `log(1 + x)` | `log1p(x)` |
| `exp(x) - 1` | `expm1(x)` |
| `log(sum(exp(x), d))` | `logsumexp(x, d)` |

## Silent
- Guarded logarithms: `log(softmax(x) + eps)`, `log(p.clamp(min=eps))`.
- `log(sum(exp(x - m)))`, where the maximum was taken off by hand.
- `log` and `exp` of `math`, NumPy and others, and methods of objects that are not known to be tensors.

## Known limits
A softmax or exponential that reaches the logarithm through more than one variable is not followed.

## Sources
- `torch.nn.functional.log_softmax`, `torch.log1p`, `torch.expm1` and `torch.logsumexp` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, function_of, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"log", "exp"}

_ACTIVATIONS = {"softmax": "log_softmax", "sigmoid": "logsigmoid"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the compositions for which there is a stable function, the outer call of each."""
    for call in source.index.calls.get("log", ()):
        inner = _operand(source, call)
        if inner is not None and (found := _stable_log(source, inner)) is not None:
            yield Finding(call, f"'{found[0]}' loses precision or overflows; use '{found[1]}'")
    for call in source.index.calls.get("exp", ()):
        minus = call.parent
        if isinstance(minus, nodes.BinOp) and minus.op == "-" and minus.left is call and constant(minus.right) == 1:
            if _operand(source, call) is not None:
                yield Finding(minus, "'exp(x) - 1' is 0 for small x; use 'expm1'")


def _operand(source: Source, call: nodes.Call) -> nodes.NodeNG | None:
    """Return the tensor that *call*, of a function or method of torch, is about; None if it is none of torch's."""
    if isinstance(call.func, nodes.Attribute) and source.kinds.inferred(call.func.expr, "tensor"):
        return call.func.expr
    symbol = source.names.symbol(call.func) or ""
    return argument(call, 0, "input") if symbol.startswith("torch.") else None


def _stable_log(source: Source, node: nodes.NodeNG) -> tuple[str, str] | None:
    """Return what ``log(node)`` is, and what does the same at once."""
    node = _value(node)
    match node:
        case nodes.BinOp(op="+", left=left, right=right) if 1 in (constant(left), constant(right)):
            other = right if constant(left) == 1 else left
            if _torch_call(source, _value(other), "exp") is not None:
                return "log(1 + exp(x))", "softplus"
            return "log(1 + x)", "log1p"
        case nodes.Call():
            for name, stable in _ACTIVATIONS.items():
                if _torch_call(source, node, name) is not None:
                    return f"log({name}(x))", stable
            summed = _torch_call(source, node, "sum")
            if summed is not None and (power := _torch_call(source, _value(summed), "exp")) is not None:
                if not _is_shifted(power):
                    return "log(sum(exp(x)))", "logsumexp"
    return None


def _torch_call(source: Source, node: nodes.NodeNG, name: str) -> nodes.NodeNG | None:
    """Return the tensor that *node*, a call of torch's *name*, is about."""
    if not isinstance(node, nodes.Call) or last_name(node.func) != name:
        return None
    return _operand(source, node)


def _value(node: nodes.NodeNG) -> nodes.NodeNG:
    """Return the expression that the variable *node* was given, or *node* itself."""
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
        if len(found) == 1 and isinstance(found[0].parent, nodes.Assign) and function_of(found[0]) is function_of(node):
            return found[0].parent.value
    return node


def _is_shifted(node: nodes.NodeNG) -> bool:
    """Return whether something was subtracted from *node*."""
    node = _value(node)
    return isinstance(node, nodes.BinOp) and node.op == "-"
