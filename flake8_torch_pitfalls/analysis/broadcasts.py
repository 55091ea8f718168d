"""Whether the operands of an elementwise operation spread over each other, as (N, 1) and (N,) do to (N, N)."""
from __future__ import annotations

import enum
from collections.abc import Sequence

from flake8_torch_pitfalls.analysis import strides
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.sizes import ONE, Size

Shape = tuple[Size, ...]


class Fit(enum.Enum):
    """How two shapes go together."""

    MAY_MATCH = "nothing to say: they may be the same, or one is a number, a row, or meant to be repeated"
    ONE_SIDED = "they differ, and the result has the shape of one"
    SPREAD = "the result is larger than both"


def spread(left: Layout, right: Layout) -> tuple[Shape, Shape] | None:
    """Return two shapes that *left* and *right* may have and that spread, if none that they may have match."""
    found: tuple[Shape, Shape] | None = None
    for one in left.forms:
        for other in right.forms:
            fit = fit_of(one.sizes, other.sizes)
            if fit is Fit.MAY_MATCH:
                return None
            if fit is Fit.SPREAD and found is None:
                found = one.sizes, other.sizes
    return found


def fit_of(left: Shape, right: Shape) -> Fit:
    """Return how *left* and *right* go together.

    Two of one rank that spread, (N, 1) and (1, M), are meant to: each was given its dimension of size 1.
    """
    if all(size == ONE for size in left) or all(size == ONE for size in right):
        return Fit.MAY_MATCH
    if len(left) == len(right):
        may_match = all(_may_be_equal(one, other) for one, other in zip(left, right))
        return Fit.MAY_MATCH if may_match or _is_outer(left, right) else Fit.ONE_SIDED
    shorter, longer = sorted((left, right), key=len)
    lead, tail = longer[: -len(shorter)], longer[-len(shorter) :]
    if all(size == ONE for size in lead):
        return Fit.MAY_MATCH
    is_repeated = any(one == ONE and other != ONE for one, other in zip(tail, shorter))
    return Fit.SPREAD if is_repeated else Fit.ONE_SIDED


def _may_be_equal(one: Size, other: Size) -> bool:
    if one == ONE or other == ONE:
        return one.may_be_one and other.may_be_one
    return one == other or bool(one.unknowns or other.unknowns)


def _is_outer(left: Sequence[Size], right: Sequence[Size]) -> bool:
    pairs = list(zip(left, right))
    return any(one == ONE != other for one, other in pairs) and any(one != ONE == other for one, other in pairs)


def result(left: Shape, right: Shape) -> Shape:
    """Return the shape of an elementwise operation on tensors of shapes *left* and *right*."""
    return strides.broadcast([strides.contiguous(left), strides.contiguous(right)])


def described(shape: Shape) -> str:
    """Return *shape* for a message, with N for each size that is not known."""
    texts = ["N" if size.known is None else str(size.known) for size in shape]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
