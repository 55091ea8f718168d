"""What one run through a scope finds, and what it knows at a point on the way."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from astroid import nodes

from flake8_torch_pitfalls.analysis.facts import Fact, merged
from flake8_torch_pitfalls.analysis.tree import dotted

Memory = frozenset[nodes.NodeNG]
"""The expressions that may have allocated one tensor's memory: equal sets at two places mean one memory."""
Saved = dict[Memory, frozenset[nodes.NodeNG]]
"""Which ops keep which memory for their backward."""


@dataclasses.dataclass(frozen=True, slots=True)
class Overwrite:
    """An in-place change at *node* of a tensor that the ops *saved_by* keep for their backward."""

    node: nodes.NodeNG
    saved_by: tuple[nodes.NodeNG, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Clash:
    """An operation or call at *node* whose operands are on two devices.

    *stray* is what is on *device*, the other side on *other*; *module*: the other side is a module.
    *sometimes*: only on the paths that move the other side.
    """

    node: nodes.NodeNG
    stray: nodes.NodeNG | None
    device: str
    other: str
    module: bool = False
    sometimes: bool = False


@dataclasses.dataclass(slots=True)
class Pass:
    """What one run through a function found."""

    facts: dict[nodes.NodeNG, Fact | None]
    """The fact of each expression that was evaluated, joined over the paths to it."""
    overwrites: dict[nodes.NodeNG, Overwrite]
    views: dict[nodes.NodeNG, tuple[bool | None, str]]
    """For each view whether torch refuses it (None: unknown), and the operation to blame."""
    returned: Fact | None
    """What holds of the result, None if it is no tensor or unknown."""
    saved: Saved
    """What ops still keep for a backward when the scope is left."""
    callees: dict[nodes.NodeNG, Pass]
    """The passes through the project's functions that were called with recording on, by function."""
    clashes: dict[nodes.NodeNG, Clash] = dataclasses.field(default_factory=dict)
    leaving: dict[str, Fact | None] = dataclasses.field(default_factory=dict)
    """What the variables hold when the scope is left."""


class State:
    """Variables and saved memory at one point."""

    __slots__ = ("saved", "variables")

    def __init__(self, variables: dict[str, Fact | None], saved: Saved) -> None:
        self.variables = variables
        self.saved = saved

    def copy(self) -> State:
        """Return the same, to be changed apart from this one."""
        return State(dict(self.variables), dict(self.saved))

    def absorb(self, other: State) -> bool:
        """Join *other* into this state; return whether that changed anything."""
        changed = False
        for name, fact in other.variables.items():
            if name not in self.variables:
                self.variables[name] = fact
                changed = True
            elif self.variables[name] != fact:
                joined = merged(self.variables[name], fact)
                if joined != self.variables[name]:
                    self.variables[name] = joined
                    changed = True
        for memory, ops in other.saved.items():
            if not ops <= self.saved.get(memory, frozenset()):
                self.keep(memory, ops)
                changed = True
        return changed

    def keep(self, memory: Memory, ops: Iterable[nodes.NodeNG]) -> None:
        """Note that *ops* keep *memory* for their backward."""
        if memory:
            self.saved[memory] = self.saved.get(memory, frozenset()).union(ops)

    def renew(self, storage: nodes.NodeNG) -> None:
        """Forget what was kept of memory that *storage* allocated before: it allocates anew."""
        for memory in [memory for memory in self.saved if storage in memory]:
            del self.saved[memory]


def target_text(node: nodes.NodeNG) -> str | None:
    """Return the text by which a state knows the variable that *node* reads or binds."""
    match node:
        case nodes.AssignName(name=name):
            return str(name)
        case nodes.AssignAttr():
            base = dotted(node.expr)
            return None if base is None else f"{base}.{node.attrname}"
    return dotted(node)
