"""A tensor that is a plain attribute of a module stays where it was made when the module moves.

## What happens
`nn.Module` moves its parameters and its buffers. `self.mask = torch.ones(8)` in `__init__` is neither: `to("cuda")`
and `half()` pass it by, and the first `forward` that brings it together with an input or a parameter raises
`Expected all tensors to be on the same device`. `state_dict()` does not hold it either, and a loaded model keeps
what its constructor made.

## What to write
`self.register_buffer("mask", torch.ones(8))`: the attribute reads as before, and moves and is saved with the module.
`persistent=False` leaves it out of `state_dict()`, where a constant need not be.

## Silent
- `register_buffer`, `nn.Parameter`, `nn.Buffer`.
- A tensor that is moved where it is used: `self.mask.to(x.device)`, `type_as(x)`.
- A tensor made on a device that the constructor is given: who passes devices by hand, moves by hand.
- Tensors assigned in `forward` or in another method, and classes that override `_apply` or `to`.
- Tensors of no dimension, which torch takes for numbers on any device, and those read by `.item()` or `.tolist()`.
- Indices on the CPU: `x[:, self.order]` takes them for tensors on any device.
- Tensors that do not meet an input or a parameter: only their shape is read, or they are moved first.

## Known limits
The tensor must be made in the file of the class, and meet others there: in its methods, in functions they call.

## Sources
- `torch.nn.Module.register_buffer` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import construction, devices, layers, scopes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, class_of, constant, function_of, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"forward", "training_step"}

PARAMETER = "torch.nn.Parameter"
_MOVERS = ("_apply", "to", "cuda")
_FOLLOWS = frozenset((*devices.MOVES, "type_as", "type", "device"))
"""What is asked of a tensor by those who put things on one device themselves."""
_NO_TENSOR = frozenset(
    "item tolist numpy size dim numel shape device dtype ndim ndimension stride is_cuda requires_grad data_ptr "
    "element_size nelement layout get_device is_contiguous names".split()
)
_REDUCTIONS = frozenset("sum mean prod max min std var norm all any median amax amin".split())
_GIVES_DIMENSIONS = frozenset("view reshape unsqueeze expand repeat broadcast_to".split())
"""Methods whose result has a dimension, whatever the tensor has."""
_COPIES = ("tensor", "as_tensor", "zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "empty_like")
_ASKED_OF_TENSORS = (
    "shape size view device dim unsqueeze squeeze float long bool dtype reshape mean sum permute transpose contiguous "
    "expand detach clone flatten softmax argmax new_zeros numel ndim t masked_fill to cuda type_as"
).split()
_NEED_ONE_DEVICE = devices.NEED_ONE_DEVICE | {
    "einsum", "outer", "tensordot", "kron", "grid_sample", "embedding_bag", "stft", "istft", "baddbmm", "addmv",
    "scaled_dot_product_attention",
}  # fmt: skip
_SAME_DATA = frozenset(("T", "mT", "H", "mH", "data", "real", "imag"))
_DEEPEST = 12


def check(source: Source) -> Iterator[Finding]:
    """Yield the tensors that a module keeps as plain attributes, and uses together with what moves."""
    if "set_default_device" in source.index.calls or "set_default_tensor_type" in source.index.calls:
        return
    for name, targets in source.index.stores.items():
        if name not in source.index.attributes:
            continue
        reported: set[nodes.ClassDef | None] = set()
        for target in targets:
            if class_of(target) in reported or not _is_constant_of_module(source, target, targets):
                continue
            if _Meetings(source, target).any():
                reported.add(class_of(target))
                yield Finding(
                    target,
                    f"'self.{name}' is no buffer: '.to(device)' and 'state_dict' miss it; "
                    f"use 'register_buffer(\"{name}\", ...)'",
                )


def _is_constant_of_module(source: Source, target: nodes.AssignAttr, targets: list[nodes.AssignAttr]) -> bool:
    """Return whether a constructor puts a tensor of the CPU on *target*, and nothing else is ever put there."""
    statement = target.parent
    if not isinstance(statement, (nodes.Assign, nodes.AnnAssign)) or not isinstance(target.expr, nodes.Name):
        return False
    if not isinstance(statement.value, (nodes.Call, nodes.Name, nodes.BinOp, nodes.Subscript, nodes.UnaryOp)):
        return False
    function = function_of(target)
    cls = class_of(target)
    if cls is None or not construction.is_self(target.expr) or not source.kinds.is_kind(Instance(cls), "module"):
        return False
    names = source.names
    if not all(names.is_a(value, "torch.Tensor") for value in names.stored(target)) or _is_parameter(source, target):
        return False
    return (
        construction.constructs(names, function)
        and not any(_is_renewed(source, other, cls) for other in targets)
        and not any(names.method(cls, mover) is not None for mover in _MOVERS)
        and _is_on_cpu(source, target)
    )


def _is_parameter(source: Source, target: nodes.AssignAttr) -> bool:
    return any(source.names.is_a(value, PARAMETER, "torch.nn.Buffer") for value in source.names.stored(target))


def _is_renewed(source: Source, other: nodes.AssignAttr, cls: nodes.ClassDef) -> bool:
    """Return whether *other* gives the attribute, of *cls* or of an object of unknown class, another tensor later."""
    if construction.is_self(other.expr):
        if class_of(other) is not cls:
            return False
        if construction.constructs(source.names, function_of(other)):
            return _is_parameter(source, other)
    value = getattr(other.statement(), "value", None)
    return not isinstance(other.parent, nodes.AugAssign) and not _computes_from_itself(value, other.attrname)


def _computes_from_itself(value: nodes.NodeNG | None, name: str) -> bool:
    """Return whether *value* is an arithmetic expression with ``self.name`` in it: a running average."""
    return isinstance(value, nodes.BinOp) and any(
        read.attrname == name and construction.is_self(read.expr) for read in value.nodes_of_class(nodes.Attribute)
    )


def _is_on_cpu(source: Source, target: nodes.AssignAttr) -> bool:
    return isinstance(fact := _fact(source, target), Tensor) and fact.device == devices.CPU and not fact.graph


def _fact(source: Source, target: nodes.AssignAttr) -> object:
    done = source.tensors.of(function_of(target))
    return None if done is None else done.facts.get(target.parent.value)


class _Meetings:
    """Looks where the tensor that *target* is given meets inputs or parameters of its module."""

    def __init__(self, source: Source, target: nodes.AssignAttr) -> None:
        self.source = source
        self.names = source.names
        self.target = target
        fact = _fact(source, target)
        assert isinstance(fact, Tensor)
        self.rank = min((form.rank for form in fact.layout.forms), default=0) if fact.layout is not None else 1
        self.has_dimensions = devices.has_dimensions(fact) or self.makes_dimensions(target.parent.value)
        self._picked: set[nodes.NodeNG] = set()
        """Expressions that may be one number of the tensor, which is on no device as far as torch minds."""
        self._seen: set[nodes.NodeNG] = set()
        self._inputs: dict[nodes.NodeNG, bool] = {}

    def any(self) -> bool:
        """Return whether the tensor meets others as it is, and is nowhere brought to their device."""
        cls = class_of(self.target)
        reads = [
            read
            for read in self.source.index.attributes[self.target.attrname]
            if construction.is_self(read.expr) and (class_of(read) is cls or cls in self.names.mro(class_of(read)))
        ]
        if any(_asked_of(read) in ("requires_grad", "requires_grad_") for read in reads):
            return False  # TP206 looks at what is to be trained
        reads = [read for read in reads if not construction.constructs(self.names, function_of(read))]
        if any(_asked_of(read) in _FOLLOWS for read in reads):
            return False
        return any(self.meets(read) for read in reads)

    # -- what happens to the tensor ----------------------------------------------------------------

    def meets(self, node: nodes.NodeNG) -> bool:
        """Return whether the value of *node*, on the CPU, is used in one operation with an input or parameter."""
        if node in self._seen or len(self._seen) > 200:
            return False
        self._seen.add(node)
        parent = node.parent
        match parent:
            case nodes.Attribute():
                return self.asked(parent)
            case nodes.Subscript():
                return parent.value is node and (self.is_input(parent.slice) or self.becomes(parent, node))
            case nodes.BinOp():
                other = parent.right if parent.left is node else parent.left
                return self.combined(node, parent, (other,), elementwise=parent.op != "@")
            case nodes.Compare():
                others = [parent.left, *(operand for _, operand in parent.ops)]
                return self.combined(node, parent, [other for other in others if other is not node], elementwise=True)
            case nodes.AugAssign():
                return self.is_sized(node) and self.is_input(parent.target)
            case nodes.UnaryOp() | nodes.IfExp():
                return self.becomes(parent, node)
            case nodes.List() | nodes.Tuple():
                return isinstance(parent.parent, nodes.Call) and self.given(node, parent.parent, parent.elts)
            case nodes.Keyword():
                return self.given(node, parent.parent, ())
            case nodes.Call() if node in parent.args:
                return self.given(node, parent, ())
            case nodes.Assign():
                return self.named(node, parent)
            case nodes.Return():
                return self.returned(node, function_of(node))
        return False

    def becomes(self, result: nodes.NodeNG, node: nodes.NodeNG) -> bool:
        """Follow the tensor from *node* into *result*, which is computed from it alone."""
        if node in self._picked or self._may_be_number(result):
            self._picked.add(result)
        return self.meets(result)

    def _may_be_number(self, result: nodes.NodeNG) -> bool:
        match result:
            case nodes.Subscript(slice=nodes.Slice()):
                return False
            case nodes.Subscript(slice=nodes.Tuple() as index):
                return self.rank <= len(index.elts) and not any(isinstance(one, nodes.Slice) for one in index.elts)
            case nodes.Subscript():
                return self.rank < 2
            case nodes.Call(func=nodes.Attribute(attrname=name)):
                return name in _REDUCTIONS
        return False

    def is_sized(self, node: nodes.NodeNG) -> bool:
        """Return whether the value of *node* surely has a dimension, so that torch does not take it for a number."""
        return self.has_dimensions and node not in self._picked

    def asked(self, attribute: nodes.Attribute) -> bool:
        """Follow the tensor into its attribute or method."""
        name, call = attribute.attrname, attribute.parent
        if name in _SAME_DATA:
            return self.becomes(attribute, attribute.expr)
        if name in _FOLLOWS or name in _NO_TENSOR or not isinstance(call, nodes.Call) or call.func is not attribute:
            return False
        if torch_model.member("torch.Tensor", name) is None:
            return False
        if name in _NEED_ONE_DEVICE:
            return self.combined(attribute.expr, call, _arguments(call), name in devices.ELEMENTWISE)
        return self.becomes(call, attribute.expr)

    def combined(
        self, node: nodes.NodeNG, result: nodes.NodeNG, others: Iterable[nodes.NodeNG], elementwise: bool
    ) -> bool:
        """Return whether one of *others* is on another device than *node*, or the *result* meets such a one later."""
        if any(self.is_input(other) for other in others):
            return self.is_sized(node) or not elementwise
        return self.becomes(result, node)

    def given(self, node: nodes.NodeNG, call: nodes.Call, beside: Iterable[nodes.NodeNG]) -> bool:
        """Follow the tensor into the argument *node* of *call*."""
        if isinstance(call.func, nodes.Attribute) and call.func.attrname in _NEED_ONE_DEVICE:
            if self.is_input(call.func.expr):
                return self.is_sized(node) or call.func.attrname not in devices.ELEMENTWISE
        others = [other for other in (*beside, *_arguments(call)) if other is not node]
        for value in self.names.values(call.func):
            match value:
                case Symbol(name) if name.startswith("torch."):
                    short = name.rpartition(".")[2]
                    if short in _NEED_ONE_DEVICE:
                        return self.combined(node, call, others, short in devices.ELEMENTWISE)
                    return short not in _COPIES and self.becomes(call, node)
                case Instance() if self.source.kinds.is_kind(value, "module"):
                    if layers.has(self.names, value, layers.Trait.PARAMETERS) is True and isinstance(value.cls, str):
                        return True
                    return isinstance(value.cls, str) and value.cls.endswith("Loss") and (
                        self.combined(node, call, others, elementwise=True)
                    )
                case Function(nodes.FunctionDef() as function):
                    return self.passed(function, value, node, call)
        return False

    def passed(self, function: nodes.FunctionDef, value: Function, node: nodes.NodeNG, call: nodes.Call) -> bool:
        """Follow the tensor into a function of the file, which may bring it together with its other arguments."""
        if function.root() is not self.source.module or is_open(call):
            return False
        given = scopes.match_arguments(function, call, bound=value.receiver is not None)
        name = next((name for name, passed in given.items() if passed is node), None)
        for parameter in function.args.arguments:
            if parameter.name in given and parameter not in self._inputs:
                self._inputs[parameter] = self.is_input(given[parameter.name])
        return any(
            self.becomes(use, node)
            for use in self.source.index.within(function, nodes.Name)
            if use.name == name and function_of(use) is function and _is_parameter_use(use)
        )

    def named(self, node: nodes.NodeNG, statement: nodes.Assign) -> bool:
        """Follow the tensor into the local variable that it is assigned to."""
        [target] = statement.targets[:1]
        if not isinstance(target, nodes.AssignName):
            return False
        function = function_of(statement)
        return any(
            self.becomes(use, node)
            for use in self.source.index.within(function, nodes.Name)
            if use.name == target.name and target in scopes.definitions(use, use.name)
        )

    def returned(self, node: nodes.NodeNG, function: nodes.NodeNG) -> bool:
        """Follow the tensor out of a method or function, to where the module itself calls it."""
        if not isinstance(function, nodes.FunctionDef) or function.name == "forward":
            return False
        return any(
            self.becomes(call, node)
            for call in self.source.index.calls.get(function.name, ())
            if class_of(call) is class_of(self.target)
            and (isinstance(call.func, nodes.Name) or construction.is_self(getattr(call.func, "expr", None)))
        )

    def makes_dimensions(self, value: nodes.NodeNG, depth: int = 0) -> bool:
        """Return whether *value* is computed from a tensor with dimensions, and none of them is reduced."""
        if depth > _DEEPEST:
            return False
        parts: list[nodes.NodeNG] = []
        match value:
            case nodes.Call() if last_name(value.func) in _REDUCTIONS:
                return False
            case nodes.Call() if devices.makes_dimensions(value) or value.args and _is_made_of_array(value):
                return True
            case nodes.Call(func=nodes.Attribute(attrname=name), args=[_, *_]) if name in _GIVES_DIMENSIONS:
                return True
            case nodes.Subscript(slice=nodes.Tuple() | nodes.Slice() as index):
                return _leaves_dimension(index)
            case nodes.Call():
                parts = [*value.args, *([value.func.expr] if isinstance(value.func, nodes.Attribute) else [])]
            case nodes.BinOp():
                parts = [value.left, value.right]
            case nodes.Name():
                parts = [one for bound in scopes.definitions(value, value.name) for one in given_to(bound)]
            case nodes.Attribute() if construction.is_self(value.expr):
                stores = self.source.index.stores.get(value.attrname, ())
                parts = [one.parent.value for one in stores if isinstance(one.parent, nodes.Assign)]
        return any(self.makes_dimensions(part, depth + 1) for part in parts)

    # -- what it meets -----------------------------------------------------------------------------

    def is_input(self, node: nodes.NodeNG, depth: int = 0) -> bool:
        """Return whether *node* is a tensor where the module and its inputs are."""
        if depth > _DEEPEST:
            return False
        match node:
            case nodes.Name():
                return any(self.is_bound_to_input(one, depth) for one in scopes.definitions(node, node.name))
            case nodes.AssignName():
                return any(self.is_bound_to_input(one, depth) for one in scopes.definitions(node, node.name))
            case nodes.Attribute():
                if construction.is_self(node.expr):
                    return self.is_registered(node)
                return node.attrname in _SAME_DATA and self.is_input(node.expr, depth + 1)
            case nodes.Subscript():
                return self.is_input(node.value, depth + 1)
            case nodes.BinOp():
                return self.is_input(node.left, depth + 1) or self.is_input(node.right, depth + 1)
            case nodes.UnaryOp():
                return node.op != "not" and self.is_input(node.operand, depth + 1)
            case nodes.Compare():
                operands = (node.left, *(operand for _, operand in node.ops))
                return any(self.is_input(operand, depth + 1) for operand in operands)
            case nodes.Call():
                return self.makes_input(node, depth)
        return False

    def is_bound_to_input(self, definition: nodes.NodeNG, depth: int) -> bool:
        if definition in self._inputs:
            return self._inputs[definition]
        self._inputs[definition] = False  # for recursion
        if isinstance(definition.parent, nodes.Arguments):
            function = definition.parent.parent
            found = self.is_tensor_parameter(function, definition.name) or any(
                self.is_input(given, depth + 1) for given in self.handed_to(function, definition.name)
            )
        else:
            found = any(self.is_input(value, depth + 1) for value in given_to(definition))
        self._inputs[definition] = found
        return found

    def handed_to(self, function: nodes.NodeNG, name: str) -> Iterator[nodes.NodeNG]:
        """Yield what the forward pass of the module gives to the parameter *name* of its method *function*."""
        if not isinstance(function, nodes.FunctionDef) or function.parent is not class_of(self.target):
            return
        for call in self.source.index.calls.get(function.name, ()):
            if not construction.is_self(getattr(call.func, "expr", None)) or class_of(call) is not function.parent:
                continue
            if getattr(function_of(call), "name", "") in WORDS:
                given = scopes.match_arguments(function, call, bound=True)
                if not is_open(call) and name in given:
                    yield given[name]

    def is_tensor_parameter(self, function: nodes.NodeNG, name: str) -> bool:
        """Return whether the parameter *name* is a tensor: so annotated, the first of ``forward``, or used as one."""
        if not isinstance(function, nodes.FunctionDef):
            return False
        declared = scopes.annotation(function, name)
        if declared is not None:
            return any(self.names.is_a(value, "torch.Tensor") is True for value in self.names.annotated(declared))
        names = [one.name for one in function.args.arguments]
        if function.name == "forward" and names[1:2] == [name]:
            return True
        return any(
            isinstance(read.expr, nodes.Name) and read.expr.name == name and function_of(read) is function
            for word in _ASKED_OF_TENSORS
            for read in self.source.index.attributes.get(word, ())
        ) or any(
            isinstance(given, nodes.Name) and given.name == name
            for call in self.source.index.calls_in.get(function, ())
            for given in call.args
            if (self.names.symbol(call.func) or "").startswith("torch.nn.functional.")
        )

    def is_registered(self, node: nodes.Attribute) -> bool:
        """Return whether *node* is a parameter or buffer of its module."""
        owner = class_of(node)
        if owner is None:
            return False
        stores = list(self.names.stores(owner, node.attrname))
        return any(isinstance(store, nodes.Call) for store in stores) or any(
            self.names.is_a(value, PARAMETER) for value in self.names.known(node)
        )

    def makes_input(self, call: nodes.Call, depth: int) -> bool:
        """Return whether the result of *call* is a tensor where the module and its inputs are."""
        if (device := argument(call, None, "device")) is not None:
            return constant(device) is ... and "device" in device.as_string()
        if isinstance(call.func, nodes.Attribute) and not construction.is_self(call.func.expr):
            if call.func.attrname in _NO_TENSOR or call.func.attrname in devices.MOVES:
                return False
            if self.is_input(call.func.expr, depth + 1):
                return torch_model.member("torch.Tensor", call.func.attrname) is not None
        for value in self.names.values(call.func):
            match value:
                case Symbol(name) if name.startswith("torch."):
                    return any(self.is_input(one, depth + 1) for one in _arguments(call))
                case Instance() if self.source.kinds.is_kind(value, "module"):
                    return layers.has(self.names, value, layers.Trait.PARAMETERS) is True or any(
                        self.is_input(one, depth + 1) for one in _arguments(call)
                    )
        return False


def _asked_of(read: nodes.Attribute) -> str | None:
    """Return the attribute that is read or set of the tensor *read*."""
    parent = read.parent
    return parent.attrname if isinstance(parent, (nodes.Attribute, nodes.AssignAttr)) else None


def _arguments(call: nodes.Call) -> list[nodes.NodeNG]:
    """Return what *call* is given, the members of lists and tuples one by one."""
    given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
    return [
        one for node in given for one in (node.elts if isinstance(node, (nodes.List, nodes.Tuple)) else (node,))
    ]


def _is_made_of_array(call: nodes.Call) -> bool:
    name = last_name(call.func) or ""
    return isinstance(call.args[0], (nodes.List, nodes.ListComp)) or name == "from_numpy" or name.endswith("Tensor")


def _leaves_dimension(index: nodes.NodeNG) -> bool:
    """Return whether what *index* takes of a tensor surely has a dimension: ``x[None]``, ``x[:, None]``."""
    parts = index.elts if isinstance(index, nodes.Tuple) else [index]
    return any(isinstance(part, nodes.Slice) or constant(part) is None for part in parts)


def _is_parameter_use(use: nodes.Name) -> bool:
    return any(isinstance(one.parent, nodes.Arguments) for one in scopes.definitions(use, use.name))
