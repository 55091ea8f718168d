"""What one operation does to the facts of its operands: graph, storage, what is saved, device, activation."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import layout
from flake8_torch_pitfalls.analysis.devices import follows_data
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Tensor
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open, last_name

OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "**": "pow",
    "@": "matmul", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor",
}  # fmt: skip

KEEPS_ACTIVATION = frozenset(
    "view reshape flatten squeeze unsqueeze permute transpose t contiguous to cuda cpu float double half select "
    "index detach clone expand requires_grad_ gather index_select narrow chunk split type type_as cat stack "
    "view_as reshape_as data clamp_min movedim swapaxes".split()
)
ACTIVATIONS = {
    "softmax": "softmax", "log_softmax": "log_softmax", "sigmoid": "sigmoid", "logsigmoid": "logsigmoid",
    "tanh": "tanh", "relu": "relu", "linear": "linear", "softmin": "softmax", "gumbel_softmax": "softmax",
    "conv1d": "linear", "conv2d": "linear", "conv3d": "linear", "conv_transpose1d": "linear",
    "conv_transpose2d": "linear", "conv_transpose3d": "linear", "bilinear": "linear",
}  # fmt: skip
MAY_COPY = frozenset(("contiguous", "reshape", "reshape_as", "flatten", "ravel"))
"""Ops whose result may or may not share memory with their argument, like those that move."""
FACTORIES = frozenset(
    "torch." + name
    for name in "zeros ones empty full rand randn randint randperm arange linspace logspace eye tensor as_tensor "
    "from_numpy normal tril_indices triu_indices asarray bernoulli".split()
)
_PARAMETRISED = re.compile(
    r"\.(Lazy)?(Linear|Bilinear|Embedding|EmbeddingBag|Conv\w+|\w*BatchNorm\d?d?|\w*InstanceNorm\dd|LayerNorm|"
    r"GroupNorm|RMSNorm|PReLU|LSTM\w*|GRU\w*|RNN\w*|Transformer\w*|MultiheadAttention)$"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Operand:
    """One argument of an op: its name ("" for the next in order), its fact (None: no tensor, or unknown)."""

    name: str
    fact: Tensor | None
    node: nodes.NodeNG | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Done:
    """The outcome of an op."""

    result: Fact | None
    in_place: bool = False
    made: frozenset[nodes.NodeNG] = frozenset()
    """Storages that are new."""
    saved: frozenset[frozenset[nodes.NodeNG]] = frozenset()
    """Storages that the op keeps for its backward."""


def apply(
    name: str, operands: Sequence[Operand], node: nodes.NodeNG, graph: bool | None, numbers: layout.Numbers
) -> Done:
    """Apply the op *name*, dotted or bare, to *operands* at *node*; *graph*: whether the result is tracked."""
    base = name.rpartition(".")[2]
    op = torch_model.op(name) or torch_model.op(base)
    first = operands[0].fact if operands else None
    if op is None:
        return Done(Tensor(graph=graph, storage=frozenset({node})), made=frozenset({node}))
    inplace_flag = isinstance(node, nodes.Call) and constant(argument(node, None, "inplace")) is True
    if inplace_flag:
        op = torch_model.op(base + "_") or op
    in_place = (op.in_place or inplace_flag) and first is not None
    if op.detaches and not in_place:
        return Done(dataclasses.replace(first, graph=False, leaf=False) if first is not None else None)
    fresh = frozenset({node})
    if in_place and first is not None:
        storage, made = first.storage, frozenset[nodes.NodeNG]()
        graph = graph if graph or first.graph is not True else first.graph
    elif (op.moves or base in MAY_COPY) and first is not None:
        storage, made = first.storage | fresh, fresh
    elif op.view and first is not None:
        storage, made = first.storage, frozenset()
    else:
        storage, made = fresh, fresh
    if not op.differentiable:
        graph = False
    result = Tensor(
        graph=graph,
        leaf=in_place and first is not None and first.leaf,
        storage=storage,
        activation=_activation(base.removesuffix("_"), first),
        device=first.device if in_place and first is not None else _device(base, first, operands, node, numbers),
        layout=layout.after(name, operands, node, numbers),
    )
    saved = _saved(op, operands, storage, made) if graph else frozenset[frozenset[nodes.NodeNG]]()
    return Done(_shaped(name, operands, node, result), in_place, made, saved)


def _shaped(name: str, operands: Sequence[Operand], node: nodes.NodeNG, result: Tensor) -> Fact:
    """Return *result*, or as many of it as the model says the call returns."""
    if not isinstance(node, nodes.Call):
        return result
    dotted = name if name.startswith("torch.") else torch_model.member("torch.Tensor", name) or ""
    positional = len(node.args)
    keywords = frozenset(keyword.arg for keyword in node.keywords or () if keyword.arg)
    types = torch_model.returned(dotted, positional, keywords)
    if len(operands) > 1 and type(constant(operands[1].node)) is int:  # x.max(1), where x.max(y) gives one tensor
        types = tuple(type_ for type_ in types if type_.name == "tuple") or types
    if types and all(type_.name == "tuple" for type_ in types):
        args, fields = types[0].args, types[0].fields
        if args and args[-1].name != "...":
            indices = dataclasses.replace(result, graph=False, activation=None)
            return Group(tuple(indices if "indices" in fields[n : n + 1] else result for n in range(len(args))))
        return Group(None, result)
    if types and all(type_.name in ("list", "iterator") for type_ in types):
        return Group(None, result)
    return result


def _saved(
    op: torch_model.Op,
    operands: Sequence[Operand],
    storage: frozenset[nodes.NodeNG],
    made: frozenset[nodes.NodeNG],
) -> frozenset[frozenset[nodes.NodeNG]]:
    """Return the memory that *op* keeps: of arguments its gradient reads, and of its result."""
    for overload in op.overloads:
        named: dict[str, Operand] = {}
        order = [name for name in overload.arguments]
        for operand in operands:
            name = "self" if operand.name == "input" and "self" in order else operand.name
            if name not in order:
                name = next((free for free in order if free not in named), "")
            named.setdefault(name, operand)
        if any((operand.fact is not None) and name not in overload.tensors for name, operand in named.items()):
            continue
        if any(
            isinstance(operand.node, nodes.Const) and name in overload.tensors for name, operand in named.items()
        ):
            continue
        tracked = frozenset(n for n, operand in named.items() if operand.fact is not None and operand.fact.graph)
        kept = overload.saves(tracked)
        if overload.in_place:
            kept -= {"self"}  # what it keeps of the tensor it changes is a copy from before the change
        memories = {fact.storage for n in kept if n in named and (fact := named[n].fact) is not None}
        # in a loop: what the last pass made here is another tensor now
        found = {memory for memory in memories if memory.isdisjoint(made)}
        if "result" in kept:
            found.add(storage)
        return frozenset(found)
    return frozenset()


def _activation(base: str, first: Tensor | None) -> str | None:
    if base in ACTIVATIONS:
        return ACTIVATIONS[base]
    if first is None:
        return None
    if base in KEEPS_ACTIVATION:
        return first.activation
    if base == "log" and first.activation == "softmax":
        return "log_softmax"
    if base == "exp" and first.activation == "log_softmax":
        return "softmax"
    return None


def _device(
    base: str, first: Tensor | None, operands: Sequence[Operand], node: nodes.NodeNG, numbers: layout.Numbers
) -> str | None:
    if isinstance(node, nodes.Call):
        if base in ("to", "cuda", "cpu", "xpu"):
            return moved(node, first.device if first is not None else None, numbers)
        if base in ("type", "type_as"):
            return numbers.device(argument(node, 0, "other"))
        if (named := argument(node, None, "device")) is not None:
            return numbers.device(named)
    devices = {operand.fact.device for operand in operands if operand.fact is not None}
    return devices.pop() if len(devices) == 1 else None


def moved(call: nodes.Call, before: str | None, numbers: layout.Numbers) -> str | None:
    """Return the device after ``to(…)``, ``cuda(…)`` or ``cpu()`` of something that was on *before*."""
    match last_name(call.func):
        case "cpu":
            return "cpu"
        case "cuda" | "xpu" as kind:
            return numbers.device(argument(call, 0, "device")) or kind
    named = argument(call, 0, "device")
    if is_open(call):
        return None
    if named is None or _is_dtype(named):
        return before
    return numbers.device(named)


def _is_dtype(node: nodes.NodeNG) -> bool:
    """Return whether *node* names a dtype: ``torch.float32``, ``x.dtype``."""
    return isinstance(node, nodes.Attribute) and (
        node.attrname == "dtype" or last_name(node.expr) == "torch" and node.attrname != "device"
    )


def is_factory(symbol: str) -> bool:
    """Return whether *symbol* makes a tensor from sizes or data."""
    return symbol in FACTORIES


def made(symbol: str, call: nodes.Call, numbers: layout.Numbers) -> Tensor:
    """Return the fact of the tensor that a factory makes."""
    tracked = constant(argument(call, None, "requires_grad"))
    named = argument(call, None, "device")
    graph = tracked is True if tracked is not ... or argument(call, None, "requires_grad") is None else None
    return Tensor(
        graph=graph,
        leaf=graph is True,
        storage=frozenset({call}),
        device=_device_made(symbol, call, numbers) if named is None else numbers.device(named),
        layout=layout.made(symbol, call, numbers),
    )


def _device_made(symbol: str, call: nodes.Call, numbers: layout.Numbers) -> str | None:
    """Return where a factory that is given no device makes its tensor."""
    first = call.args[0] if call.args else None
    if is_open(call):
        return None
    if follows_data(symbol) and not isinstance(first, (nodes.Const, nodes.List, nodes.ListComp, nodes.Tuple)):
        where = numbers.device(first)
        return "cpu" if where is None and symbol == "torch.tensor" else where
    return "cpu"


def op_of_module(cls: str) -> str | None:
    """Return the op that a module of torch applies: ``relu`` for ``torch.nn.ReLU``; None if it has none."""
    name = re.sub(r"^Lazy", "", cls.rpartition(".")[2])
    if name == "LeakyReLU":
        return "leaky_relu"
    if name.endswith("Loss") or name in layout.RECURRENT:  # these return tuples
        return None
    candidates = (
        name.lower(),
        re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower(),
        re.sub(r"(?<=[a-z])[123]d$", "", name).lower(),
        re.sub(r"([a-z])Norm[123]?d?$", r"\1_norm", name).lower(),
    )
    if name.startswith("ConvTranspose"):
        return "conv_transpose" + name[-2:].lower()
    return next((candidate for candidate in candidates if torch_model.op(candidate) is not None), None)


def has_parameters(cls: str) -> bool:
    """Return whether a module of torch has weights of its own."""
    return _PARAMETRISED.search(cls) is not None
