"""What an expression may stand for.

An expression has several values where branches or callers disagree; one of them is ``UNKNOWN`` where
something could not be followed.
"""
from __future__ import annotations

import dataclasses
from typing import Union

from astroid import nodes


@dataclasses.dataclass(frozen=True, slots=True)
class Symbol:
    """A function, class, module or constant outside the project, by its public dotted name."""

    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class Namespace:
    """A module of the project."""

    module: nodes.Module


@dataclasses.dataclass(frozen=True, slots=True)
class Class:
    """A class of the project."""

    node: nodes.ClassDef


@dataclasses.dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class, ours (a ClassDef) or torch's (a dotted name), and the call that made it.

    Two instances made at one place may still be two objects, but never at two places one.
    """

    cls: str | nodes.ClassDef
    made_at: nodes.NodeNG | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Function:
    """A function of the project, bound to *receiver* if it is a method reached through an object."""

    node: nodes.FunctionDef | nodes.Lambda
    receiver: Instance | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Method:
    """A method of a class of the model, by the dotted name where it is defined, bound to *receiver*."""

    name: str
    receiver: Instance


@dataclasses.dataclass(frozen=True, slots=True)
class Data:
    """A literal, a display or a comprehension, as it stands in the text."""

    node: nodes.NodeNG


@dataclasses.dataclass(frozen=True, slots=True)
class Items:
    """A tuple or list of known length: the values of each item."""

    items: tuple[tuple["Value", ...], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Many:
    """An iterable of any length, whose every item is one of *item*."""

    item: tuple["Value", ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Unknown:
    """Something that could not be followed."""


UNKNOWN = Unknown()
NOTHING = Symbol("None")
TENSOR = Instance("torch.Tensor")

Value = Union[Symbol, Namespace, Class, Instance, Function, Method, Data, Items, Many, Unknown]
Values = tuple[Value, ...]
