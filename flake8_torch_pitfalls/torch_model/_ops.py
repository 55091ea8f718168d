"""What each op of torch changes, aliases and keeps for backward."""
from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flake8_torch_pitfalls.torch_model._resolve import canonical

DERIVATIVES = Path(__file__).with_name("derivatives.json")

_MOVES = frozenset(
    "to cuda cpu xpu mtia ipu type type_as float double half bfloat16 int long short char byte bool cfloat "
    "cdouble pin_memory to_sparse to_dense to_mkldnn".split()
)
_DETACHES = frozenset({"detach", "detach_", "data", "item", "tolist", "numpy"})

_SUBMODULES = {"torch.linalg.": "linalg_", "torch.special.": "special_", "torch.fft.": "fft_"}
_OPERATORS = {
    "__add__": "add",
    "__and__": "bitwise_and",
    "__div__": "div",
    "__eq__": "eq",
    "__floordiv__": "floor_divide",
    "__ge__": "ge",
    "__getitem__": "select",
    "__gt__": "gt",
    "__iadd__": "add_",
    "__iand__": "bitwise_and_",
    "__idiv__": "div_",
    "__ifloordiv__": "floor_divide_",
    "__imod__": "remainder_",
    "__imul__": "mul_",
    "__invert__": "bitwise_not",
    "__ior__": "bitwise_or_",
    "__ipow__": "pow_",
    "__isub__": "sub_",
    "__itruediv__": "div_",
    "__le__": "le",
    "__lt__": "lt",
    "__matmul__": "matmul",
    "__mod__": "remainder",
    "__mul__": "mul",
    "__ne__": "ne",
    "__neg__": "neg",
    "__or__": "bitwise_or",
    "__pow__": "pow",
    "__radd__": "add",
    "__rmul__": "mul",
    "__rsub__": "rsub",
    "__setitem__": "copy_",
    "__sub__": "sub",
    "__truediv__": "div",
    "H": "matrix_H",
    "T": "numpy_T",
    "mH": "mH",
    "mT": "mT",
}


@dataclass(frozen=True, slots=True)
class Overload:
    """One overload of an op."""

    name: str
    arguments: tuple[str, ...]
    tensors: frozenset[str]
    """The arguments that are tensors, or lists of tensors."""
    result: str
    in_place: bool
    view: bool
    gradients: Mapping[str, frozenset[str]] | None
    """For each differentiable argument the names whose values its gradient reads; None if unknown."""

    @property
    def differentiable(self) -> bool:
        """Return whether its output can carry a graph."""
        return self.gradients is None or bool(self.gradients)

    def saves(self, tracked: frozenset[str]) -> frozenset[str]:
        """Return what is kept for backward when the arguments *tracked* need a gradient.

        ``result`` in it means the output.
        """
        gradients = self.gradients or {}
        kept = frozenset[str]().union(*(gradients.get(name, frozenset()) for name in tracked))
        output = frozenset({"result"}) if self.result in kept else frozenset[str]()
        return (kept & self.tensors) | output


@dataclass(frozen=True, slots=True)
class Op:
    """An op by its base name, such as ``mul`` or ``mul_``: what holds for any of its overloads.

    The names of arguments are the dispatcher's: ``self`` for the tensor of a method, which functions
    call ``input``.
    """

    name: str
    overloads: tuple[Overload, ...]
    in_place: bool
    """It changes its first argument."""
    view: bool
    """Its output may share memory with its first argument."""
    saves_inputs: frozenset[str]
    """Arguments that some overload keeps for backward; an in-place change of one then makes it fail."""
    saves_output: bool
    """Some overload keeps its output for backward."""
    differentiable: bool
    """Its output can carry a graph."""
    known: bool
    """The model knows what is kept for backward; where it does not, the two marks above say nothing."""
    moves: bool
    """It may change device or dtype."""
    detaches: bool
    """Its result carries no graph, though its argument may."""


@functools.cache
def _table() -> dict[str, list[dict[str, Any]]]:
    table: dict[str, list[dict[str, Any]]] = json.loads(DERIVATIVES.read_text(encoding="utf-8"))["ops"]
    return table


def _base(name: str) -> str:
    """Return the dispatcher's base name of an op named in any way: ``add_``, ``torch.Tensor.add_`` ..."""
    if "." in name:
        name = canonical(name)
        for prefix, mark in _SUBMODULES.items():
            if name.startswith(prefix):
                return mark + name.removeprefix(prefix)
    name = name.rpartition(".")[2]
    return _OPERATORS.get(name, name)


def _overload(record: dict[str, Any]) -> Overload:
    gradients = record.get("gradients")
    return Overload(
        record["overload"],
        tuple(record["arguments"]),
        frozenset(record["tensors"]),
        record.get("result", ""),
        record.get("in_place", False),
        record.get("view", False),
        None if gradients is None else {name: frozenset(read) for name, read in gradients.items()},
    )


@functools.lru_cache(maxsize=4096)
def op(name: str) -> Op | None:
    """Return what the model knows of an op, by base name or by dotted name; None if it is not one."""
    base = _base(name)
    overloads = tuple(map(_overload, _table().get(base, ())))
    moves, detaches = base in _MOVES, base in _DETACHES
    if not overloads and not (moves or detaches):
        return None
    kept = [each.saves(frozenset(each.gradients or ())) for each in overloads]
    saved = frozenset[str]().union(*kept)
    return Op(
        base,
        overloads,
        in_place=any(each.in_place for each in overloads),
        view=any(each.view for each in overloads),
        saves_inputs=saved - {"result"},
        saves_output="result" in saved,
        differentiable=not detaches and all(each.differentiable for each in overloads if not _reinterprets(each)),
        known=all(each.gradients is not None for each in overloads),
        moves=moves,
        detaches=detaches,
    )


def _reinterprets(overload: Overload) -> bool:
    """Return whether *overload* is ``x.view(dtype)``, the one view without a gradient: ``view`` mostly has one."""
    return overload.view and overload.gradients == {} and overload.name == "dtype"
