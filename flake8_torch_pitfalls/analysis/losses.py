"""Which activation reaches which loss, at which call.

The calls of a file are followed into the project's functions, each with its own arguments, to the calls of
torch's losses; from there the input is traced back.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.activations import Activations, Found
from flake8_torch_pitfalls.analysis.symbols import Frame, Names
from flake8_torch_pitfalls.analysis.tree import argument, is_open
from flake8_torch_pitfalls.analysis.values import NOTHING, Class, Function, Instance, Method, Symbol, Value

LOSSES = {
    "torch.nn.CrossEntropyLoss": "cross_entropy",
    "torch.nn.functional.cross_entropy": "cross_entropy",
    "torch.nn.NLLLoss": "nll_loss",
    "torch.nn.functional.nll_loss": "nll_loss",
    "torch.nn.BCELoss": "binary_cross_entropy",
    "torch.nn.functional.binary_cross_entropy": "binary_cross_entropy",
    "torch.nn.BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "torch.nn.functional.binary_cross_entropy_with_logits": "binary_cross_entropy_with_logits",
    "torch.nn.KLDivLoss": "kl_div",
    "torch.nn.functional.kl_div": "kl_div",
}
"""Torch's losses on scores and probabilities, each by the name of its function."""
DEEPEST = 4
CALLS = 4_000


@dataclasses.dataclass(frozen=True, slots=True)
class Reach:
    """What arrives at one call of a loss, along one chain of calls from a function of the linted file."""

    call: nodes.Call
    losses: frozenset[str | None]
    """The losses that may be called there, by the name of their function; None for something else."""
    activations: Found
    """What may have been done last to the input."""
    stack: tuple[nodes.Call, ...]
    """The calls that lead to the function of *call*, outermost first."""


class Losses:
    """Answers what reaches the losses that one linted file calls, itself or through functions it calls."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.activations = Activations(names)
        self._leads: dict[tuple[nodes.NodeNG, int], bool] = {}
        self._calls = 0

    @functools.cached_property
    def reached(self) -> tuple[Reach, ...]:
        """What arrives at each call of a loss."""
        module = self.names.module
        scopes = [module, *self.names.index_of(module).of(nodes.FunctionDef)]
        return tuple(reach for scope in scopes for reach in self._within(scope, None, ()))

    def _within(self, scope: nodes.NodeNG, frame: Frame | None, stack: tuple[nodes.Call, ...]) -> Iterator[Reach]:
        for call in self.names.index_of(scope).calls_in.get(scope, ()):
            self._calls += 1
            if self._calls > CALLS:
                return
            with self.names.within(frame):
                values = self.names.values(call.func)
            losses = self._losses(values)
            if any(losses):
                if not is_open(call) and (given := argument(call, 0, "input")) is not None:
                    yield Reach(call, losses, self.activations.of(given, frame), stack)
            elif (deeper := DEEPEST - len(stack) - 1) >= 0 and call not in stack:
                for function in self._functions(values):
                    if self._leads_to_loss(function.node, deeper):
                        inner = None if is_open(call) else self.names.frame(function, call, frame)
                        yield from self._within(function.node, inner, (*stack, call))

    def _losses(self, values: Iterable[Value]) -> frozenset[str | None]:
        """Return the losses among *values*, things that are called; ``criterion = None`` at first does not count."""
        return frozenset(self._loss(value) for value in values if value != NOTHING)

    def _loss(self, value: Value) -> str | None:
        match value:
            case Symbol(name):
                return LOSSES.get(name)
            case Method(name):
                owner, _, method = name.rpartition(".")
                return LOSSES.get(owner) if method in ("forward", "__call__") else None
            case Instance(str() as cls):
                return LOSSES.get(cls)
            case Instance(nodes.ClassDef() as cls) if self.names.method(cls, "forward") is None:
                return next((LOSSES[base] for base in self.names.mro(cls) if base in LOSSES), None)
        return None

    def _functions(self, values: Iterable[Value]) -> Iterator[Function]:
        """Yield the functions of the project that calling one of *values* runs."""
        for value in values:
            match value:
                case Function():
                    yield value
                case Instance(nodes.ClassDef() as cls) | Class(cls):
                    wanted = ("__init__",) if isinstance(value, Class) else ("__call__", "forward")
                    methods = [method for name in wanted if (method := self.names.method(cls, name)) is not None]
                    receiver = value if isinstance(value, Instance) else Instance(cls)
                    yield from (Function(method, receiver) for method in methods[:1])

    def _leads_to_loss(self, function: nodes.NodeNG, depth: int) -> bool:
        """Return whether *function* calls a loss, itself or through *depth* more functions of the project."""
        key = (function, depth)
        if key not in self._leads:
            self._leads[key] = False  # for recursion
            self._leads[key] = any(
                any(self._losses(values))
                or depth > 0
                and any(self._leads_to_loss(inner.node, depth - 1) for inner in self._functions(values))
                for call in self.names.index_of(function).calls_in.get(function, ())
                for values in [self.names.values(call.func)]
            )
        return self._leads[key]
