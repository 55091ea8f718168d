"""Which activation a tensor went through last, traced back from where it is used.

The trace goes through variables, containers, attributes, operations that only reorder, the project's
functions for the arguments of the very call, and the forward of modules down to the last layer of an
``nn.Sequential``. Where paths disagree each gives its answer.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import operations, scopes, sequences
from flake8_torch_pitfalls.analysis.branches import chosen, decided, in_force, is_set_from_outside, runs
from flake8_torch_pitfalls.analysis.symbols import WRAPPERS, Frame, Names
from flake8_torch_pitfalls.analysis.tree import (
    argument,
    constant,
    decorator_names,
    dotted,
    function_of,
    is_open,
    last_name,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method, Symbol, Unknown, Value

STEPS = 600
STEPS_PER_FILE = 10_000
LONGEST = 50
"""How many expressions a trace leads through."""
DEEPEST = 8
LAYERS = 30
"""How many layers of a sequence are looked at, from its end."""


@dataclasses.dataclass(frozen=True, slots=True)
class Activation:
    """The last that was done to a tensor: ``op`` ("softmax", "sigmoid", "linear", …).

    *node* is where the program asks for it: the call, or where the layer is made if it serves this one call.
    *use* is the call that applies it; *reordered*: its dimensions may have been moved or merged since;
    *clamped*: its values may have been cut off since.
    """

    op: str
    node: nodes.NodeNG
    use: nodes.Call
    reordered: bool = False
    clamped: bool = False


Found = frozenset[Activation | None]
"""What the paths to a value did last to it; None stands for anything else and the unknown, and then some may lack."""
OTHER: Found = frozenset({None})
NONE: Found = frozenset()

_Path = tuple[object, ...]
"""The keys under which a value stands in the containers around it, outermost first."""
_ANY = "any item"

_OPS = {**operations.ACTIVATIONS, "log_sigmoid": "logsigmoid"}
_METHODS = frozenset(("softmax", "log_softmax", "sigmoid"))
"""Methods that only tensors have, so that their receiver needs no proof."""
_SAME_PLACE = frozenset(
    "contiguous to cuda cpu float double half detach clone type type_as requires_grad_ data".split()
)
_KEEPING = operations.KEEPS_ACTIVATION | frozenset(
    "clamp clip clamp_max bfloat16 nan_to_num hstack vstack interpolate upsample".split()
)
_CLAMPING = frozenset(("clamp", "clip", "clamp_min", "clamp_max"))
_LOGARITHMS = {"softmax": "log_softmax", "sigmoid": "logsigmoid"}
_EXPONENTIALS = {"log_softmax": "softmax", "logsigmoid": "sigmoid"}
_JOINING = frozenset(("cat", "stack", "concat", "hstack", "vstack"))
_REORDERING_LAYERS = frozenset(("torch.nn.Flatten", "torch.nn.Unflatten"))
_PASSING_LAYERS = _REORDERING_LAYERS | {"torch.nn.Identity", "torch.nn.Upsample"}
_HEADS = frozenset(("fc", "classifier", "head", "heads", "last_linear"))
"""Attributes by which published classifiers hold their last layers."""
_SMALL = 1e-2
"""Added to probabilities a constant below this only keeps them off zero."""


class Activations:
    """Answers, for one linted file, what was done last to the value of an expression."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._steps = 0
        self._steps_in_file = 0
        self._open: set[object] = set()
        self._memo: dict[object, tuple[Frame | None, Found]] = {}
        """Answers, with the frame they hold for: as long as it is kept its identity is not given to another."""

    def of(self, node: nodes.NodeNG | None, frame: Frame | None = None, path: _Path = ()) -> Found:
        """Return what was done last to *node*, or to what stands under *path* in it, in the call *frame*."""
        if node is None:
            return OTHER
        if frame is not None and function_of(node) is not frame.function:
            frame = None
        key = (node, id(frame), path)
        if key in self._memo:
            return self._memo[key][1]
        if key in self._open:
            return NONE  # a loop brings back what is met on other paths
        self._steps = self._steps + 1 if self._open else 0
        self._steps_in_file += 1
        if len(self._open) > LONGEST or self._steps > STEPS or self._steps_in_file > STEPS_PER_FILE:
            return OTHER
        self._open.add(key)
        try:
            found = self._evaluate(node, frame, path)
        finally:
            self._open.discard(key)
        if not self._open:
            self._memo[key] = (frame, found)
        return found

    def _all(self, given: Iterable[nodes.NodeNG], frame: Frame | None, path: _Path) -> Found:
        return _union(self.of(node, frame, path) for node in given)

    def _values(self, node: nodes.NodeNG, frame: Frame | None) -> Sequence[Value]:
        with self.names.within(frame):
            return self.names.values(node)

    def _evaluate(self, node: nodes.NodeNG, frame: Frame | None, path: _Path) -> Found:
        match node:
            case nodes.Name():
                return self._variable(node, frame, path) or OTHER
            case nodes.Attribute():
                return self._attribute(node, frame, path) or OTHER
            case nodes.Subscript():
                key = constant(node.slice)
                return self.of(node.value, frame, (key if isinstance(key, (int, str)) else _ANY, *path))
            case nodes.Call():
                return self._call(node, frame, path) or OTHER
            case nodes.IfExp():
                outcome = decided(self.names, node.test, frame)
                branches = [node.body, node.orelse] if outcome is None else [node.body if outcome else node.orelse]
                return self._all(branches, frame, path)
            case nodes.NamedExpr() | nodes.Await() | nodes.Starred():
                return self.of(node.value, frame, path)
            case nodes.BinOp(op="+" | "-"):
                return self._kept_off_zero(node, frame)
            case nodes.Tuple() | nodes.List() if path:
                return self._member(node.elts, frame, path)
            case nodes.Dict() if path:
                wanted = [item for key, item in node.items if path[0] in (_ANY, constant(key))]
                return self._all(wanted, frame, path[1:])
            case nodes.ListComp() | nodes.GeneratorExp() if path:
                return self.of(node.elt, frame, path[1:])
        return OTHER

    def _member(self, elements: Sequence[nodes.NodeNG], frame: Frame | None, path: _Path) -> Found:
        if any(isinstance(element, nodes.Starred) for element in elements):
            return OTHER
        if path[0] == _ANY:
            return self._all(elements, frame, path[1:])
        number = path[0]
        if isinstance(number, int) and -len(elements) <= number < len(elements):
            return self.of(elements[number], frame, path[1:])
        return NONE

    def _kept_off_zero(self, node: nodes.BinOp, frame: Frame | None) -> Found:
        """Follow ``p + 1e-8``."""
        for value, addend in ((node.left, node.right), (node.right, node.left)):
            numbers = [constant(getattr(one, "node", None)) for one in self._values(addend, frame)]
            if all(isinstance(number, float) and abs(number) < _SMALL for number in numbers):
                return self.of(value, frame)
        return OTHER

    # -- variables and attributes ------------------------------------------------------------------

    def _variable(self, node: nodes.Name, frame: Frame | None, path: _Path) -> Found:
        definitions = in_force(self.names, scopes.definitions(node, node.name), frame, node)
        found = _union(self._defined(definition, frame, path) for definition in definitions)
        return _union([found, self._put(node, frame, path)]) if path else found

    def _defined(self, definition: nodes.NodeNG, frame: Frame | None, path: _Path) -> Found:
        if not isinstance(definition, nodes.AssignName):
            return OTHER
        if isinstance(definition.parent, nodes.Arguments):
            return self._parameter(definition.parent.parent, definition.name, frame, path)
        return self._bound(definition, frame, path)

    def _parameter(self, function: nodes.NodeNG, name: str, frame: Frame | None, path: _Path) -> Found:
        if frame is None or frame.function is not function or name not in frame.given:
            return OTHER
        return self.of(frame.given[name], frame.outer, path)

    def _bound(self, target: nodes.NodeNG, frame: Frame | None, path: _Path) -> Found:
        """Return what the statement around *target* gives it."""
        node, parent = target, target.parent
        while isinstance(parent, (nodes.Tuple, nodes.List)):
            path = (parent.elts.index(node), *path)
            node, parent = parent, parent.parent
        match parent:
            case nodes.Assign() | nodes.AnnAssign() | nodes.NamedExpr():
                return self.of(parent.value, frame, path)
            case nodes.For() | nodes.Comprehension():
                return self._iterated(parent.iter, frame, path)
        return OTHER

    def _iterated(self, iterable: nodes.NodeNG, frame: Frame | None, path: _Path) -> Found:
        """Return what a loop over *iterable* finds under *path* in each item."""
        if isinstance(iterable, nodes.Call) and path and isinstance(path[0], int):
            match last_name(iterable.func):
                case "zip" if path[0] < len(iterable.args):
                    return self._iterated(iterable.args[path[0]], frame, path[1:])
                case "enumerate" if path[0] == 1 and iterable.args:
                    return self._iterated(iterable.args[0], frame, path[1:])
                case "items" if path[0] == 1 and isinstance(iterable.func, nodes.Attribute):
                    return self.of(iterable.func.expr, frame, (_ANY, *path[1:]))
        return self.of(iterable, frame, (_ANY, *path))

    def _put(self, container: nodes.Name, frame: Frame | None, path: _Path) -> Found:
        """Return what ``c[key] = …`` and ``c.append(…)`` put under *path* into *container* in the same function."""
        scope = function_of(container)
        index = self.names.index_of(container)
        values = [
            target.parent.value
            for target in index.items.get(container.name, ())
            if isinstance(target.parent, nodes.Assign) and (path[0] == _ANY or constant(target.slice) in (path[0], ...))
        ]
        values += [
            call.args[0]
            for call in index.calls.get("append", ())
            if call.args and dotted(getattr(call.func, "expr", None)) == container.name
        ]
        return self._all((value for value in values if function_of(value) is scope), frame, path[1:])

    def _attribute(self, node: nodes.Attribute, frame: Frame | None, path: _Path) -> Found:
        if node.attrname in ("data", "T", "mT"):
            return _kept(self.of(node.expr, frame), node.attrname)
        stores = self._stores(node, frame)
        same_function = [store for store in stores if function_of(store) is function_of(node)]
        before = [store for store in same_function if store.lineno < node.lineno]
        held = in_force(self.names, reversed(before), frame, node) if before else stores
        return _union(self._bound(store, frame, path) for store in held if not _is_none(store))

    def _stores(self, node: nodes.Attribute, frame: Frame | None) -> list[nodes.AssignAttr]:
        """Return the assignments to the attribute *node*: in its own function by its text, else in its class."""
        text = dotted(node)
        found = [
            target
            for target in self.names.index_of(node).stores.get(node.attrname, ())
            if text is not None and _text(target) == text and function_of(target) is function_of(node)
        ]
        if found:
            return found
        for value in self._values(node.expr, frame):
            if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
                found += [s for s in self.names.stores(value.cls, node.attrname) if isinstance(s, nodes.AssignAttr)]
        return found

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, call: nodes.Call, frame: Frame | None, path: _Path) -> Found:
        if isinstance(call.func, nodes.Attribute) and is_set_from_outside(self.names, call.func):
            return OTHER
        values = self._values(call.func, frame)
        if len(values) > 1 and isinstance(call.func, nodes.Attribute):
            owners = self._values(call.func.expr, frame)
            values = len(owners) == 1 and chosen(self.names, call.func.attrname, owners[0]) or values
        return _union(self._called(value, call, frame, path) for value in values)

    def _called(self, value: Value, call: nodes.Call, frame: Frame | None, path: _Path) -> Found:
        """Return what was done last to the result of *call* where it calls *value*."""
        match value:
            case Function():
                return self._returned(value, call, frame, path)
            case Instance():
                return self._module(value, call, frame, path)
            case Method(name) if name.startswith("torch.Tensor."):
                return self._operation(name, call, call.func.expr, frame)
            case Method(name, receiver) if name.endswith((".forward", ".__call__")):
                return self._module(receiver, call, frame, path)
            case Symbol(name) if torch_model.modelled(name):
                return self._operation(name, call, argument(call, 0, "input"), frame)
            case Symbol("list" | "tuple" | "reversed" | "sorted" | "next" | "iter") if call.args:
                return self.of(call.args[0], frame, path or (_ANY,))
            case Symbol("dict"):
                return self._all((k.value for k in call.keywords if k.arg in path[:1]), frame, path[1:])
            case Unknown():
                return self._unknown_method(call, frame, path)
        return OTHER

    def _unknown_method(self, call: nodes.Call, frame: Frame | None, path: _Path) -> Found:
        """Return what a method gives whose receiver is not known, if only tensors or containers have it."""
        if not isinstance(call.func, nodes.Attribute):
            return OTHER
        name, receiver = call.func.attrname, call.func.expr
        if name in ("get", "pop") and call.args and isinstance(key := constant(call.args[0]), str):
            return self.of(receiver, frame, (key, *path))
        if name == "values":
            return self.of(receiver, frame, path)
        if any(not isinstance(value, Unknown) for value in self._values(receiver, frame)):
            return OTHER
        if name in _METHODS and not _takes_tensor(call):
            return self._operation(name, call, receiver, frame)
        if name in _KEEPING or name in ("log", "exp"):
            return self._operation(name, call, receiver, frame)
        return OTHER

    def _operation(self, name: str, call: nodes.Call, operand: nodes.NodeNG | None, frame: Frame | None) -> Found:
        """Return what torch's operation *name* leaves of *operand*."""
        base = name.rpartition(".")[2].removesuffix("_")
        if base in _OPS:
            return frozenset({Activation(_OPS[base], call, call)})
        if base in ("log", "exp"):
            changes = _LOGARITHMS if base == "log" else _EXPONENTIALS
            return frozenset(
                dataclasses.replace(one, op=changes[one.op]) if one is not None and one.op in changes else None
                for one in self.of(operand, frame)
            )
        if base in _JOINING:
            operand = argument(call, 0, "tensors")
            return _kept(self.of(operand, frame, (_ANY,)), base)
        return _kept(self.of(operand, frame), base) if base in _KEEPING else OTHER

    def _returned(self, function: Function, call: nodes.Call | None, frame: Frame | None, path: _Path) -> Found:
        """Return what a function of the project returns for *call*; a layer in a sequence has no call of its own."""
        if _depth(frame) >= DEEPEST:
            return OTHER
        body = function.node
        inner: Frame | None = Frame(body, {}, function.receiver, None)
        if call is not None:  # flags may be hidden in *args and **kwargs
            inner = None if is_open(call) else self.names.frame(function, call, frame)
        if not isinstance(body, nodes.FunctionDef):
            return self.of(body.body, inner, path)
        index = self.names.index_of(body)
        if "abstractmethod" in decorator_names(body) or body in index.yields:
            return OTHER
        returns = in_force(self.names, index.returns.get(body, ()), inner, body)
        results = (statement.value for statement in returns if constant(statement.value) is not None)
        return self._all(results, inner, path) or OTHER

    # -- modules -----------------------------------------------------------------------------------

    def _module(self, value: Instance, call: nodes.Call, frame: Frame | None, path: _Path) -> Found:
        if self.names.is_a(value, "torch.nn.Module") is False:
            return OTHER
        if isinstance(value.cls, nodes.ClassDef):
            for name in ("__call__", "forward"):
                if (method := self.names.method(value.cls, name)) is not None:
                    return self._returned(Function(method, value), call, frame, path)
        if value.cls in WRAPPERS:
            return _union(
                self._module(one, call, frame, path) if isinstance(one, Instance) and one.cls not in WRAPPERS else OTHER
                for one in self.names.unwrapped(value)
            )
        first = argument(call, 0, "input")
        return self._layer(value, call, lambda: self.of(first, frame) if first is not None else OTHER, path)

    def _layer(self, value: Instance, use: nodes.Call, before: Callable[[], Found], path: _Path = ()) -> Found:
        """Return what the module *value* does last to what *before* tells of, when *use* runs it."""
        if isinstance(value.cls, nodes.ClassDef):
            if (method := self.names.method(value.cls, "forward")) is not None:
                return self._returned(Function(method, value), None, None, path)
            bases = [base for base in self.names.mro(value.cls) if isinstance(base, str)]
            return self._sequence(value, use, before) if sequences.SEQUENTIAL in bases else OTHER
        if value.cls == sequences.SEQUENTIAL:
            return self._sequence(value, use, before)
        if value.cls in _PASSING_LAYERS:
            return _kept(before(), "flatten" if value.cls in _REORDERING_LAYERS else "contiguous")
        if value.cls.startswith(("torchvision.models.", "timm.")) or value.cls == "torch.nn.Module":
            return self._head(value, use, before)
        op = operations.op_of_module(value.cls)
        if op not in _OPS:
            return OTHER
        return frozenset({Activation(_OPS[op], self._asked_for(value, use), use)})

    def _sequence(self, value: Instance, use: nodes.Call, before: Callable[[], Found]) -> Found:
        layers = sequences.layers(self.names, value)
        anchor = sequences.creation(self.names, value) or use
        return OTHER if layers is None else self._last_of(layers[-LAYERS:], anchor, use, before)

    def _last_of(
        self, layers: list[nodes.NodeNG], anchor: nodes.NodeNG, use: nodes.Call, before: Callable[[], Found]
    ) -> Found:
        """Return what *layers*, of a module made at *anchor*, do last; *use* runs them."""
        if not layers:
            return before()
        *earlier, last = layers
        outcome = runs(self.names, last, None, anchor)

        def before_last() -> Found:
            return self._last_of(earlier, anchor, use, before)

        if outcome is False:
            return before_last()
        found = _union(
            self._layer(value, use, before_last)
            if isinstance(value, Instance) and self.names.is_a(value, "torch.nn.Module")
            else OTHER
            for value in self.names.values(last)
        )
        return found if outcome or None in found else found | before_last()

    def _head(self, value: Instance, use: nodes.Call, before: Callable[[], Found]) -> Found:
        """Return what the last layers do that replace those of a published model: ``model.fc = …``."""
        made = sequences.creation(self.names, value)
        name = sequences.assigned_name(made) if made is not None else None
        if made is None or name is None:
            return OTHER
        index = self.names.index_of(made)
        heads = [
            target.parent.value
            for head in sorted(_HEADS)
            for target in [*index.stores.get(head, ()), *index.items.get(f"{name}.{head}", ())]
            if isinstance(target.parent, nodes.Assign)
            and _text(target).startswith(name + ".")
            and sequences.share_name(target, made, name)
        ]
        if len(heads) != 1:
            return OTHER
        return self._last_of(heads, heads[0], use, before)

    def _asked_for(self, value: Instance, use: nodes.Call) -> nodes.NodeNG:
        """Return where to edit the program so that *use* does not apply the layer *value*."""
        made = sequences.creation(self.names, value)
        if made is None:
            return use
        name = sequences.assigned_name(made)
        if name is None:
            return made
        calls = self.names.index_of(made).calls.get(name.rpartition(".")[2], ())
        uses = [call for call in calls if dotted(call.func) == name and sequences.share_name(call, made, name)]
        return made if len(uses) <= 1 else use


def _union(parts: Iterable[Found]) -> Found:
    """Return *parts* together, up to the first in which something is unknown: that settles the matter."""
    found = NONE
    for part in parts:
        found |= part
        if None in part:
            break
    return found


def _kept(found: Found, op: str) -> Found:
    """Return *found* after *op*, which leaves each element as it is."""
    if op in _SAME_PLACE:
        return found
    return frozenset(
        one if one is None else dataclasses.replace(one, reordered=True, clamped=one.clamped or op in _CLAMPING)
        for one in found
    )


def _takes_tensor(call: nodes.Call) -> bool:
    """Return whether ``x.softmax(…)`` is given more than a dimension: then *x* is a module that holds a layer."""
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg not in ("dim", "dtype"))]
    return any(not isinstance(constant(node), int) for node in given)


def _is_none(store: nodes.AssignAttr) -> bool:
    return isinstance(store.parent, nodes.Assign) and constant(store.parent.value) is None


def _text(target: nodes.NodeNG) -> str:
    """Return the text of the attribute or item *target* that is assigned."""
    if isinstance(target, nodes.AssignAttr):
        return f"{dotted(target.expr)}.{target.attrname}"
    return dotted(target) or ""


def _depth(frame: Frame | None) -> int:
    depth = 0
    while frame is not None:
        depth, frame = depth + 1, frame.outer
    return depth
