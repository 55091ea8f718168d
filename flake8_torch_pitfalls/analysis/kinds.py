"""What sort of object an expression is: module, optimizer, scheduler, loss, loader, tensor, …

The ladder: what names, annotations and callers say comes first; where they are silent, how the object is
used (``zero_grad`` with ``step`` is an optimizer); names alone only tip a balance that use has moved.
"""
from __future__ import annotations

import collections
import re

from astroid import nodes

from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import Index, class_of, dotted, function_of, last_name
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance, Symbol, Unknown, Value

BASES: dict[str, tuple[str, ...]] = {
    "module": ("torch.nn.Module",),
    "optimizer": ("torch.optim.Optimizer",),
    "scheduler": ("torch.optim.lr_scheduler.LRScheduler", "torch.optim.lr_scheduler.ReduceLROnPlateau"),
    "scaler": ("torch.amp.GradScaler", "torch.cuda.amp.GradScaler"),
    "loader": ("torch.utils.data.DataLoader",),
    "dataset": ("torch.utils.data.Dataset",),
    "tensor": ("torch.Tensor",),
}
CALLED = "__call__"
"""Among the methods called on something: that it is called itself."""
USES: tuple[tuple[str, frozenset[str]], ...] = (
    ("optimizer", frozenset({"zero_grad", "step"})),
    ("module", frozenset({"parameters", "train"})),
    ("module", frozenset({"parameters", "eval"})),
    ("module", frozenset({"state_dict", "train"})),
    ("module", frozenset({"state_dict", "eval"})),
    ("module", frozenset({"train", "eval"})),
    ("module", frozenset({"eval", CALLED})),
    ("module", frozenset({"train", CALLED})),
    ("module", frozenset({"parameters", CALLED})),
    ("module", frozenset({"load_state_dict", CALLED})),
    ("scaler", frozenset({"scale", "update"})),
    ("scaler", frozenset({"scale", "step"})),
    ("scaler", frozenset({"scale", "unscale_"})),
    ("tensor", frozenset({"backward", "item"})),
)
TELLING = frozenset().union(*(needed for _, needed in USES)) - {CALLED} | {"unscale_", "param_groups"}
TIPS = {
    "optimizer": re.compile(r"(^|_)optim(izer)?s?($|_|\d|[A-Z])|(^|_)opt($|_|\d|[A-Z])", re.IGNORECASE),
    "scheduler": re.compile(r"sched", re.IGNORECASE),
}


class Kinds:
    """Answers what sort of object an expression is."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._uses: dict[int, dict[tuple[str, nodes.NodeNG], set[str]]] = {}

    def is_kind(self, value: Value, kind: str) -> bool | None:
        """Return whether *value* is of *kind*; None if that is unknown."""
        return self.names.is_a(value, *BASES[kind])

    def inferred(self, node: nodes.NodeNG | None, kind: str) -> bool | None:
        """Return whether *node* is of *kind* by inference alone; None if some of it is unknown.

        ``None`` among the values does not count: ``self.opt = None`` only says "not yet".
        """
        found = [value for value in self.names.values(node) if value != NOTHING]
        answers = {self.is_kind(value, kind) for value in found}
        if not found or answers == {None}:
            return None
        if True in answers and not answers - {True, None}:
            return True  # every alternative that could be followed says so
        return False if answers == {False} else None

    def of(self, node: nodes.NodeNG | None, kind: str) -> bool | None:
        """Return whether *node* is of *kind*: by inference, else by use, else unknown (None)."""
        answer = self.inferred(node, kind)
        if answer is not None or node is None:
            return answer
        if any(isinstance(value, (Symbol, Instance)) for value in self.names.known(node)):
            return None
        used = self.used_as(node)
        return None if used is None else used == kind

    def used_as(self, node: nodes.NodeNG) -> str | None:
        """Return the kind that the methods called on *node* in its function or class speak for."""
        text = dotted(node)
        if text is None:
            return None
        methods = self.methods_called(node)
        found = {kind for kind, needed in USES if needed <= methods}
        return found.pop() if len(found) == 1 else None

    def methods_called(self, node: nodes.NodeNG) -> frozenset[str]:
        """Return the names of the methods called on the variable or attribute that *node* names."""
        text = dotted(node)
        if text is None:
            return frozenset()
        owner = class_of(node) if text.startswith("self.") else function_of(node)
        found = set(self._uses_in(self.names.index_of(node)).get((text, owner), ()))
        if isinstance(owner, nodes.ClassDef) and isinstance(node, nodes.Attribute) and text.count(".") == 1:
            for target in self.names.stores(owner, node.attrname):
                value = getattr(target.parent, "value", None)
                if isinstance(target, nodes.AssignAttr) and isinstance(value, nodes.Name):  # self.net = net
                    found |= self.methods_called(value)
        return frozenset(found)

    def _uses_in(self, index: Index) -> dict[tuple[str, nodes.NodeNG], set[str]]:
        """Return the methods called on each variable under *index*, by its text and its function or class."""
        if id(index) not in self._uses:
            found: dict[tuple[str, nodes.NodeNG], set[str]] = collections.defaultdict(set)
            for call in index.of(nodes.Call):
                for target, use in ((call.func, CALLED), (getattr(call.func, "expr", None), last_name(call.func))):
                    if (text := dotted(target)) is not None and (use == CALLED or use in TELLING):
                        found[text, class_of(call) if text.startswith("self.") else function_of(call)].add(use)
            self._uses[id(index)] = found
        return self._uses[id(index)]

    def named_like(self, node: nodes.NodeNG, kind: str) -> bool:
        """Return whether the last name of *node* is one that people give to this *kind*."""
        name = last_name(node)
        return name is not None and TIPS[kind].search(name) is not None

    def instances(self, node: nodes.NodeNG | None, kind: str) -> list[Instance]:
        """Return the objects of *kind* that *node* may be."""
        return [
            value for value in self.names.known(node) if isinstance(value, Instance) and self.is_kind(value, kind)
        ]

    def is_unknown(self, node: nodes.NodeNG | None) -> bool:
        """Return whether nothing is known of *node*."""
        return all(isinstance(value, Unknown) for value in self.names.values(node))
