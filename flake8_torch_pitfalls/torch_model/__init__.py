"""What the plugin knows about torch and the frameworks around it.

The knowledge stands in ``stubs/``. Names and signatures are read from their text; only :func:`seed`,
:func:`lookup` and :func:`overloads` hand out astroid trees, and only they import astroid.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flake8_torch_pitfalls.torch_model._ops import Op, Overload, op
from flake8_torch_pitfalls.torch_model._resolve import ancestors, canonical, kind, member
from flake8_torch_pitfalls.torch_model._signatures import (
    Parameter,
    Signature,
    Type,
    attribute_type,
    is_class_method,
    parameters,
    returned,
    signatures,
)
from flake8_torch_pitfalls.torch_model.names import modelled, packages

if TYPE_CHECKING:
    from astroid import nodes

__all__ = [
    "Op",
    "Overload",
    "Parameter",
    "Signature",
    "Type",
    "ancestors",
    "attribute_type",
    "canonical",
    "is_class_method",
    "kind",
    "lookup",
    "member",
    "modelled",
    "op",
    "overloads",
    "packages",
    "parameters",
    "returned",
    "seed",
    "signatures",
]


def seed(imports: Iterable[str] = ()) -> None:
    """Put the model into astroid's module cache, so that torch's names mean the model, installed or not.

    *imports* are the modules that the file at hand imports: a module of a modelled package that has no
    stub, such as ``torch.nn.modules.linear``, gets a stand-in that knows what its package re-exports,
    and the real one is never read. Call it before each file; it repairs what others have changed.
    """
    from flake8_torch_pitfalls.torch_model import _trees

    _trees.seed(imports)


def lookup(dotted: str) -> nodes.ClassDef | nodes.FunctionDef | nodes.AssignName | nodes.Module | None:
    """Return the tree of what *dotted* names, the first of several overloads, or None if unknown.

    :func:`kind` tells cheaper whether it is a class or a function.
    """
    from flake8_torch_pitfalls.torch_model import _trees

    found: nodes.ClassDef | nodes.FunctionDef | nodes.AssignName | nodes.Module | None = _trees.lookup(dotted)
    return found


def overloads(dotted: str) -> tuple[nodes.FunctionDef, ...]:
    """Return the trees of all overloads of a function, in the order of the stub."""
    from flake8_torch_pitfalls.torch_model import _trees

    return _trees.overloads(dotted)
