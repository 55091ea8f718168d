"""Which activation reaches which loss, at which call.

The calls of a file are followed into the project's functions, each with its own arguments, to the calls of
torch's losses; from there the input is traced back.
"""
from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis.activations import Activation, Activations, Found
from flake8_torch_pitfalls.analysis.branches import chosen
from flake8_torch_pitfalls.analysis.symbols import Frame, Names
from flake8_torch_pitfalls.analysis.tree import argument, is_open, position
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
    "torch.nn.MultiLabelSoftMarginLoss": "binary_cross_entropy_with_logits",
    "torch.nn.functional.multilabel_soft_margin_loss": "binary_cross_entropy_with_logits",
    "torch.nn.KLDivLoss": "kl_div",
    "torch.nn.functional.kl_div": "kl_div",
    "torch.nn.CTCLoss": "ctc_loss",
    "torch.nn.functional.ctc_loss": "ctc_loss",
    "torch.nn.GaussianNLLLoss": "gaussian_nll_loss",
    "torch.nn.functional.gaussian_nll_loss": "gaussian_nll_loss",
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
    made: tuple[tuple[str, nodes.NodeNG], ...]
    """The losses that are objects, each with the call that makes it."""
    frame: Frame | None
    """The call of the function in which *call* stands, None where that is any call."""


@dataclasses.dataclass(frozen=True, slots=True)
class Misfit:
    """An activation that does not go with the loss it reaches; *place* is where to report it in the linted file."""

    activation: Activation
    reach: Reach
    place: nodes.NodeNG

    @property
    def in_view(self) -> bool:
        """Whether the linted file holds the activation itself."""
        return self.place is self.activation.node

    def loss_place(self, loss: str) -> nodes.NodeNG:
        """Where to report that *loss* should be another one: where it is made, or else called."""
        made = [node for name, node in self.reach.made if name == loss]
        candidates = [*made, self.reach.call, *reversed(self.reach.stack), self.place]
        return next(node for node in candidates if node.root() is self.place.root())

    @property
    def call_place(self) -> nodes.NodeNG:
        """Where to report that the loss is given what it is given: its call, or that of the function around it."""
        candidates = [self.reach.call, *reversed(self.reach.stack), self.place]
        return next(node for node in candidates if node.root() is self.place.root())

    @property
    def activation_at(self) -> str:
        """Where the activation stands, for a message at another line."""
        node = self.activation.node
        return f"line {node.lineno}" if node.root() is self.place.root() else f"{_file(node)}:{node.lineno}"

    @property
    def loss_at(self) -> str:
        """Where the loss is called, for a message at another line."""
        call = self.reach.call
        return f"line {call.lineno}" if call.root() is self.place.root() else _file(call)


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

    def misfits(
        self,
        are_meant: Callable[[frozenset[str | None]], bool],
        is_misfit: Callable[[Activation], bool],
        reaching: Callable[[Reach], Found] = lambda reach: reach.activations,
    ) -> Iterator[Misfit]:
        """Yield the activations that do not go with a loss, where whatever reaches the loss is a misfit.

        *reaching* says what is judged if it is not the input of the loss.
        """
        for reach in self.reached:
            if not are_meant(reach.losses):
                continue
            given = reaching(reach)
            if not all(one is not None and is_misfit(one) for one in given):
                continue
            found = [activation for activation in given if activation is not None]
            for activation in sorted(found, key=lambda one: (position(one.node), one.op)):
                candidates = [activation.node, reach.call, *reversed(reach.stack)]
                yield Misfit(
                    activation, reach, next(node for node in candidates if node.root() is self.names.module)
                )

    def _within(self, scope: nodes.NodeNG, frame: Frame | None, stack: tuple[nodes.Call, ...]) -> Iterator[Reach]:
        for call in self.names.index_of(scope).calls_in.get(scope, ()):
            self._calls += 1
            if self._calls > CALLS:
                return
            with self.names.within(frame):
                values: Sequence[Value] = self.names.values(call.func)
                owners = self.names.values(call.func.expr) if isinstance(call.func, nodes.Attribute) else ()
            losses = self._losses(values)
            if any(losses):
                if len(losses) > 1 and len(owners) == 1:
                    values = chosen(self.names, call.func.attrname, owners[0]) or values
                    losses = self._losses(values)
                if not is_open(call) and (given := _input(call)) is not None:
                    yield Reach(call, losses, self.activations.of(given, frame), stack, self._made(values), frame)
            elif (deeper := DEEPEST - len(stack) - 1) >= 0 and call not in stack:
                for function in self._functions(values):
                    if self._leads_to_loss(function.node, deeper):
                        inner = None if is_open(call) else self.names.frame(function, call, frame)
                        yield from self._within(function.node, inner, (*stack, call))

    def _losses(self, values: Iterable[Value]) -> frozenset[str | None]:
        """Return the losses among *values*, things that are called; ``criterion = None`` at first does not count."""
        return frozenset(self._loss(value) for value in values if value != NOTHING)

    def _made(self, values: Iterable[Value]) -> tuple[tuple[str, nodes.NodeNG], ...]:
        return tuple(
            (loss, value.made_at) for value in values
            if isinstance(value, Instance) and value.made_at is not None and (loss := self._loss(value))
        )  # fmt: skip

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


def _input(call: nodes.Call) -> nodes.NodeNG | None:
    """Return what *call* of a loss judges."""
    return argument(call, 0, "input") or argument(call, None, "log_probs")


def _file(node: nodes.NodeNG) -> str:
    return os.path.basename(str(node.root().file))
