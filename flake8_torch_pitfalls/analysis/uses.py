"""Where a value goes: into plain data, into a backward pass, out of sight.

A value is followed through operations, names, containers and functions of the project until something is
done to it that settles what it was wanted for.
"""
from __future__ import annotations

import enum
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import COMPREHENSIONS, function_of, is_open, last_name, walk
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance, Method, Symbol, Unknown

_STEPS = 400
_DEEPEST = 3


class Use(enum.Enum):
    """What becomes of a value."""

    DATA = "numbers, indices, text or a detached copy: its graph is of no use"
    META = "only its shape, type or device is looked at"
    SHOWN = "drawn or saved as a picture"
    DROPPED = "nothing"
    BACKWARD = "a gradient is computed through it"
    RETURNED = "given to an unknown caller"
    STORED = "kept on an object or in a global"
    HANDED = "handed to code that cannot be read"


_GRADIENTS = frozenset("backward requires_grad_ retain_grad register_hook grad grad_fn".split())
_GRADIENT_STEPS = frozenset("backward manual_backward adapt minimize".split())
"""Methods that take a loss and go backward from it: of engines, fabrics, meta-learners."""
_META_ATTRIBUTES = frozenset("shape size dim ndim numel nelement dtype device requires_grad is_cuda __len__".split())
_DETACHING_ATTRIBUTES = frozenset("detach detach_ data".split())
_DATA_ATTRIBUTES = frozenset(
    "item tolist argmax argmin argsort long int bool byte short eq ne gt ge lt le isnan isinf isfinite equal "
    "allclose nonzero multinomial bernoulli numpy".split()
)
"""What, called on a tensor, leaves no way back through its graph."""
_DATA_FUNCTIONS = frozenset(
    "argmax argmin argsort eq ne gt ge lt le isnan isinf isfinite equal allclose multinomial bernoulli nonzero "
    "is_tensor numel histc bincount".split()
)
_TENSOR_HOMES = ("torch", "torch.Tensor")
_DATA_BUILTINS = frozenset("print str repr float int bool round format range".split())
_PASSING_BUILTINS = frozenset(
    "sum max min abs zip enumerate list tuple set dict sorted reversed map filter iter next getattr pow".split()
)
_DATA_PACKAGES = frozenset(
    "sklearn scipy pandas json logging wandb torchmetrics math tqdm mlflow tensorboardX csv warnings".split()
)
_PICTURE_PACKAGES = frozenset("PIL cv2 matplotlib seaborn imageio skimage plotly torchvision".split())
_KEEPERS = frozenset(("append", "extend", "add", "insert", "appendleft", "put", "setdefault", "update"))
"""Methods that put an argument into the container they are called on."""


def uses(
    names: Names, node: nodes.NodeNG, stack: tuple[nodes.Call, ...] = (), *, beyond_data: bool = False
) -> set[Use]:
    """Return what becomes of the value of *node*; *stack* is the calls that led to its function.

    A detached value is ``DATA`` and followed no further, unless *beyond_data*: then also numbers and indices
    are followed to where they end.
    """
    return set(_Trace(names, stack, beyond_data).follow(node))


class _Trace:
    def __init__(self, names: Names, stack: tuple[nodes.Call, ...], beyond_data: bool) -> None:
        self.names = names
        self.stack = stack
        self.beyond_data = beyond_data
        self.seen: set[object] = set()

    def follow(self, node: nodes.NodeNG, depth: int = 0) -> Iterator[Use]:
        """Yield the uses of the value of *node*, *depth* functions below where the question was asked."""
        if (node, depth) in self.seen:
            return
        self.seen.add((node, depth))
        if len(self.seen) > _STEPS:
            yield Use.HANDED
            return
        parent = node.parent
        match parent:
            case nodes.Attribute():
                yield from self.attribute(parent, depth)
            case nodes.Call():
                if node is not parent.func:
                    yield from self.argument(node, parent, depth)
                else:
                    yield Use.HANDED  # the value is itself called
            case nodes.Keyword():
                yield from self.argument(node, parent.parent, depth)
            case nodes.Assign():
                for target in parent.targets:
                    yield from self.bound(target, depth)
            case nodes.AnnAssign() | nodes.AugAssign() | nodes.NamedExpr():
                if node is parent.target:
                    return
                yield from self.bound(parent.target, depth)
                if isinstance(parent, nodes.NamedExpr):
                    yield from self.follow(parent, depth)
            case nodes.Return() | nodes.Yield() | nodes.YieldFrom():
                yield from self.returned(parent, depth)
            case nodes.Lambda() if not isinstance(parent, nodes.FunctionDef):
                yield Use.RETURNED
            case nodes.Subscript():
                if node is parent.value:
                    yield from self.follow(parent, depth)
                else:
                    yield from self.data(parent, depth)
            case nodes.For() | nodes.AsyncFor():
                yield from self.bound(parent.target, depth)
            case nodes.Comprehension():
                if node is parent.iter:
                    yield from self.bound(parent.target, depth)
                else:
                    yield Use.DATA
            case nodes.With():
                yield Use.HANDED
            case (
                nodes.BinOp() | nodes.UnaryOp() | nodes.IfExp() | nodes.BoolOp() | nodes.Tuple() | nodes.List()
                | nodes.Set() | nodes.Dict() | nodes.Starred() | nodes.Await() | nodes.ListComp() | nodes.SetComp()
                | nodes.DictComp() | nodes.GeneratorExp()
            ):  # fmt: skip
                if isinstance(parent, nodes.UnaryOp) and parent.op == "not":
                    yield Use.DATA
                else:
                    yield from self.follow(parent, depth)
            case nodes.Delete():
                return
            case nodes.Expr():
                yield Use.DROPPED
            case nodes.Compare():
                yield from self.data(parent, depth)
            case _:  # printed, tested
                yield Use.DATA

    def attribute(self, node: nodes.Attribute, depth: int) -> Iterator[Use]:
        """Follow a value whose attribute is read."""
        name = node.attrname
        call = node.parent if isinstance(node.parent, nodes.Call) and node.parent.func is node else None
        if name in _GRADIENTS:
            yield Use.BACKWARD
        elif name in _META_ATTRIBUTES:
            yield Use.META
        elif name in _DETACHING_ATTRIBUTES:
            yield from self.detached(call or node, depth)
        elif name in _DATA_ATTRIBUTES:
            yield from self.data(call or node, depth)
        elif call is None:
            yield from self.follow(node, depth)
        elif name in _KEEPERS and name != "add":
            return  # the container itself: what is read from it is followed where it is read
        else:
            yield from self.follow(call, depth)

    def data(self, node: nodes.NodeNG, depth: int) -> Iterator[Use]:
        """Follow a value that *node* turns into numbers or indices."""
        yield Use.DATA
        if self.beyond_data:
            yield from self.follow(node, depth)

    def detached(self, node: nodes.NodeNG, depth: int) -> Iterator[Use]:
        """Follow a value whose detached copy *node* is."""
        if self.beyond_data:
            yield from self.follow(node, depth)
        else:
            yield Use.DATA

    def argument(self, node: nodes.NodeNG, call: nodes.Call, depth: int) -> Iterator[Use]:
        """Follow a value that is handed to *call*."""
        name = last_name(call.func)
        if isinstance(call.func, nodes.Attribute) and name in _KEEPERS and self.is_container(call.func.expr):
            yield from self.held(call.func.expr, depth)
            return
        if name in _GRADIENT_STEPS:
            yield Use.BACKWARD
            return
        for value in self.names.values(call.func):
            yield from self.handed(node, call, value, depth)

    def is_container(self, node: nodes.NodeNG) -> bool:
        return not any(isinstance(value, (Function, Instance, Symbol)) for value in self.names.known(node))

    def handed(self, node: nodes.NodeNG, call: nodes.Call, value: object, depth: int) -> Iterator[Use]:
        match value:
            case Symbol(name) | Method(name):
                yield from self.outside(name, call, depth)
            case Function(function):
                yield from self.into(function, node, call, value.receiver is not None, depth)
            case Instance():
                if not self.names.is_a(value, "torch.nn.Module"):
                    yield Use.HANDED
                yield from self.follow(call, depth)
            case Class(cls):
                init = self.names.method(cls, "__init__")
                yield Use.STORED if init is not None else Use.HANDED
            case Unknown() if isinstance(call.func, nodes.Attribute) and self.is_tensor_method(call):
                yield from self.follow(call, depth)
            case _:  # what comes back is most likely made from it
                yield Use.HANDED
                yield from self.follow(call, depth)

    def is_tensor_method(self, call: nodes.Call) -> bool:
        """Return whether *call* has the name of a tensor's method and no known receiver: ``a.eq(b)``, ``a.add(b)``."""
        return torch_model.member("torch.Tensor", call.func.attrname) is not None

    def outside(self, name: str, call: nodes.Call, depth: int) -> Iterator[Use]:
        """Follow a value into a function that is not the project's."""
        package, _, short = name.rpartition(".")
        top = name.partition(".")[0]
        if name in ("torch.autograd.grad", "torch.autograd.backward"):
            yield Use.BACKWARD
        elif name in ("len", "isinstance", "type", "id", "hash"):
            yield Use.META
        elif top in _PICTURE_PACKAGES and not name.startswith("torchvision.models"):
            yield Use.SHOWN
        elif name in _DATA_BUILTINS or top in _DATA_PACKAGES:
            yield from self.data(call, depth)
        elif top == "numpy":
            yield from self.detached(call, depth)
        elif short in (_DATA_FUNCTIONS if package == "torch" else _DATA_ATTRIBUTES) and package in _TENSOR_HOMES:
            yield from self.data(call, depth)
        elif name in ("torch.save", "torch.tensor"):
            yield from self.data(call, depth)
        elif torch_model.modelled(name) or name in _PASSING_BUILTINS:
            if "SummaryWriter" in name:
                yield Use.DATA
            else:
                yield from self.follow(call, depth)
        else:
            yield Use.HANDED
            yield from self.follow(call, depth)

    def into(
        self, function: nodes.FunctionDef | nodes.Lambda, node: nodes.NodeNG, call: nodes.Call, bound: bool, depth: int
    ) -> Iterator[Use]:
        """Follow a value into the parameter of a function of the project that it becomes."""
        given = scopes.match_arguments(function, call, bound=bound)
        inside = [name for name, value in given.items() if value is node]
        if not inside or is_open(call) or depth >= _DEEPEST:
            yield Use.HANDED
            return
        found = set(self.named(function, inside[0], function, depth + 1))
        yield from found - {Use.RETURNED}
        if Use.RETURNED in found:
            yield from self.follow(call, depth)

    def bound(self, target: nodes.NodeNG, depth: int) -> Iterator[Use]:
        """Follow a value that is assigned to *target*."""
        match target:
            case nodes.AssignName():
                scope = target.scope()
                if isinstance(scope, COMPREHENSIONS):
                    yield from self.named(scope, target.name, target, depth)
                elif isinstance(scope, nodes.FunctionDef) and _is_global(scope, target.name):
                    yield Use.STORED
                else:
                    yield from self.named(scope, target.name, target, depth)
            case nodes.AssignAttr():
                yield Use.STORED
            case nodes.Subscript():
                yield from self.held(target.value, depth)
            case nodes.Tuple() | nodes.List():
                for element in target.elts:
                    yield from self.bound(element, depth)
            case nodes.Starred():
                yield from self.bound(target.value, depth)

    def held(self, container: nodes.NodeNG, depth: int) -> Iterator[Use]:
        """Follow a value that is put into *container*."""
        if isinstance(container, nodes.Name):
            scope = function_of(container)
            if container.name in scope.locals and not _is_parameter(scope, container.name):
                yield from self.named(scope, container.name, None, depth)
                return
        yield Use.STORED

    def named(
        self, scope: nodes.NodeNG, name: str, definition: nodes.NodeNG | None, depth: int
    ) -> Iterator[Use]:
        """Follow the uses of *name* in *scope* that *definition* can reach (all of them, if it is None)."""
        if (scope, name, definition, depth) in self.seen:
            return
        self.seen.add((scope, name, definition, depth))
        for use in walk(scope):
            if not isinstance(use, nodes.Name) or use.name != name:
                continue
            if definition is not None and not isinstance(definition, (nodes.FunctionDef, nodes.Lambda)):
                augmented = isinstance(definition.statement(), nodes.AugAssign)
                if not augmented and definition not in scopes.definitions(use, name):
                    continue
            yield from self.follow(use, depth)

    def returned(self, statement: nodes.NodeNG, depth: int) -> Iterator[Use]:
        if depth or not self.stack or not isinstance(statement, nodes.Return):
            yield Use.RETURNED
            return
        outer = _Trace(self.names, self.stack[:-1], self.beyond_data)
        yield from outer.follow(self.stack[-1])


def _is_global(scope: nodes.FunctionDef, name: str) -> bool:
    return name not in scope.locals


def _is_parameter(scope: nodes.NodeNG, name: str) -> bool:
    return any(isinstance(node.parent, nodes.Arguments) for node in scope.locals.get(name, ()))
