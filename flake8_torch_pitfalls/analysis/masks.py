"""What kind of numbers a mask holds: booleans, zeros and ones, integers.

A mask is traced back through variables, attributes, buffers, functions of the project and what callers in the
linted file pass. Whatever changes its numbers in a way that is not known makes it unknown.
"""
from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import Frame, Names
from flake8_torch_pitfalls.analysis.tree import argument, class_of, constant, dotted, function_of, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method, Symbol, Unknown

DEEPEST = 24
SITES = 4


class Kind(enum.Enum):
    """The numbers in a mask."""

    BOOL = "True and False"
    MIXED = "0.0 and 1.0"
    ONES = "1.0 everywhere"
    ZEROS = "0.0 everywhere"
    INTEGER = "integers 0 and 1"
    CAST = "floats, made of a mask that is not known"


_FLOATING = frozenset((Kind.MIXED, Kind.ONES, Kind.ZEROS))
_FLOATS = frozenset("float float16 float32 float64 half double bfloat16 FloatTensor HalfTensor".split())
_INTEGERS = frozenset("int int8 int16 int32 int64 uint8 long short byte LongTensor IntTensor ByteTensor".split())
_BOOLS = frozenset(("bool", "BoolTensor"))
_KEEPING = frozenset(
    "unsqueeze squeeze view reshape expand expand_as repeat repeat_interleave transpose permute t contiguous cuda cpu "
    "clone detach flatten".split()
)
_COMPARING = frozenset(
    "eq ne gt lt ge le greater less not_equal isnan isin logical_not logical_and logical_or logical_xor".split()
)
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))


def kind_of(names: Names, node: nodes.NodeNG | None) -> Kind | None:
    """Return what *node*, a mask, holds; None if that is not known."""
    return _Trace(names).of(node, None, DEEPEST)


class _Trace:
    def __init__(self, names: Names) -> None:
        self.names = names

    def of(self, node: nodes.NodeNG | None, frame: Frame | None, depth: int) -> Kind | None:
        if node is None or depth == 0:
            return None
        if frame is not None and function_of(node) is not frame.function:
            frame = None
        match node:
            case nodes.Name():
                return self.variable(node, frame, depth - 1)
            case nodes.Attribute(attrname="T" | "mT" | "data") | nodes.Subscript():
                return self.of(node.expr if isinstance(node, nodes.Attribute) else node.value, frame, depth - 1)
            case nodes.Attribute():
                return self.attribute(node, frame, depth - 1)
            case nodes.Call():
                return self.call(node, frame, depth - 1)
            case nodes.IfExp():
                branches = [one for one in (node.body, node.orelse) if constant(one) is not None]
                return _same(self.of(one, frame, depth - 1) for one in branches)
            case nodes.NamedExpr():
                return self.of(node.value, frame, depth - 1)
            case nodes.Compare(ops=[(operator, _)]) if operator in _COMPARISONS:
                return Kind.BOOL
            case nodes.UnaryOp(op="~"):
                return self.of(node.operand, frame, depth - 1)
            case nodes.BinOp():
                return self.operation(node, frame, depth - 1)
        return None

    def operation(self, node: nodes.BinOp, frame: Frame | None, depth: int) -> Kind | None:
        right = self.of(node.right, frame, depth)
        if node.op == "-" and constant(node.left) == 1:
            return {Kind.ONES: Kind.ZEROS, Kind.ZEROS: Kind.ONES}.get(right, right) if right else None
        left = self.of(node.left, frame, depth)
        if left is None or right is None:
            return None
        if node.op in ("&", "|", "^"):
            return left if left == right else None
        if node.op == "*":
            return left if left == right else Kind.MIXED if _FLOATING & {left, right} else Kind.INTEGER
        return None

    # -- variables and attributes ------------------------------------------------------------------

    def variable(self, node: nodes.Name, frame: Frame | None, depth: int) -> Kind | None:
        found = _same(self.defined(one, frame, depth) for one in scopes.definitions(node, node.name))
        return self.changed(found, node, node.name)

    def defined(self, definition: nodes.NodeNG, frame: Frame | None, depth: int) -> Kind | None:
        parent = definition.parent
        match parent:
            case nodes.Assign() | nodes.AnnAssign() | nodes.NamedExpr():
                return self.of(parent.value, frame, depth)
            case nodes.Arguments():
                return self.parameter(parent.parent, definition.name, frame, depth)
        return None

    def parameter(self, function: nodes.NodeNG, name: str, frame: Frame | None, depth: int) -> Kind | None:
        """Return what the call *frame* passes, or else all callers in view."""
        if frame is not None:
            return self.of(frame.given.get(name), frame.outer, depth)
        if not isinstance(function, nodes.FunctionDef) or function.root() is not self.names.module:
            return None
        sites = list(self.sites(function, name))
        if len(sites) > SITES or any(is_open(call) for call, _ in sites):
            return None
        passed = [scopes.match_arguments(function, call, bound=bound).get(name) for call, bound in sites]
        return _same(self.of(one, None, depth) for one in passed if constant(one) is not None)

    def sites(self, function: nodes.FunctionDef, name: str) -> Iterator[tuple[nodes.Call, bool]]:
        """Yield the calls in the linted file that run *function*, and whether each is bound to an object."""
        candidates = self.names.call_sites(function)
        if function.name == "forward":  # it is objects that are called, under any name
            candidates = [call for call in self.names.module.index.of(nodes.Call) if _speaks_of(call, name)]
        for call in candidates:
            for callee in self.names.callee(call):
                if callee.node is function:
                    yield call, callee.receiver is not None

    def attribute(self, node: nodes.Attribute, frame: Frame | None, depth: int) -> Kind | None:
        """Return what the class of an object keeps under an attribute, as such or as a buffer."""
        cls = class_of(node) if dotted(node.expr) == "self" else None
        if cls is None:
            return None
        stored = [
            argument(store, 1, "tensor") if isinstance(store, nodes.Call) else getattr(store.parent, "value", None)
            for store in self.names.stores(cls, node.attrname)
        ]
        kept = [value for value in stored if constant(value) is not None]
        return self.changed(_same(self.of(value, None, depth) for value in kept), node, dotted(node) or "")

    def changed(self, kind: Kind | None, use: nodes.NodeNG, text: str) -> Kind | None:
        """Return what a mask of *kind* is after what the function of *use* does to it in place."""
        if kind is None:
            return None
        index, function = self.names.index_of(use), function_of(use)
        for target in index.items.get(text, ()):
            if function_of(target) is function:
                if not isinstance(target.parent, nodes.Assign) or constant(target.parent.value) not in (0, 1):
                    return None
                kind = Kind.MIXED if kind in _FLOATING else kind
        for call in index.calls_in.get(function, ()):
            method = last_name(call.func) or ""
            if method.endswith("_") and dotted(getattr(call.func, "expr", None)) == text:
                return None
        return kind

    # -- calls -------------------------------------------------------------------------------------

    def call(self, call: nodes.Call, frame: Frame | None, depth: int) -> Kind | None:
        if is_open(call):
            return None
        with self.names.within(frame):
            values = self.names.values(call.func)
        match values:
            case [Symbol(name)] if name.startswith(("torch.", "numpy.")):
                return self.function(name.partition(".")[2], call, frame, depth)
            case [Function() as function]:
                return self.returned(function, call, frame, depth)
            case [Method(name, Instance("torch.Tensor"))]:
                return self.method(name.rpartition(".")[2], call, frame, depth)
            case [Unknown()] if isinstance(call.func, nodes.Attribute):
                return self.method(call.func.attrname, call, frame, depth)
        return None

    def returned(self, function: Function, call: nodes.Call, frame: Frame | None, depth: int) -> Kind | None:
        index = self.names.index_of(function.node)
        returns = index.returns.get(function.node, ())
        if not returns or function.node in index.yields:
            return None
        inner = self.names.frame(function, call, frame)
        return _same(self.of(one.value, inner, depth) for one in returns if constant(one.value) is not None)

    def function(self, name: str, call: nodes.Call, frame: Frame | None, depth: int) -> Kind | None:
        first = argument(call, 0, "input")
        dtype = argument(call, None, "dtype")
        match name:
            case "ones" | "zeros" | "eye":
                filled = Kind.MIXED if name == "eye" else Kind.ONES if name == "ones" else Kind.ZEROS
                return filled if dtype is None else _converted(filled, last_name(dtype))
            case "ones_like" | "zeros_like":
                like = Kind.ONES if name == "ones_like" else Kind.ZEROS
                if dtype is not None:
                    return _converted(like, last_name(dtype))
                kind = self.of(first, frame, depth)
                return like if kind in _FLOATING else kind
            case "tensor" | "as_tensor":
                given = argument(call, 0, "data")
                made = _written(given) or self.of(given, frame, depth)
                return made if dtype is None else _converted(made, last_name(dtype))
            case "from_numpy":
                return self.of(argument(call, 0, "ndarray"), frame, depth)
            case "FloatTensor" | "BoolTensor" | "LongTensor" | "ByteTensor":
                return _converted(_written(call.args[0]), name) if call.args else None
            case "tril" | "triu":
                return _cut(self.of(first, frame, depth))
            case "where":
                chosen = {constant(argument(call, 1, "input")), constant(argument(call, 2, "other"))}
                return Kind.MIXED if chosen == {0.0, 1.0} and all(isinstance(one, float) for one in chosen) else None
        if name in _COMPARING:
            return Kind.BOOL
        return self.of(first, frame, depth) if name in _KEEPING else None

    def method(self, name: str, call: nodes.Call, frame: Frame | None, depth: int) -> Kind | None:
        receiver = call.func.expr
        if name in _COMPARING:
            return Kind.BOOL
        if name in _KEEPING:
            return self.of(receiver, frame, depth)
        if name in ("tril", "triu"):
            return _cut(self.of(receiver, frame, depth))
        if name in _FLOATS | _INTEGERS | _BOOLS:
            kind = self.of(receiver, frame, depth)
            return Kind.CAST if kind is None and name in _FLOATS and _is_given(receiver) else _converted(kind, name)
        if name in ("to", "type", "type_as", "astype"):
            return self.moved(self.of(receiver, frame, depth), call)
        return None

    def moved(self, kind: Kind | None, call: nodes.Call) -> Kind | None:
        """Return what ``to`` or ``type`` makes of a mask of *kind*: another dtype, or the same elsewhere."""
        target = argument(call, None, "dtype") or argument(call, 0, "other")
        name = last_name(target) or constant(target)
        if name in _FLOATS | _INTEGERS | _BOOLS:
            return _converted(kind, name)
        if name == "dtype" or last_name(call.func) == "type_as":  # that of the query or the scores
            return _converted(kind, "float")
        text = "" if target is None else target.as_string()
        return kind if target is None or any(word in text for word in ("dev", "cuda", "cpu")) else None


def _same(kinds: Iterable[Kind | None]) -> Kind | None:
    """Return the one of *kinds* if they all agree."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else None


def _is_given(node: nodes.NodeNG) -> bool:
    """Return whether *node* is a parameter that is called a mask."""
    if not isinstance(node, nodes.Name) or "mask" not in node.name:
        return False
    found = scopes.definitions(node, node.name)
    return bool(found) and all(isinstance(one.parent, nodes.Arguments) for one in found)


def _speaks_of(call: nodes.Call, parameter: str) -> bool:
    """Return whether *call* may pass *parameter*: by its name, or a mask by position."""
    if any(keyword.arg == parameter for keyword in call.keywords):
        return True
    return any(isinstance(arg, nodes.Call) or "mask" in (last_name(arg) or "") for arg in call.args[1:])


def _cut(kind: Kind | None) -> Kind | None:
    """Return what ``tril`` or ``triu`` leave of a mask of *kind*."""
    return Kind.MIXED if kind is Kind.ONES else kind


def _converted(kind: Kind | None, dtype: object) -> Kind | None:
    """Return what a mask of *kind* is as *dtype*."""
    if kind is None:
        return None
    if dtype in _FLOATS:
        return Kind.MIXED if kind in (Kind.BOOL, Kind.INTEGER) else kind
    return Kind.BOOL if dtype in _BOOLS else Kind.INTEGER if dtype in _INTEGERS else None


def _written(node: nodes.NodeNG | None) -> Kind | None:
    """Return what the nested list *node* holds."""
    found = list(_constants(node))
    if not found or any(value not in (0, 1) for value in found):
        return None
    types = {type(value) for value in found}
    if types == {bool}:
        return Kind.BOOL
    if types == {int}:
        return Kind.INTEGER
    return Kind.MIXED if float in types and len(set(found)) == 2 else None


def _constants(node: nodes.NodeNG | None) -> Iterator[object]:
    if isinstance(node, (nodes.List, nodes.Tuple)):
        for element in node.elts:
            yield from _constants(element)
    else:
        yield constant(node)
