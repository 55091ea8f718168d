"""Sizes and layouts in a run: which numbers expressions stand for, and what is assumed of tensors from outside."""
from __future__ import annotations

import dataclasses

from astroid import nodes

from flake8_torch_pitfalls.analysis import layout, scopes, sizes
from flake8_torch_pitfalls.analysis.evaluation import Evaluation
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Tensor
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.sizes import Size
from flake8_torch_pitfalls.analysis.tree import argument, class_of, constant, dotted, function_of, last_name
from flake8_torch_pitfalls.analysis.values import Class, Data, Function, Items, Many, Symbol

DEEPEST = 4
MOVES = frozenset("to cuda cpu float half double long type contiguous requires_grad_".split())
"""Methods by which a parameter may be taken for a tensor where nothing speaks against it."""


class Shapes(Evaluation):
    """Answers ``layout.Numbers``, but for devices, and which shape a tensor has."""

    def size(self, node: nodes.NodeNG) -> Size | None:
        """Return the number that *node* is where the program needs one."""
        match self.latest.get(node):
            case Size() as size:
                return size
            case Tensor() | Group():
                return None
        if isinstance(node, (nodes.Const, nodes.Tuple, nodes.List, nodes.JoinedStr)):
            return None
        if isinstance(node, (nodes.Name, nodes.Attribute)):
            values = self.names.values(node)
            literals = [constant(value.node) for value in values if isinstance(value, Data)]
            if len(values) == 1 and literals and type(literals[0]) is int:
                return sizes.number(literals[0])
            if not all(type(literal) is int for literal in literals) or any(
                isinstance(value, (Symbol, Class, Function, Items, Many)) for value in values
            ):
                return None
        return sizes.unknown(self.origin(node) or node)

    def integer(self, node: nodes.NodeNG) -> Size | None:
        """Return the number that *node* is, None for what may be something else."""
        found = self.latest.get(node)
        return found if isinstance(found, Size) else None

    def sequence(self, node: nodes.NodeNG) -> tuple[Size, ...] | None:
        """Return the numbers in the tuple or list *node*."""
        if isinstance(node, (nodes.Tuple, nodes.List)) and not any(isinstance(e, nodes.Starred) for e in node.elts):
            found = [self.size(element) for element in node.elts]
        else:
            held = self.latest.get(node)
            if not isinstance(held, Group) or held.items is None:
                return None
            found = [item if isinstance(item, Size) else None for item in held.items]
        return tuple(size for size in found if size is not None) if None not in found else None

    def calculated(self, node: nodes.BinOp, left: Fact | None, right: Fact | None) -> Size | None:
        """Return the number that ``h * d`` is if one side is known to be a number, and neither a tensor."""
        one = self.size(node.left) if left is None else left
        other = self.size(node.right) if right is None else right
        if not isinstance(one, Size) or not isinstance(other, Size):
            return None
        return sizes.calculated(node.op, one, other)

    def layout_at(self, node: nodes.NodeNG) -> Layout | None:
        """Return the layout of the tensor *node*, which may stand in another function; a number has no dimensions."""
        if not self.follows_shapes:
            return None
        if layout.is_number(node):
            return layout.NUMBER
        fact = self.fact(node) if function_of(node) is self.scope else self.tensors.at(node)
        return fact.layout if isinstance(fact, Tensor) else None

    def shape(self, tensor: nodes.NodeNG) -> Fact | None:
        """Return the sizes of *tensor* as a tuple."""
        known = self._layout_of(tensor)
        return Group(known.only.sizes) if known is not None and known.only is not None else None

    def size_of(self, tensor: nodes.NodeNG, index: int) -> Size | None:
        """Return the size of dimension *index* of *tensor*."""
        known = self._layout_of(tensor)
        return layout.size_at(known, index) if known is not None else None

    def measure(self, call: nodes.Call) -> Fact | None:
        """Return what ``x.size()`` or ``x.size(dim)`` gives."""
        tensor = call.func.expr
        if (node := argument(call, 0, "dim")) is None:
            return self.shape(tensor)
        index = self.latest.get(node)
        known = index.known if isinstance(index, Size) else None
        return self.size_of(tensor, known) if known is not None else None

    def narrow(self, node: nodes.Assign) -> None:
        """Take from ``b, t, d = x.shape`` how many dimensions *x* has."""
        tensor = measured(node.value) if self.follows_shapes else None
        if tensor is None or not isinstance(node.targets[0], nodes.Tuple):
            return
        targets = node.targets[0].elts
        if any(isinstance(target, nodes.Starred) for target in targets):
            return
        found = self.fact(tensor)
        if isinstance(found, Tensor) and found.layout is not None:
            self.rebind(tensor, dataclasses.replace(found, layout=layout.of_rank(found.layout, len(targets))))
        elif isinstance(origin := self.origin(tensor), nodes.AssignName):
            self.ranks.setdefault(origin, set()).add(len(targets))

    def _layout_of(self, node: nodes.NodeNG) -> Layout | None:
        """Return the layout of the tensor *node*; the sizes in it may be used even if *node* is no tensor."""
        found = self.latest.get(node)
        if isinstance(found, Tensor) and found.layout is not None:
            return found.layout
        if isinstance(node, nodes.Name) and isinstance(origin := self.origin(node), nodes.AssignName):
            return self.assumed(origin)
        return None

    def origin(self, node: nodes.NodeNG) -> nodes.NodeNG | str | None:
        """Return what identifies the value of a variable or attribute, None if it may have changed."""
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            return found[0] if len(found) == 1 else None
        text = dotted(node)
        if text is None or text in self.state.variables:
            return None
        return f"{getattr(class_of(self.scope), 'name', '')}:{text}"

    def from_outside(self, node: nodes.NodeNG) -> Tensor | None:
        """Return what to assume of the tensor *node* if it is a parameter or comes from a loop's iterable."""
        if not isinstance(node, nodes.Name) or function_of(node) is not self.scope:
            return None
        origin = self.origin(node)
        if not isinstance(origin, nodes.AssignName) or not self._is_from_outside(origin, DEEPEST):
            return None
        return Tensor(layout=self.assumed(origin))

    def _is_from_outside(self, origin: nodes.NodeNG, depth: int) -> bool:
        """Return whether *origin* is bound to a parameter, an item of one or of an iterable, or to one moved."""
        parent = origin.parent
        if isinstance(parent, nodes.Arguments):
            return parent.parent is self.scope and origin.name not in ("self", "cls")
        if isinstance(parent, (nodes.Tuple, nodes.List)):
            parent = parent.parent
        if isinstance(parent, (nodes.For, nodes.Comprehension)):
            return True
        if not isinstance(parent, nodes.Assign) or depth == 0:
            return False
        value = parent.value
        if isinstance(value, nodes.Call) and isinstance(value.func, nodes.Attribute) and last_name(value.func) in MOVES:
            value = value.func.expr
        elif isinstance(value, nodes.BinOp) and isinstance(value.right, nodes.Const):
            value = value.left
        elif isinstance(value, nodes.Subscript) and isinstance(value.slice, nodes.Const):
            value = value.value
        if not isinstance(value, nodes.Name):
            return False
        before = scopes.definitions(value, value.name)
        return len(before) == 1 and self._is_from_outside(before[0], depth - 1)

    def assumed(self, origin: nodes.NodeNG) -> Layout | None:
        """Return the layout to assume of what is bound at *origin*."""
        return self.base(origin, tuple(sorted(self.ranks.get(origin, layout.RANKS))))

    def base(self, origin: nodes.NodeNG | str, ranks: tuple[int, ...] = tuple(layout.RANKS)) -> Layout | None:
        """Return the layout of a tensor that comes from outside."""
        if not self.follows_shapes:
            return None
        key = (origin, ranks)
        if key not in self.bases:
            self.bases[key] = layout.base(origin, ranks)
        return self.bases[key]


def measured(node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return ``x`` of ``x.shape`` and ``x.size()``."""
    if isinstance(node, nodes.Attribute) and node.attrname == "shape":
        return node.expr
    if isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname == "size":
        return node.func.expr if not node.args and not node.keywords else None
    return None
