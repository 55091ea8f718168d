"""What the layers of a run through a scope share: its books, and the one question that they ask upward.

The layers, each of which knows those before it: evaluation, shapes, whereabouts, bookkeeping, variables,
project_calls, module_calls, call_results, expressions, statements.
"""
from __future__ import annotations

import abc
from typing import Protocol

from astroid import nodes

from flake8_torch_pitfalls.analysis.facts import Fact
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.passes import Clash, Overwrite, Pass, State, target_text
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.values import Function


class Elsewhere(Protocol):
    """Answers what is known of tensors in other scopes than the one at hand."""

    names: Names
    kinds: Kinds
    follows_shapes: bool
    """Whether layouts are worked out at all."""
    steps: int
    """How many statements were evaluated so far."""

    def at(self, node: nodes.NodeNG) -> Fact | None:
        """Return what is known of the expression *node* where it stands."""

    def through(self, function: Function, arguments: dict[str, Fact | None]) -> Pass | None:
        """Return the pass through *function* of the project for *arguments*; None for one too large."""

    def outer(self, module: nodes.Module, name: str) -> Fact | None:
        """Return what the variable *name* of *module* holds: where its function is called, else at its end."""

    def moves_itself(self, cls: nodes.ClassDef, *methods: str) -> bool:
        """Return what ``datasets.moves_itself`` says."""

    def recording(self, node: nodes.NodeNG) -> bool | None:
        """Return whether gradients are recorded at *node*."""


class Evaluation(abc.ABC):
    """One run through a scope."""

    def __init__(self, tensors: Elsewhere, scope: nodes.NodeNG, given: dict[str, Fact]) -> None:
        self.tensors = tensors
        self.names = tensors.names
        self.kinds = tensors.kinds
        self.follows_shapes = tensors.follows_shapes
        self.scope = scope
        self.given = given
        self.facts: dict[nodes.NodeNG, Fact | None] = {}
        self.overwrites: dict[nodes.NodeNG, Overwrite] = {}
        self.views: dict[nodes.NodeNG, tuple[bool | None, str]] = {}
        self.clashes: dict[nodes.NodeNG, Clash] = {}
        self.latest: dict[nodes.NodeNG, Fact | None] = {}
        """The fact of each expression when it was last evaluated."""
        self.ranks: dict[nodes.NodeNG, set[int]] = {}
        """How many sizes the program unpacks from the shape of what came from outside."""
        self.bases: dict[tuple[nodes.NodeNG | str, tuple[int, ...]], Layout] = {}
        """The layouts given so far to what came from outside."""
        self.returns: dict[nodes.NodeNG, Fact | None] = {}
        self.callees: dict[nodes.NodeNG, Pass] = {}
        self.state = State({}, {})

    @abc.abstractmethod
    def fact(self, node: nodes.NodeNG | None) -> Fact | None:
        """Evaluate *node* in the current state."""

    def rebind(self, target: nodes.NodeNG, fact: Fact | None) -> None:
        """Let the variable that *target* names hold *fact*."""
        text = target_text(target)
        if text is not None:
            self.state.variables[text] = fact
