"""Which tensors surely have two dimensions: a row of numbers for each sample.

Flattening makes them so, whatever they were; elementwise operations and layers of rows leave them so. Where
the text does not say so at once the value pass is asked.
"""
from __future__ import annotations

from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes, sequences
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tensors import Tensors
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Instance, Method, Symbol, Unknown

FLAT = 2
DEEPEST = 30
FLATTEN = "torch.nn.Flatten"
KEEPING_LAYERS = frozenset(
    "torch.nn." + name
    for name in "Linear LazyLinear BatchNorm1d LazyBatchNorm1d LayerNorm Identity Dropout AlphaDropout Dropout2d "
    "Dropout3d ReLU ReLU6 LeakyReLU PReLU RReLU ELU SELU CELU GELU SiLU Mish Hardswish Hardtanh Sigmoid Tanh "
    "Softplus Softmax LogSoftmax".split()
)
"""Layers whose result has as many dimensions as their input."""
_KEEPING = frozenset(
    "relu relu_ relu6 leaky_relu elu selu celu gelu silu mish hardswish hardtanh sigmoid tanh softplus softmax "
    "log_softmax linear dropout dropout2d dropout3d alpha_dropout layer_norm normalize clamp abs exp log "
    "contiguous to cuda cpu float half double detach clone".split()
)


def is_flat(names: Names, shapes: Tensors, node: nodes.NodeNG | None, depth: int = DEEPEST) -> bool:
    """Return whether *node* is a tensor that surely has two dimensions; *shapes* is the value pass with layouts."""
    if node is None or depth == 0:
        return False
    match node:
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
            if found and all(_is_bound_flat(names, shapes, one, depth) for one in found):
                return True
        case nodes.Call():
            if _is_result_flat(names, shapes, node, depth):
                return True
    return _ranks(shapes, node) == {FLAT}


def may_be_flat(shapes: Tensors, node: nodes.NodeNG) -> bool:
    """Return whether nothing speaks against *node* having two dimensions."""
    ranks = _ranks(shapes, node)
    return ranks is None or FLAT in ranks


def _ranks(shapes: Tensors, node: nodes.NodeNG) -> set[int] | None:
    """Return how many dimensions *node* may have, None if nothing is known."""
    known = shapes.at(node)
    layout = known.layout if isinstance(known, Tensor) else None
    return None if layout is None else {form.rank for form in layout.forms}


def _is_bound_flat(names: Names, shapes: Tensors, definition: nodes.NodeNG, depth: int) -> bool:
    statement = definition.parent
    return isinstance(statement, nodes.Assign) and is_flat(names, shapes, statement.value, depth - 1)


def _is_result_flat(names: Names, shapes: Tensors, call: nodes.Call, depth: int) -> bool:
    if is_open(call):
        return False
    found = names.values(call.func)
    operand = argument(call, 0, "input")
    match found:
        case [Symbol(name)] if name.startswith("torch."):
            return _flattens(call, 1) or _keeps(names, shapes, call, operand, depth)
        case [Method(name, _)] if name.startswith("torch.Tensor."):
            return _flattens(call, 0) or _keeps(names, shapes, call, call.func.expr, depth)
        case [Instance() as module]:
            outcome = _after_layer(names, module)
            return is_flat(names, shapes, operand, depth - 1) if outcome is None else outcome
        case [Unknown()] if isinstance(call.func, nodes.Attribute) and isinstance(shapes.at(call), Tensor):
            return _flattens(call, 0) or _keeps(names, shapes, call, call.func.expr, depth)
    return False


def _keeps(names: Names, shapes: Tensors, call: nodes.Call, operand: nodes.NodeNG | None, depth: int) -> bool:
    return last_name(call.func) in _KEEPING and is_flat(names, shapes, operand, depth - 1)


def _flattens(call: nodes.Call, before: int) -> bool:
    """Return whether *call* is ``flatten(1)``, ``view(n, -1)`` or the like; *before* arguments is the tensor."""
    match last_name(call.func):
        case "flatten":
            return constant(argument(call, before, "start_dim")) == 1 and argument(call, before + 1, "end_dim") is None
        case "view" | "reshape":
            sizes = call.args[before:]
            if len(sizes) == 1 and isinstance(sizes[0], (nodes.Tuple, nodes.List)):
                sizes = sizes[0].elts
            return len(sizes) == FLAT and not any(isinstance(size, nodes.Starred) for size in sizes)
    return False


def _after_layers(names: Names, layers: Sequence[nodes.NodeNG]) -> bool | None:
    """Return whether the modules *layers*, one after the other, give a flat tensor; None: if they are given one."""
    for layer in reversed(layers):
        match names.values(layer):
            case [Instance() as module]:
                outcome = _after_layer(names, module)
                if outcome is not None:
                    return outcome
            case _:
                return False
    return None


def is_flat_behind(names: Names, shapes: Tensors, layers: Sequence[nodes.NodeNG], sequence: nodes.Call) -> bool:
    """Return whether *layers*, the first of *sequence*, surely give a flat tensor whenever that is called."""
    outcome = _after_layers(names, layers)
    if outcome is not None:
        return outcome
    inputs = [argument(call, 0, "input") for call in sequences.uses(names, sequence)]
    return bool(inputs) and all(is_flat(names, shapes, given) for given in inputs)


def _after_layer(names: Names, module: Instance) -> bool | None:
    if module.cls == FLATTEN:
        return isinstance(module.made_at, nodes.Call) and not module.made_at.args and not module.made_at.keywords
    if module.cls == sequences.SEQUENTIAL:
        layers = sequences.layers(names, module)
        return False if layers is None else _after_layers(names, layers)
    return None if module.cls in KEEPING_LAYERS else False
