"""What is known of a tensor at a place in the program, and how two such facts are joined.

Every field has a value for "unknown", and unknown makes rules silent.
"""
from __future__ import annotations

import dataclasses
from typing import Union

from astroid import nodes

from flake8_torch_pitfalls.analysis import layout as layouts
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.sizes import Size
from flake8_torch_pitfalls.analysis.values import Instance


@dataclasses.dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor.

    ``graph``: whether it carries a graph (requires grad); None if unknown. ``leaf``: whether it is a leaf
    that requires grad. ``storage``: the expressions that may have allocated its memory; views share it.
    ``activation``: the function whose output it is, "linear" for raw outputs of a layer. ``device``: as in
    ``devices``. ``layout``: its sizes and strides.
    """

    graph: bool | None = None
    leaf: bool = False
    storage: frozenset[nodes.NodeNG] = frozenset()
    activation: str | None = None
    device: str | None = None
    layout: Layout | None = None

    def on(self, device: str | None) -> Tensor:
        """Return the same on *device*."""
        return self if self.device == device else dataclasses.replace(self, device=device)


@dataclasses.dataclass(frozen=True, slots=True)
class Placed:
    """A module whose parameters are on *device*, where they are moved only on some paths if *sometimes*.

    *moves_inputs*: it brings what it is given to its own device, as the wrappers for several devices do.
    *made*: the object that was made, where an annotation of the variable says less.
    """

    device: str | None
    sometimes: bool = False
    moves_inputs: bool = False
    made: Instance | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Batches:
    """A loader whose every item is *batch*."""

    batch: Fact


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """A list, tuple or dict of tensors: each item in turn where the text shows them, else what all share."""

    items: tuple[Fact | None, ...] | None = None
    item: Fact | None = None

    def any(self) -> Fact | None:
        """Return what is known of every item."""
        found = self.item
        for one in self.items or ():
            found = either(found, one)
        return found


Fact = Union[Tensor, Group, Size, Placed, Batches]


def join(left: Fact | None, right: Fact | None) -> Fact | None:
    """Return what holds of a value that is *left* on one path and *right* on another."""
    if left is None or right is None or left == right:
        return left if left == right else None
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return Tensor(
            graph=left.graph if left.graph == right.graph else None,
            leaf=left.leaf and right.leaf,
            storage=left.storage | right.storage,
            activation=left.activation if left.activation == right.activation else None,
            device=left.device if left.device == right.device else None,
            layout=layouts.join(left.layout, right.layout),
        )
    if isinstance(left, Group) and isinstance(right, Group):
        if left.items is not None and right.items is not None and len(left.items) == len(right.items):
            return Group(tuple(join(a, b) for a, b in zip(left.items, right.items)))
        return Group(None, join(left.any(), right.any()))
    if isinstance(left, Placed) and isinstance(right, Placed):
        return _join_modules(left, right)
    return None


def _join_modules(left: Placed, right: Placed) -> Placed:
    """Return what holds of a module that some paths leave on the CPU and others move."""
    moves = left.moves_inputs or right.moves_inputs
    made = left.made if left.made == right.made else None
    if left.device == right.device:
        return Placed(left.device, left.sometimes or right.sometimes, moves, made)
    if None in (left.device, right.device) or "cpu" not in (left.device, right.device):
        return Placed(None, False, moves, made)
    return Placed(right.device if left.device == "cpu" else left.device, True, moves, made)


def either(left: Fact | None, right: Fact | None) -> Fact | None:
    """Return what holds of an item of a container that holds both; one that is no tensor does not count."""
    if left is None or right is None:
        return left or right
    if isinstance(left, Size) != isinstance(right, Size):
        return right if isinstance(left, Size) else left
    return join(left, right)


def merged(left: Fact | None, right: Fact | None) -> Fact | None:
    """Join over paths; ``total = 0`` before a loop that makes it a tensor does not count."""
    if left is None or right is None or isinstance(left, Size) != isinstance(right, Size):
        kept = right if left is None or isinstance(left, Size) else left
        if isinstance(kept, (Size, Placed, Batches)):
            return None
        return dataclasses.replace(kept, layout=None, device=None) if isinstance(kept, Tensor) else kept
    return join(left, right)


def element_of(fact: Fact | None) -> Fact | None:
    """Return what a loop over *fact* gives."""
    if isinstance(fact, Group):  # which of the items is not known, nor whose memory it is
        held = fact.any()
        return dataclasses.replace(held, storage=frozenset()) if isinstance(held, Tensor) else held
    if isinstance(fact, Batches):
        return fact.batch
    if isinstance(fact, Placed):
        return fact
    if isinstance(fact, Tensor):
        return dataclasses.replace(fact, leaf=False, layout=layouts.item(fact.layout))
    return None


def item_of(fact: Fact | None, number: int) -> Fact | None:
    """Return the item *number* of *fact*."""
    if isinstance(fact, Group) and fact.items is not None:
        return fact.items[number] if -len(fact.items) <= number < len(fact.items) else None
    return element_of(fact)
