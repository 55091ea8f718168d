"""The forward value pass: what is known of each tensor, along the control flow of a function.

A state maps variables (``x``, ``self.h``) to facts and storages to the ops that keep them for a backward
still to come. Functions of the project are passed through for the facts of their arguments; calls of
modules take the facts of their forward, or of the model's stub.
"""
from __future__ import annotations

import collections

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis.datasets import moves_itself
from flake8_torch_pitfalls.analysis.facts import Fact, Tensor
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.modes import records_grad
from flake8_torch_pitfalls.analysis.module_calls import works_in_place
from flake8_torch_pitfalls.analysis.passes import Clash, Overwrite, Pass
from flake8_torch_pitfalls.analysis.statements import Statements
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors, function_of
from flake8_torch_pitfalls.analysis.values import Function, Instance

__all__ = ["Clash", "Overwrite", "Pass", "Tensors", "works_in_place"]

PASSES_PER_FILE = 400
STEPS_PER_FILE = 4_000
CONTEXTS = 3
"""Calls with different arguments that a function is passed through for."""
DEEPEST = 4

_Key = tuple[nodes.NodeNG, tuple[tuple[str, Fact], ...], object]
"""A scope, what its arguments are, and the class of its receiver."""


class Tensors:
    """Answers what is known of tensors in one linted file.

    *follows_shapes*: whether layouts are worked out as well, which costs a third more.
    """

    def __init__(self, names: Names, kinds: Kinds, follows_shapes: bool = False) -> None:
        self.names = names
        self.kinds = kinds
        self.follows_shapes = follows_shapes
        self._passes: dict[_Key, Pass | None] = {}
        self._open: list[_Key] = []
        self._contexts: collections.Counter[nodes.NodeNG] = collections.Counter()
        self._under_way: dict[nodes.NodeNG, Statements] = {}
        self.steps = 0
        self._recording: dict[object, bool | None] = {}
        self._own_moves: dict[tuple[nodes.ClassDef, tuple[str, ...]], bool] = {}
        self._callers: dict[nodes.NodeNG, bool | None] = {}

    def of(self, scope: nodes.NodeNG) -> Pass | None:
        """Return the pass through *scope* with nothing known of its arguments; None for one too large."""
        return self._run(scope, (), None)

    def at(self, node: nodes.NodeNG) -> Fact | None:
        """Return what is known of the expression *node* where it stands."""
        done = self.of(function_of(node))
        return None if done is None else done.facts.get(node)

    def through(self, function: Function, arguments: dict[str, Fact | None]) -> Pass | None:
        """Return the pass through *function* of the project for *arguments*; None for one too large."""
        given = tuple(sorted(((name, fact) for name, fact in arguments.items() if fact is not None), key=_first))
        return self._run(function.node, given, function.receiver)

    def out_of_order(self, scope: nodes.NodeNG) -> list[Pass]:
        """Return the passes made so far through *scope* for arguments that do not lie in memory in their order."""
        return [
            done
            for (run, given, _), done in self._passes.items()
            if run is scope and done is not None and any(_is_out_of_order(fact) for _, fact in given)
        ]

    def passes(self, scope: nodes.NodeNG) -> list[Pass]:
        """Return the passes through *scope*: with nothing known of its arguments, and for those seen so far."""
        self.of(scope)
        return [done for (run, *_), done in self._passes.items() if run is scope and done is not None]

    def visited(self) -> list[nodes.NodeNG]:
        """Return the functions of the linted file that a pass went through so far, in the order of the text."""
        found = {run: None for run, *_ in self._passes if run.root() is self.names.module}
        return sorted(found, key=lambda scope: (scope.lineno or 0, scope.col_offset or 0))

    def apart(self, scope: nodes.NodeNG) -> list[Clash]:
        """Return where *scope* mixes devices by itself, not because of stray tensors that it is given."""
        found = (
            done.clashes.values()
            for (run, given, _), done in list(self._passes.items())
            if run is scope and done is not None and devices.without_strays(dict(given)) == dict(given)
        )
        return list(dict.fromkeys(clash for clashes in found for clash in clashes))

    def outer(self, module: nodes.Module, name: str) -> Fact | None:
        """Return what the variable *name* of *module* holds: where its function is called, else at its end."""
        if (evaluation := self._under_way.get(module)) is not None:
            return evaluation.state.variables.get(name)
        done = self.of(module)
        return None if done is None else done.leaving.get(name)

    def moves_itself(self, cls: nodes.ClassDef, *methods: str) -> bool:
        """Return what ``datasets.moves_itself`` says; asked once for each class."""
        key = (cls, methods)
        if key not in self._own_moves:
            self._own_moves[key] = moves_itself(self.names, cls, *methods)
        return self._own_moves[key]

    def recording(self, node: nodes.NodeNG) -> bool | None:
        """Return whether gradients are recorded at *node*; asked once for each block."""
        block = next((above for above in ancestors(node) if isinstance(above, (nodes.With, *FUNCTIONS))), None)
        switched = "set_grad_enabled" in self.names.index_of(node).calls
        key = (block, node.fromlineno if switched else None)
        if key not in self._recording:
            self._recording[key] = None  # for recursion
            recorded = records_grad(self.names, node)
            self._recording[key] = self._as_called(function_of(node)) if recorded else recorded
        return self._recording[key]

    def _as_called(self, function: nodes.NodeNG) -> bool | None:
        """Return whether some caller in view has recording on, True where there is none."""
        if not isinstance(function, nodes.FunctionDef):
            return True
        if function not in self._callers:
            states = {self.recording(call) for call in self.names.call_sites(function)}
            self._callers[function] = True if True in states or not states else None if None in states else False
        return self._callers[function]

    def _is_too_far(self, scope: nodes.NodeNG) -> bool:
        """Return whether *scope* is in another file and so is the function that calls it.

        Following what other files do among themselves cost more than everything in the file at hand.
        """
        here = self.names.module
        return scope.root() is not here and any(calling.root() is not here for calling, *_ in self._open)

    def _run(
        self, scope: nodes.NodeNG, given: tuple[tuple[str, Fact], ...], receiver: Instance | None
    ) -> Pass | None:
        key = (scope, given, receiver.cls if receiver is not None else None)
        if key in self._passes:
            return self._passes[key]
        if key in self._open or len(self._open) >= DEEPEST or len(self._passes) >= PASSES_PER_FILE:
            return None
        if self.steps > STEPS_PER_FILE or self._is_too_far(scope):
            return None
        if given and self._contexts[scope] >= CONTEXTS:
            return self._run(scope, (), receiver)
        self._contexts[scope] += 1
        self._open.append(key)
        evaluation = Statements(self, scope, dict(given))
        outer = self._under_way.get(scope)  # the same function for other arguments
        self._under_way[scope] = evaluation
        try:
            made = evaluation.run()
        finally:
            self._open.pop()
            if outer is None:
                del self._under_way[scope]
            else:
                self._under_way[scope] = outer
        self._passes[key] = made
        return made


def _is_out_of_order(fact: Fact) -> bool:
    return isinstance(fact, Tensor) and fact.layout is not None and not any(f.contiguous for f in fact.layout.forms)


def _first(pair: tuple[str, Fact]) -> str:
    return pair[0]
