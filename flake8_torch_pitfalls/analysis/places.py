"""Where an object lives: the variable or attribute through which code reaches it.

``opt`` in a function, ``self.opt`` in a class and ``opt = self.optimizer`` are places; two texts that
name one object lead to one place as far as the text shows it.
"""
from __future__ import annotations

import dataclasses

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import class_of, constant, function_of, self_name
from flake8_torch_pitfalls.analysis.values import Class, Instance, Namespace

RETURNS_RECEIVER = frozenset(
    "to cuda cpu half float double bfloat16 type train eval requires_grad_ apply share_memory to_empty xpu".split()
)


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """A path from a variable of *owner* (function, class for ``self``, module) or from one expression."""

    owner: nodes.NodeNG
    path: str

    @property
    def root(self) -> str:
        """The variable's name."""
        return self.path.partition(".")[0].partition("[")[0]

    def below(self, suffix: str) -> Place:
        """Return the place one step on: ``.name`` or ``[key]``."""
        return Place(self.owner, self.path + suffix)

    def holds(self, other: Place) -> bool:
        """Return whether *other* is this place or is reached through it."""
        return self.owner is other.owner and (
            other.path == self.path or other.path.startswith((self.path + ".", self.path + "["))
        )


def place(names: Names, node: nodes.NodeNG | None, depth: int = 0) -> Place | None:
    """Return where the object that *node* stands for lives, None for a value that has no name."""
    if node is None or depth > 20:
        return None
    match node:
        case nodes.Name():
            return _named(names, node, depth)
        case nodes.Attribute() | nodes.AssignAttr():
            base = place(names, node.expr, depth + 1)
            if base is not None:
                return base.below("." + node.attrname)
            for value in names.values(node.expr):
                if isinstance(value, Namespace):
                    return Place(value.module, node.attrname)
                if isinstance(value, Class):
                    return Place(value.node, node.attrname)
        case nodes.Subscript():
            base = place(names, node.value, depth + 1)
            if base is not None:
                return base.below(f"[{_key(node.slice)}]")
        case nodes.Call():
            if isinstance(node.func, nodes.Attribute) and node.func.attrname in RETURNS_RECEIVER:
                return place(names, node.func.expr, depth + 1)
            if any(isinstance(value, Instance) for value in names.values(node)):
                return Place(node, "new")
    return None


def _key(node: nodes.NodeNG) -> str:
    value = constant(node)
    return repr(value) if value is not ... else str(node.as_string())


def _named(names: Names, node: nodes.NodeNG, depth: int) -> Place:
    name = node.name
    definitions = scopes.definitions(node, name)
    if len(definitions) == 1:
        found = definitions[0]
        if isinstance(found, nodes.AssignName) and isinstance(found.parent, nodes.Assign):
            if isinstance(found.parent.value, (nodes.Name, nodes.Attribute, nodes.Subscript)):
                if (alias := place(names, found.parent.value, depth + 1)) is not None:
                    return alias
        if isinstance(found, nodes.ImportFrom):
            for imported, alias_name in found.names:
                module = names.project.imported(found.root(), found.modname, found.level or 0)
                if (alias_name or imported) == name and module is not None and imported in module.locals:
                    return Place(module, imported)
    owner = definitions[0].scope() if definitions else function_of(node)
    if definitions and isinstance(definitions[0].parent, nodes.Arguments):
        owner = definitions[0].parent.parent
        if self_name(owner) == name:
            return Place(class_of(owner) or owner, "self")
    return Place(owner, name)
