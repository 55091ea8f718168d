"""A custom operator without a fake implementation cannot be compiled or exported.

## What happens
`torch.compile`, `torch.export` and fake tensors run a program on tensors without data to learn the shapes. They
cannot look into the operator, and without a fake implementation they stop: "There was no fake impl registered".
Without `fullgraph=True`, `torch.compile` raises as well, since there is no break that would help.

## What to write

    @sharpen.register_fake
    def _(image, amount):
        return torch.empty_like(image)

## Silent
- Operators that change their arguments and return nothing: PyTorch knows their fake implementation.
- `register_fake`, `impl_abstract`, or an implementation for `Meta` or a composite key, in this file or in one that
  it imports, also in a loop or for a name that the text does not show.
- `torch.library.triton_op`, into which the compiler looks.

## Known limits
Operators of `torch.library.define` and `Library.define` may have their kernels in C++ and are left alone.

## Sources
- `torch.library.custom_op` and `torch.library.register_fake` in PyTorch's documentation.
- "Custom Python Operators", PyTorch tutorials.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.custom_ops import custom_ops, is_registered
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding

WORDS = {"custom_op"}

_FAKES = {"register_fake", "impl_abstract", "_register_fake"}
_KEYS = {"Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the operators whose shapes the compiler cannot learn."""
    ops = list(custom_ops(source))
    for op in ops:
        if not (op.mutates and op.returns_nothing) and not is_registered(source, op, ops, _FAKES, _KEYS):
            yield Finding(
                op.node,
                f"'{op.name}' has no fake implementation, so compile and export raise; add "
                f"'@{op.variable}.register_fake'",
            )
