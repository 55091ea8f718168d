"""Operations in a run: what comes out of them, what they save for backward and what they overwrite."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis import layout, operations
from flake8_torch_pitfalls.analysis.facts import Fact, Tensor
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.passes import Memory, Overwrite
from flake8_torch_pitfalls.analysis.whereabouts import Whereabouts


class Bookkeeping(Whereabouts):
    """Applies operations and keeps the books of memory."""

    def operate(
        self, name: str, operands: list[Operand], node: nodes.NodeNG, at: nodes.NodeNG | None = None
    ) -> Fact | None:
        """Apply the op *name* and keep books: what it saves, and what it overwrites."""
        graph = self.graph_of(operands, at or node)
        done = operations.apply(name, operands, node, graph, self)
        self.check_devices(name.rpartition(".")[2].removesuffix("_"), operands, node)
        if name.rpartition(".")[2] in ("view", "view_as"):
            self.views[node] = layout.refused(name, operands, node, self)
        first = operands[0].fact if operands else None
        if done.in_place and first is not None:
            self.overwrite(first, node)
        for storage in done.made:
            self.state.renew(storage)
        for memory in done.saved:
            self.state.keep(memory, (node,))
        return done.result

    def graph_of(self, operands: Sequence[Operand], node: nodes.NodeNG) -> bool | None:
        """Return whether the result of an op at *node* carries a graph."""
        graphs = [operand.fact.graph for operand in operands if operand.fact is not None]
        graph = True if True in graphs else None if None in graphs or not graphs else False
        return self.recorded(node, graph)

    def recorded(self, node: nodes.NodeNG, graph: bool | None) -> bool | None:
        """Return *graph* as it comes out where gradients may be off."""
        state = self.tensors.recording(node)
        if state is False:
            return False
        return graph if state or graph is False else None

    def overwrite(self, tensor: Tensor, node: nodes.NodeNG) -> None:
        """Note an in-place change of *tensor* at *node* if ops keep its memory."""
        users = self._users(tensor.storage) - {node}
        if users:
            ordered = tuple(sorted(users, key=lambda op: (op.lineno or 0, op.col_offset or 0)))
            self.overwrites[node] = Overwrite(node, ordered)

    def _users(self, memory: Memory) -> frozenset[nodes.NodeNG]:
        """Return the ops that keep *memory*, whichever of its alternatives it is."""
        alternatives = [self.state.saved.get(frozenset({storage}), frozenset()) for storage in memory]
        if memory and all(alternatives):
            return frozenset[nodes.NodeNG]().union(*alternatives)
        return self.state.saved.get(memory, frozenset())

    def track(self, node: nodes.NodeNG, tensor: Tensor, wanted: object) -> Tensor:
        """Record that the *tensor* that *node* names is a leaf that requires grad as *wanted* says."""
        changed = dataclasses.replace(
            tensor, graph=True if wanted is True else None if wanted is ... else False, leaf=wanted is True
        )
        self.rebind(node, changed)
        return changed


def as_operands(args: Sequence[nodes.NodeNG], facts: Sequence[Fact | None]) -> list[Operand]:
    """Return *args*, of which *facts* are known, as operands in their order."""
    return [Operand("", fact if isinstance(fact, Tensor) else None, node) for node, fact in zip(args, facts)]
