"""Training through a custom operator without a backward formula raises.

## What happens
PyTorch does not look into the function of a custom operator, so autograd has no formula for it, even if everything
in it is differentiable. The forward pass gives a tensor that requires grad; `backward()` raises: "no autograd
formula was registered".

## What to write

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.cos(x)

    smooth.register_autograd(backward, setup_context=setup_context)

## Silent
- Operators that change their arguments, for which `register_autograd` is refused.
- `register_autograd`, or an implementation for an autograd or composite key, in this file or one that it imports.
- Operators that nothing in the file calls: it exports them, and others may complete them.
- Operators called only under `no_grad` or `inference_mode`, inside a `torch.autograd.Function` that has a formula of
  its own, or in files that neither run a backward pass nor call them in a module's forward; there a file that
  switches recording off anywhere is taken for inference.
- Operators that work with integers, indices or quantized values.

## Known limits
Operators of `torch.library.define` and `Library.define` may have their kernels in C++ and are left alone.

## Sources
- `torch.library.custom_op` and `torch.library.register_autograd` in PyTorch's documentation.
- "Custom Python Operators", PyTorch tutorials: "Adding training support".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.custom_ops import CustomOp, custom_ops, is_registered
from flake8_torch_pitfalls.analysis.modes import WORDS as WORDS_OF_MODES
from flake8_torch_pitfalls.analysis.modes import records_grad
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, dotted, method_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"custom_op"}

_REGISTER = {"register_autograd"}
_KEYS = {"Autograd", "AutogradCPU", "AutogradCUDA", "CompositeImplicitAutograd"}
_NOT_DIFFERENTIABLE = re.compile(
    r"torch\.(u?int\d*|long|bool|short|float8\w*)\b|\.(long|int|bool|byte)\(|arg(max|min|sort)|nonzero|topk|quant"
    r"|no_grad|inference_mode",
    re.IGNORECASE,
)


def check(source: Source) -> Iterator[Finding]:
    """Yield the operators that are trained through and cannot go backward."""
    ops = list(custom_ops(source))
    for op in ops:
        if op.mutates or not _takes_tensors(op) or is_registered(source, op, ops, _REGISTER, _KEYS):
            continue
        if _is_trained_through(source, op) and not _NOT_DIFFERENTIABLE.search(_text(source, op)):
            yield Finding(
                op.node,
                f"'{op.name}' has no backward formula, so training through it raises; call "
                f"'{op.variable}.register_autograd'",
            )


def _takes_tensors(op: CustomOp) -> bool:
    """Return whether both an argument and the result of *op* are declared as tensors."""
    result = op.function.returns
    declared = [each for each in op.function.args.annotations if each is not None]
    return (
        result is not None
        and "Tensor" in result.as_string()
        and any("Tensor" in each.as_string() for each in declared)
    )


def _text(source: Source, op: CustomOp) -> str:
    """Return the text of the operator, and of its fake implementation, which says the type of the result."""
    fakes = [
        function
        for function in source.index.of(nodes.FunctionDef)
        if function.decorators is not None
        and any(
            dotted(each) == f"{op.variable}.register_fake" or f"'{op.name}'" in each.as_string()
            for each in function.decorators.nodes
        )
    ]
    return "\n".join(function.as_string() for function in (op.function, *fakes))


def _is_trained_through(source: Source, op: CustomOp) -> bool:
    """Return whether the file calls *op* where autograd records, in a module's forward or beside a backward pass."""
    goes_backward = "backward" in source.index.calls or "gradcheck" in source.index.calls
    may_only_infer = not WORDS_OF_MODES.isdisjoint(source.index.calls)
    name = op.name.rpartition("::")[2]
    for call in [*source.index.calls.get(op.variable, ()), *source.index.calls.get(name, ())]:
        text = dotted(call.func) or ""
        if text != op.variable and text.removesuffix(".default") != "torch.ops." + op.name.replace("::", "."):
            continue
        owner, method = class_of(call), method_of(call)
        if owner is not None and source.names.derives(owner, "torch.autograd.Function") is not False:
            continue
        if records_grad(source.names, call) is True and (
            goes_backward or (method is not None and method.name == "forward" and not may_only_infer)
        ):
            return True
    return False
