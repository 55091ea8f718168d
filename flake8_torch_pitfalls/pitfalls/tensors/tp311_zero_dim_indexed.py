"""A tensor without dimensions is indexed with a number, which raises.

## What happens
Losses, and sums, means and other reductions without a `dim`, are tensors with no dimensions. `loss[0]` and
`loss.data[0]` raise `IndexError: invalid index of a 0-dim tensor. Use tensor.item()`. Up to PyTorch 0.3 they had one
dimension of size one, and so the old form stands in many programs, where it only shows when the line is reached.

## What to write
`loss.item()` for the number, `loss.detach()` for the tensor without its graph.

## Silent
- Tensors with dimensions: a loss with `reduction="none"`, a reduction with `dim` or `keepdim`.
- What is not known: losses from outside, results of functions that cannot be read.
- Containers of losses: lists, tuples and dicts.
- `loss[None]` and `loss[...]`, which are allowed.
- A subscript under a test of the tensor's dimensions: `loss[0] if loss.dim() else loss`.
- Code for old versions of torch beside code for new ones.

## Known limits
A reduction counts if what is reduced is known to be a tensor: an array's or a frame's `sum()` may be another thing. The
default of a parameter (`criterion=nn.MSELoss()`) is not taken for what callers give.

## Sources
- "PyTorch 0.4.0 Migration Guide": indexing into a scalar is an error; `loss.item()` gets the number.
"""
from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import arguments
from flake8_torch_pitfalls.analysis.compat import is_guarded
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.purpose import expects_failure, root_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    class_of,
    constant,
    is_open,
    last_name,
    text_of,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method, Symbol, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"criterion", "data", "functional", "loss", "mean", "norm", "sum", "dot", "prod", "std", "max", "min"}

REDUCTIONS = frozenset(
    "sum mean prod norm std var max min any all median nansum nanmean nanmedian amax amin argmax argmin".split()
)
"""Their result has no dimensions where nothing but the tensor is given."""
PRODUCTS = frozenset(("dot", "vdot", "dist"))
"""Their result has no dimensions at all."""
KEEPING = frozenset("abs neg exp log sqrt log2 log1p square sigmoid tanh relu div mul add sub clamp pow".split())
"""Operations whose result has no dimensions where none of their operands has."""
MOVES = frozenset("detach clone cpu cuda to float double half bfloat16 long int type contiguous numpy".split())
"""Methods whose result has the dimensions of their tensor, whatever else they are given."""
ASKING = frozenset("dim ndim shape size numel len".split())
LONGEST = 30
_DEEPEST = 12


class Shape(enum.Enum):
    """What is known of the dimensions of a value."""

    SCALAR = "a tensor without dimensions"
    NUMBER = "a number, which is no tensor"
    UNKNOWN = "anything"


def check(source: Source) -> Iterator[Finding]:
    """Yield the subscripts with a number of tensors that have no dimensions."""
    shapes = _Shapes(source)
    for subscript in source.index.of(nodes.Subscript):
        if not isinstance(constant(subscript.slice), int) or not _may_be_scalar(subscript.value):
            continue
        if shapes.of(subscript.value) is Shape.SCALAR:
            if is_guarded(source.names, subscript) or expects_failure(subscript) or _is_asked_for(subscript):
                continue
            yield Finding(subscript, _message(subscript))


def _is_asked_for(subscript: nodes.Subscript) -> bool:
    """Return whether a test around *subscript* asks for the dimensions first: ``loss[0] if loss.dim() else loss``."""
    variable = getattr(root_of(subscript), "name", None)
    below: nodes.NodeNG = subscript
    for above in ancestors(subscript):
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            asked = {last_name(part) for part in walk(above.test)}
            if variable in asked and not ASKING.isdisjoint(asked):
                return True
        if isinstance(above, FUNCTIONS):
            break
        below = above
    return False


def _message(subscript: nodes.Subscript) -> str:
    base = subscript.value
    while isinstance(base, nodes.Attribute) and base.attrname == "data":
        base = base.expr
    text = text_of(base) if isinstance(base, (nodes.Name, nodes.Attribute, nodes.Call)) else f"({text_of(base)})"
    if len(text) > LONGEST:
        text = f"{text_of(base.func)}(...)" if isinstance(base, nodes.Call) else "(...)"
    index = f"[{subscript.slice.as_string()}]"
    return f"'{text}' has no dimensions, so indexing it with '{index}' raises; write '{text}.item()'"


def _may_be_scalar(node: nodes.NodeNG) -> bool:
    """Return whether *node* looks like a loss or a reduction: most subscripts are of something else."""
    match node:
        case nodes.Attribute(attrname="data"):
            return True
        case nodes.Attribute(attrname=name, expr=nodes.Name(name="self")):
            return "loss" in name.lower()
        case nodes.Call():
            return _makes_scalar(node) or last_name(node.func) in MOVES
        case nodes.Name(name=name):
            return any(_comes_from_scalar(found, name) for found in scopes.definitions(node, name))
    return False


def _comes_from_scalar(definition: nodes.NodeNG, name: str) -> bool:
    match getattr(definition.statement(), "value", None):
        case nodes.Call() as call:
            return _names_loss(name) or _makes_scalar(call)
        case nodes.BinOp() | nodes.UnaryOp() | nodes.IfExp() | nodes.Name() | nodes.Attribute(attrname="data"):
            return True
    return False


def _names_loss(name: str) -> bool:
    lowered = name.lower()
    return any(part in lowered for part in ("loss", "crit", "cost", "entropy", "err"))


def _makes_scalar(call: nodes.Call) -> bool:
    name = last_name(call.func) or ""
    return name in REDUCTIONS or name in PRODUCTS or name == "tensor" or _names_loss(name)


class _Shapes:
    """Works out which expressions of one file are tensors without dimensions."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = source.names
        self._known: dict[nodes.NodeNG, Shape] = {}
        self._depth = 0

    def of(self, node: nodes.NodeNG | None) -> Shape:
        """Return what is known of *node*; what is being worked out further out counts as a number."""
        if node is None or self._depth > _DEEPEST:
            return Shape.UNKNOWN
        if node not in self._known:
            self._known[node] = Shape.NUMBER
            self._depth += 1
            self._known[node] = self._evaluate(node)
            self._depth -= 1
        return self._known[node]

    def _evaluate(self, node: nodes.NodeNG) -> Shape:
        match node:
            case nodes.Const(value=int() | float()):
                return Shape.NUMBER
            case nodes.Name(name=name):
                return self._bound(scopes.definitions(node, name))
            case nodes.Attribute(attrname="data", expr=owner):
                return self.of(owner)
            case nodes.Attribute(attrname=name, expr=nodes.Name(name="self")):
                return self._attribute(node, name)
            case nodes.BinOp(left=left, right=right):
                return _together([self.of(left), self.of(right)])
            case nodes.UnaryOp(op="-" | "+", operand=operand):
                return self.of(operand)
            case nodes.IfExp(body=body, orelse=orelse):
                return _together([self.of(body), self.of(orelse)])
            case nodes.Call():
                return self._call(node)
        return Shape.UNKNOWN

    # -- variables ---------------------------------------------------------------------------------

    def _bound(self, definitions: Iterable[nodes.NodeNG]) -> Shape:
        return _together([self._given(definition) for definition in definitions])

    def _given(self, target: nodes.NodeNG) -> Shape:
        """Return what the assignment to *target* gives it."""
        match target.parent:
            case nodes.Assign(value=value):
                return self.of(value)
            case nodes.AnnAssign(value=value):
                return self.of(value)
            case nodes.AugAssign(value=value) if isinstance(target, nodes.AssignName):
                earlier = [found for found in scopes.definitions(target, target.name) if found is not target]
                before = self._bound(earlier)
                return before if before is Shape.SCALAR else _together([before, self.of(value)])  # a tensor: in place
            case nodes.Tuple() as targets if isinstance(targets.parent, nodes.Assign):
                return self._unpacked(targets, targets.elts.index(target), targets.parent.value)
        return Shape.UNKNOWN

    def _unpacked(self, targets: nodes.Tuple, position: int, value: nodes.NodeNG) -> Shape:
        """Return what *targets* get at *position* of *value*, a tuple or a call of a function that returns some."""
        if isinstance(value, nodes.Tuple):
            return self.of(value.elts[position]) if len(value.elts) == len(targets.elts) else Shape.UNKNOWN
        if not isinstance(value, nodes.Call):
            return Shape.UNKNOWN
        results = [result for function in self.names.callee(value) for result in self._results(function)]
        tuples = [one.elts for one in results if isinstance(one, nodes.Tuple) and len(one.elts) == len(targets.elts)]
        if len(tuples) != len(results):
            return Shape.UNKNOWN
        return _together([self.of(items[position]) for items in tuples])

    def _attribute(self, node: nodes.Attribute, name: str) -> Shape:
        owner = class_of(node)
        if owner is None:
            return Shape.UNKNOWN
        stores = list(self.names.stores(owner, name))
        if any(isinstance(store, nodes.Call) or isinstance(store.parent, nodes.AugAssign) for store in stores):
            return Shape.UNKNOWN
        return _together([self._given(store) for store in stores if not _is_placeholder(store)])

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, call: nodes.Call) -> Shape:
        name = last_name(call.func)
        if isinstance(call.func, nodes.Attribute) and name in REDUCTIONS and not call.args and not call.keywords:
            if self._is_tensor(call.func.expr):
                return Shape.SCALAR
        if isinstance(call.func, nodes.Attribute) and self.of(call.func.expr) is Shape.SCALAR:
            return self._after(call, name or "")
        found = [self._result(call, value) for value in self.names.values(call.func)]
        return _together(found)

    def _after(self, call: nodes.Call, name: str) -> Shape:
        """Return what the method *name* of a tensor without dimensions gives."""
        if name in MOVES or (name.endswith("_") and not name.startswith("_")):
            return Shape.SCALAR
        return _together([Shape.SCALAR, *map(self.of, call.args)]) if name in KEEPING else Shape.UNKNOWN

    def _is_tensor(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* is surely a tensor: an operation on one, or made or annotated as one."""
        values = self.names.values(node)
        if all(self.source.kinds.is_kind(value, "tensor") for value in values):
            return True
        return isinstance(self.source.tensors.at(node), Tensor)

    def _result(self, call: nodes.Call, value: Value) -> Shape:
        match value:
            case Symbol(name) if name.startswith("torch."):
                return self._of_torch(call, name)
            case Method(name) if name.startswith("torch.Tensor."):
                last = name.rpartition(".")[2]
                return Shape.SCALAR if last in PRODUCTS or _reduces_all(last, call, 0) else Shape.UNKNOWN
            case Instance(str() as cls, nodes.Call() as made) if "torch.nn._Loss" in torch_model.ancestors(cls):
                return Shape.SCALAR if _is_reduced(made, cls) else Shape.UNKNOWN
            case Function() | Instance(nodes.ClassDef()):
                functions = self.names.callee(call)
                return _together([self.of(one) for function in functions for one in self._results(function)])
        return Shape.UNKNOWN

    def _of_torch(self, call: nodes.Call, symbol: str) -> Shape:
        last = symbol.rpartition(".")[2]
        if symbol == "torch.tensor":
            is_number = bool(call.args) and isinstance(constant(call.args[0]), (int, float))
            return Shape.SCALAR if is_number else Shape.UNKNOWN
        if symbol in (f"torch.{last}", f"torch.linalg.{last}") and last in PRODUCTS:
            return Shape.SCALAR
        if symbol == f"torch.{last}" and _reduces_all(last, call, 1):
            return Shape.SCALAR
        if symbol == f"torch.{last}" and last in KEEPING and call.args:
            return _together([self.of(one) for one in call.args])
        if symbol == f"torch.nn.functional.{last}" and _has_reduction(symbol):
            return Shape.SCALAR if _is_reduced(call, symbol) else Shape.UNKNOWN
        return Shape.UNKNOWN

    def _results(self, function: Function) -> list[nodes.NodeNG | None]:
        """Return what *function* of the project may return; [None] for what is not plain."""
        index = self.names.index_of(function.node)
        if not isinstance(function.node, nodes.FunctionDef) or index.yields.get(function.node):
            return [None]
        return [statement.value for statement in index.returns.get(function.node, ())] or [None]


def _together(shapes: list[Shape]) -> Shape:
    """Return what holds of a result of all *shapes*, or of a value that is one of them."""
    if not shapes or Shape.UNKNOWN in shapes:
        return Shape.UNKNOWN
    return Shape.SCALAR if Shape.SCALAR in shapes else Shape.NUMBER


def _is_placeholder(store: nodes.NodeNG) -> bool:
    """Return whether *store* says that there is nothing yet: ``self.loss = None``."""
    value = getattr(store.parent, "value", None)
    return isinstance(value, nodes.Const) and value.value is None


def _reduces_all(name: str, call: nodes.Call, operands: int) -> bool:
    """Return whether *call* of the operation *name* gives it *operands* tensors and no dimension to reduce."""
    plain = all(keyword.arg in ("dtype", "p", "input") for keyword in call.keywords)
    return name in REDUCTIONS and not is_open(call) and plain and len(call.args) <= operands


def _has_reduction(symbol: str) -> bool:
    return any(parameter.name == "reduction" for parameter in torch_model.parameters(symbol))


def _is_reduced(call: nodes.Call, symbol: str) -> bool:
    """Return whether the loss *symbol* that *call* makes or computes is one number for the whole batch."""
    if is_open(call):
        return False
    given = arguments(call, symbol)
    for name, reducing in (("reduce", (True, None)), ("reduction", ("mean", "sum", "batchmean"))):
        if name in given and constant(given[name]) not in reducing:
            return False
    return True
