"""`as_strided` reads and writes memory by numbers that nothing ties to the tensor.

## What happens
The sizes, strides and offset are taken as they are, counted in the tensor's whole storage:

- two elements of the result may be one element of memory, and an in-place change of it gives undefined results;
- on a slice or another view the strides are often those that a contiguous tensor would have, and the result holds
  other elements than meant;
- leaving out the offset keeps that of the view, giving 0 starts at the storage and leaves the view.

Only strides that leave the storage raise. None of the others is an error, and the backward pass is slow.

## What to write
`unfold` for sliding windows, `expand` for repeated elements, `diagonal`, `transpose` or slices for views; or
`torch.as_strided_copy`, which shares no memory.

## Silent
- `torch.as_strided_copy`, `numpy.lib.stride_tricks.as_strided`, and methods of other objects with that name.

## Known limits
Every call is reported, also one whose numbers are right; say so with a `noqa`.

## Sources
- `torch.as_strided` in PyTorch's documentation: "Prefer using other view functions".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.values import UNKNOWN
from flake8_torch_pitfalls.finding import Finding

WORDS = {"as_strided", "as_strided_"}

_SYMBOLS = {f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in WORDS}


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``as_strided`` on tensors."""
    for name in sorted(WORDS):
        for call in source.index.calls.get(name, ()):
            if _is_torchs(source, call):
                yield Finding(
                    call,
                    f"'{name}' may alias elements or leave the view; use 'unfold', 'expand' or 'as_strided_copy'",
                )


def _is_torchs(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* is torch's: a method of an unknown object is, since NumPy's arrays have none."""
    if source.names.symbol(call.func) in _SYMBOLS:
        return True
    return isinstance(call.func, nodes.Attribute) and set(source.names.values(call.func.expr)) == {UNKNOWN}
