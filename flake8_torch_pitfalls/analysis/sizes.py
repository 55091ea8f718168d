"""Sizes of dimensions that need not be known.

A size that the text does not give stands for a number of its own, large and without relation to any other.
Arithmetic on such numbers is ordinary arithmetic, and two sizes are equal where the text makes them so:
``b * t * (d // h) * h`` is ``b * t * d``.
"""
from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Iterable
from fractions import Fraction

from astroid import nodes


@dataclasses.dataclass(frozen=True, slots=True)
class Size:
    """An integer: its value, and the unknowns that the value stands for; none of them if it is known.

    ``factor``: the known number of which an unknown size is a multiple. ``wide``: whether an unknown size
    cannot be 1.
    """

    value: int | Fraction
    unknowns: frozenset[str] = frozenset()
    factor: int = 1
    wide: bool = dataclasses.field(default=False, compare=False)

    @property
    def may_be_one(self) -> bool:
        """Whether the number may be 1, as one that the text does not give."""
        return self == ONE or bool(self.unknowns) and self.factor == 1 and not self.wide

    @property
    def known(self) -> int | None:
        """The number, None if the text does not give it."""
        return int(self.value) if not self.unknowns else None

    def __mul__(self, other: Size) -> Size:
        return Size(self.value * other.value, self.unknowns | other.unknowns, self.factor * other.factor)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


def number(value: int) -> Size:
    """Return the size *value*."""
    return Size(value, factor=abs(value) or 1)


ONE = number(1)
REST = number(-1)
"""What stands for the one size of a view that follows from the others."""


def unknown(origin: nodes.NodeNG | str, part: object = "") -> Size:
    """Return the size that *part* of *origin* has, the same for the same two."""
    if isinstance(origin, str):
        place = origin
    else:
        place = f"{origin.root().name}:{origin.lineno}:{origin.col_offset}:{type(origin).__name__}"
    return _named(f"{place}:{part}")


@functools.lru_cache(maxsize=4096)
def _named(name: str) -> Size:
    digest = hashlib.blake2b(name.encode(), digest_size=6).digest()
    return Size(int.from_bytes(digest, "big") | 1, frozenset({name}))


def product(sizes: Iterable[Size]) -> Size:
    """Return the product of *sizes*."""
    result = ONE
    for size in sizes:
        result = result * size
    return result


def calculated(operator: str, left: Size, right: Size) -> Size | None:
    """Return ``left operator right``; None where that says nothing.

    A quotient of unknown sizes is taken to leave no rest, as it does wherever a dimension is split.
    """
    unknowns = left.unknowns | right.unknowns
    match operator:
        case "+":
            return Size(left.value + right.value, unknowns, math.gcd(left.factor, right.factor))
        case "-":
            return _reduced(left.value - right.value, unknowns, math.gcd(left.factor, right.factor))
        case "*":
            return left * right
        case "//" | "/" if right.value != 0:
            if not unknowns:
                return number(int(left.value // right.value))
            return _reduced(quotient(left, right), unknowns)
        case "%" | "**" if not unknowns and right.value > 0 and right.value < 64:
            one, other = int(left.value), int(right.value)
            return number(one % other if operator == "%" else one**other)
    return None


def quotient(left: Size, right: Size) -> int | Fraction:
    """Return the value of ``left / right``."""
    value = Fraction(left.value) / Fraction(right.value)
    return value.numerator if value.denominator == 1 else value


def _reduced(value: int | Fraction, unknowns: frozenset[str], factor: int = 1) -> Size:
    """Return *value*; a small whole number, as in ``(i + 1) - i``, no longer depends on the unknowns."""
    small = value.denominator == 1 and abs(value.numerator) < 1 << 16
    return number(int(value)) if small else Size(value, unknowns, factor)
