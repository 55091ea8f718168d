"""What ``torch.load`` refuses unless it is told to unpickle everything.

The classes that it accepts by default are those of ``torch._weights_only_unpickler``: tensors and what they are
made of, and Python's plain values and containers.
"""
from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.checkpoints import items
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.origins import origins, uses_of
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import last_name, text_of
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance, Method, Namespace, Symbol, Value

DEEPEST = 4
ACCEPTED = {
    "torch.Tensor", "torch.nn.Parameter", "torch.nn.Buffer", "torch.nn.parameter.UninitializedParameter",
    "torch.nn.parameter.Buffer", "torch.nn.parameter.Parameter", "torch.Size", "torch.device", "torch.dtype",
}  # fmt: skip
_ACCEPTED_TYPES = (
    dict, list, tuple, set, str, bytes, bytearray, int, float, complex, bool, collections.OrderedDict,
    collections.Counter,
)  # fmt: skip
_PLAIN_ATTRIBUTES = frozenset().union(*(dir(each) for each in _ACCEPTED_TYPES), ("index", "major", "minor"))
_ASKING = {"isinstance", "hasattr", "type", "callable", "getattr", "issubclass", "is_dataclass"}
PLAIN_CLASSES = {"collections.OrderedDict", "collections.Counter", "typing.OrderedDict", "typing.Counter"}
_MADE_ANEW = {"__reduce__", "__reduce_ex__", "__getstate__"}
"""Methods with which a class decides itself what is pickled in its place."""
_PARSERS = ("parse_args", "parse_known_args")
_REFUSED_CALLS = {
    "collections.defaultdict": ("a defaultdict", "dict({})"),
    "collections.deque": ("a deque", "list({})"),
    "frozenset": ("a frozenset", "list({})"),
    "range": ("a range", "list({})"),
    "slice": ("a slice", ""),
    "datetime.datetime.now": ("a datetime", "str({})"),
    "datetime.datetime.today": ("a datetime", "str({})"),
    "datetime.datetime.utcnow": ("a datetime", "str({})"),
    "datetime.date.today": ("a date", "str({})"),
    "pathlib.Path.cwd": ("a Path", "str({})"),
    "pathlib.Path.home": ("a Path", "str({})"),
    "pandas.read_csv": ("a DataFrame", ""),
    "numpy.random.get_state": ("numpy's random state", ""),
    "numpy.random.default_rng": ("a numpy generator", ""),
    "numpy.random.permutation": ("a numpy array", "torch.from_numpy({})"),
}  # fmt: skip
_ARRAYS = frozenset(
    "array asarray zeros ones empty full zeros_like ones_like full_like arange linspace logspace eye concatenate stack "
    "vstack hstack load loadtxt genfromtxt fromfile frombuffer unique sort argsort where cumsum diff copy transpose "
    "reshape histogram squeeze expand_dims tile repeat outer".split()
)
_SCALARS = frozenset(
    "mean average median std var sum prod min max amin amax nanmean nanstd nansum nanmax nanmin percentile quantile "
    "argmax argmin sqrt exp log log2 log10 abs power square dot trapz count_nonzero float64 float32 float16 int64 "
    "int32 int16 int8 uint8 bool_".split()
)
_KEEPING_NUMPY = frozenset(
    "mean sum std var min max prod argmax argmin astype copy reshape flatten ravel squeeze transpose round".split()
)
"""Methods of an array that give an array or scalar of numpy."""
_TO_ARRAY = frozenset(("numpy", "to_numpy"))
_NUMPY = re.compile(r"^numpy\.(\w+)$")
_CLASS_NAME = re.compile(r"^[A-Z]\w*[a-z]\w*$")
_CLASSES_OF_PYTHON = {"pathlib.Path": "str({})", "pathlib.PurePath": "str({})", "pathlib.PosixPath": "str({})",
                      "argparse.Namespace": "vars({})", "types.SimpleNamespace": "vars({})"}  # fmt: skip


def tells_object(attribute: str) -> bool:
    """Return whether nothing that ``torch.load`` accepts has an *attribute* of that name."""
    if attribute in _PLAIN_ATTRIBUTES or attribute.startswith("_"):
        return False
    return torch_model.member("torch.Tensor", attribute) is None


def is_asked_about(use: nodes.NodeNG) -> bool:
    """Return whether *use* stands where the program asks what the object is."""
    return isinstance(use.parent, nodes.Call) and last_name(use.parent.func) in _ASKING and use in use.parent.args


@dataclasses.dataclass(frozen=True, slots=True)
class Refusal:
    """An object that ``torch.load`` refuses: its key in the checkpoint (or Ellipsis), what it is, what to save."""

    key: object
    node: nodes.NodeNG
    what: str
    instead: str


class Refusals:
    """Finds what ``torch.load`` refuses in what a program saves."""

    def __init__(self, names: Names, kinds: Kinds) -> None:
        self.names = names
        self.kinds = kinds

    def within(self, saved: nodes.NodeNG, key: object = ..., depth: int = 0) -> Iterator[Refusal]:
        """Yield what is surely refused of *saved*, or of what the container it is holds, under *key*."""
        if depth > DEEPEST:
            return
        refused = self.of(saved)
        if refused is not None:
            what, instead = refused
            yield Refusal(key, saved, what, instead.format(text_of(saved)))
            return
        for inner_key, item in items(self.names, saved):
            yield from self.within(item, inner_key if depth == 0 else key, depth + 1)

    def of(self, node: nodes.NodeNG) -> tuple[str, str] | None:
        """Return what *node* itself is that is refused and what to save instead, None if it is not known to be."""
        if self.kinds.of(node, "module") is True:
            return "a module", "{}.state_dict()"
        for value in self.names.known(node):
            refused = self._of_value(value)
            if refused is not None:
                return refused
        if isinstance(node, (nodes.Attribute, nodes.Name)) and self.names.symbol(node) == "torch.__version__":
            return "a TorchVersion", "str({})"
        for made in origins(self.names, node):
            refused = self._of_made(made)
            if refused is not None:
                return refused
        used = self._object_use(node)
        return None if used is None else (f"an object with '.{used}'", "vars({})" if _is_option(node) else "")

    def _object_use(self, node: nodes.NodeNG, depth: int = 0) -> str | None:
        """Return the attribute, of none that is accepted, by which the program uses the variable *node*."""
        if depth > 2 or any(isinstance(value, (Symbol, Namespace)) for value in self.names.known(node)):
            return None
        bound = _bindings(self.names, node)
        uses = [use for target in bound for use in uses_of(self.names, target)]
        if any(is_asked_about(use) for use in uses):
            return None
        for use in uses:
            if isinstance(use.parent, (nodes.Attribute, nodes.AssignAttr)) and tells_object(use.parent.attrname):
                return str(use.parent.attrname)
        for target in bound:
            if isinstance(target, nodes.AssignAttr) and isinstance(target.parent, nodes.Assign):
                if isinstance(target.parent.value, nodes.Name):
                    return self._object_use(target.parent.value, depth + 1)
        return None

    def _of_value(self, value: Value) -> tuple[str, str] | None:
        match value:
            case Instance(str() as cls) if cls not in ACCEPTED and not cls.endswith(("Tensor", "Storage")):
                for kind in ("optimizer", "scheduler", "scaler"):
                    if self.kinds.is_kind(value, kind):
                        return f"an object of '{cls.rpartition('.')[2]}'", "{}.state_dict()"
                return f"an object of '{cls.rpartition('.')[2]}'", ""
            case Instance(nodes.ClassDef() as cls) if self._is_pickled_by_name(cls):
                return f"an object of '{cls.name}'", ""
            case Class(cls):
                return f"the class '{cls.name}'", ""
            case Function(nodes.FunctionDef() as function):
                return f"the function '{function.name}'", ""
            case Method(name):
                return f"the method '{name.rpartition('.')[2]}'", ""
        return None

    def _is_pickled_by_name(self, cls: nodes.ClassDef) -> bool:
        """Return whether an object of *cls* is pickled as one: not a dictionary in disguise, nor made as another's."""
        if any(self.names.method(cls, name) is not None for name in _MADE_ANEW):
            return False
        return "typing.TypedDict" not in self.names.mro(cls)

    def _of_made(self, made: nodes.NodeNG) -> tuple[str, str] | None:
        match made:
            case nodes.Call():
                return self._of_call(made)
            case nodes.Subscript(value=nodes.Call() as call) if last_name(call.func) == "parse_known_args":
                return "a Namespace", "vars({})"
            case nodes.BinOp(op="/", left=left) if self._is_path(left):
                return "a Path", "str({})"
            case nodes.BinOp() | nodes.UnaryOp() | nodes.Compare() if self.is_numpy(made):
                return "a numpy value", "float({})"
            case nodes.Attribute() if self._is_enum_member(made):
                return "a member of an Enum", "{}.value"
        return None

    def _of_call(self, call: nodes.Call) -> tuple[str, str] | None:
        name = last_name(call.func)
        if name in _PARSERS and isinstance(call.func, nodes.Attribute) and not self.names.callee(call):
            return ("a Namespace", "vars({})") if name == "parse_args" else None
        symbol = self.names.symbol(call.func)
        if symbol in _REFUSED_CALLS:
            return _REFUSED_CALLS[symbol]
        if self.is_numpy(call):
            if symbol is not None and (match := _NUMPY.match(symbol)) and match[1] in _SCALARS:
                return "a numpy value", "float({})"
            return "a numpy array or scalar", "torch.as_tensor({})"
        if symbol in _CLASSES_OF_PYTHON:
            return f"a {symbol.rpartition('.')[2]}", _CLASSES_OF_PYTHON[symbol]
        if symbol is not None and _is_foreign_class(symbol):
            return f"an object of '{symbol.rpartition('.')[2]}'", ""
        return None

    def is_numpy(self, node: nodes.NodeNG, depth: int = 0) -> bool:
        """Return whether *node* is surely an array or scalar of numpy."""
        if depth > DEEPEST:
            return False
        match node:
            case nodes.Call():
                return self._gives_numpy(node, depth)
            case nodes.BinOp(op="+" | "-" | "*" | "/" | "**"):
                return self.is_numpy(node.left, depth + 1) or self.is_numpy(node.right, depth + 1)
            case nodes.Compare(left=left, ops=[(_, right)]):
                return self.is_numpy(left, depth + 1) or self.is_numpy(right, depth + 1)
            case nodes.UnaryOp(op="-" | "~"):
                return self.is_numpy(node.operand, depth + 1)
            case nodes.Name() | nodes.Attribute():
                made = [one for one in origins(self.names, node) if one is not node]
                return bool(made) and all(self.is_numpy(one, depth + 1) for one in made)
        return False

    def _gives_numpy(self, call: nodes.Call, depth: int) -> bool:
        symbol = self.names.symbol(call.func)
        if symbol is not None and (match := _NUMPY.match(symbol)):
            return match[1] in _ARRAYS or match[1] in _SCALARS
        if not isinstance(call.func, nodes.Attribute):
            return False
        if call.func.attrname in _TO_ARRAY:
            return not call.args and not self.names.callee(call)
        return call.func.attrname in _KEEPING_NUMPY and self.is_numpy(call.func.expr, depth + 1)

    def _is_path(self, node: nodes.NodeNG, depth: int = 0) -> bool:
        if depth > DEEPEST:
            return False
        for made in origins(self.names, node):
            match made:
                case nodes.Call() if self.names.symbol(made.func) in _CLASSES_OF_PYTHON:
                    return last_name(made.func) != "Namespace"
                case nodes.BinOp(op="/"):
                    return self._is_path(made.left, depth + 1)
        return False

    def _is_enum_member(self, node: nodes.Attribute) -> bool:
        return any(
            isinstance(value, Class)
            and node.attrname in value.node.locals
            and any(isinstance(base, str) and base.startswith("enum.") for base in self.names.mro(value.node))
            for value in self.names.known(node.expr)
        )


def _bindings(names: Names, node: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the parameters and assignments that give the variable *node*, a name or attribute of ``self``, its value.

    None are returned for a name with several, of which each may bring another sort of object.
    """
    match node:
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
        case nodes.Attribute(expr=nodes.Name(), attrname=name):
            found = [
                target
                for value in names.known(node.expr)
                if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef)
                for target in names.stores(value.cls, name)
            ]
        case _:
            return []
    return found if len(found) == 1 and isinstance(found[0], (nodes.AssignName, nodes.AssignAttr)) else []


def _is_option(node: nodes.NodeNG) -> bool:
    """Return whether *node* is called as people call the options of a program."""
    return last_name(node) in ("args", "opt", "opts", "options", "hparams", "params", "flags")


def _is_foreign_class(symbol: str) -> bool:
    """Return whether *symbol* names, by its spelling, a class of another package that is no plain container."""
    package, _, name = symbol.rpartition(".")
    return bool(package) and symbol not in PLAIN_CLASSES and not package.startswith(("torch", "numpy", "typing")) and (
        _CLASS_NAME.match(name) is not None
    )
