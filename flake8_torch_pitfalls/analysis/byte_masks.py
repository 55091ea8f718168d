"""Which expressions are tensors of dtype uint8: what comparisons gave before torch 1.2, and ``.byte()`` gives still."""
from __future__ import annotations

from typing import TYPE_CHECKING

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.tree import argument, class_of, constant, last_name

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.source import Source

DEEPEST = 8
TYPES = frozenset(("torch.uint8", "torch.ByteTensor", "torch.cuda.ByteTensor"))
MAKERS = frozenset((
    "zeros", "ones", "empty", "full", "tensor", "as_tensor", "zeros_like", "ones_like", "empty_like", "full_like",
    "eye", "randint", "arange", "new_zeros", "new_ones", "new_full", "new_tensor",
))  # fmt: skip
KEEPERS = frozenset((
    "view", "reshape", "expand", "expand_as", "unsqueeze", "squeeze", "transpose", "permute", "t", "flatten", "repeat",
    "contiguous", "clone", "detach", "cuda", "cpu", "triu", "tril", "view_as",
))  # fmt: skip
"""Methods, some of them functions too, whose result has the dtype of the tensor."""
OTHER_TYPES = frozenset((
    "bool", "float", "float16", "float32", "float64", "half", "bfloat16", "int", "int32", "int64", "long",
))  # fmt: skip
SIGNS = ("uint8", "byte", "ByteTensor")


def has_bytes(source: Source) -> bool:
    """Return whether the file mentions the dtype at all."""
    return any(source.index.attributes.get(name) for name in SIGNS)


def is_byte(source: Source, node: nodes.NodeNG, depth: int = DEEPEST) -> bool:
    """Return whether *node* is surely a tensor of torch with dtype uint8."""
    if depth == 0:
        return False
    match node:
        case nodes.Call():
            return _is_byte_call(source, node, depth)
        case nodes.Name():
            found = scopes.definitions(node, node.name)
        case nodes.Attribute():
            owner = class_of(node)
            found = list(source.names.stores(owner, node.attrname)) if owner is not None else []
        case nodes.UnaryOp(op="~"):
            return is_byte(source, node.operand, depth - 1)
        case nodes.BinOp(op="-"):
            return isinstance(constant(node.left), int) and is_byte(source, node.right, depth - 1)
        case nodes.BinOp(op="&" | "|" | "^" | "*"):
            sides = [side for side in (node.left, node.right) if not isinstance(side, nodes.Compare)]
            return bool(sides) and all(is_byte(source, side, depth - 1) for side in sides)
        case _:
            return False
    return bool(found) and all(_is_set_to_bytes(source, definition, depth) for definition in found)


def _is_set_to_bytes(source: Source, definition: nodes.NodeNG, depth: int) -> bool:
    match definition:
        case nodes.AssignName(parent=nodes.Assign(value=value)) | nodes.AssignAttr(parent=nodes.Assign(value=value)):
            return definition in definition.parent.targets and is_byte(source, value, depth - 1)
        case nodes.Call(args=[_, value, *_]):  # register_buffer(name, value)
            return is_byte(source, value, depth - 1)
    return False


def _is_byte_call(source: Source, call: nodes.Call, depth: int) -> bool:
    func, name = call.func, last_name(call.func)
    if name == "ByteTensor":
        return source.names.symbol(func) in TYPES
    if not isinstance(func, nodes.Attribute) or name is None:
        return False
    if name == "byte":
        return not call.args
    dtype = argument(call, 0 if name in ("to", "type") else None, "dtype")
    if name in ("to", "type"):
        if dtype is not None and _is_byte_type(source, dtype):
            return True
        return name == "to" and last_name(dtype) not in OTHER_TYPES and is_byte(source, func.expr, depth - 1)
    if name in MAKERS:
        return dtype is not None and _is_byte_type(source, dtype)
    if name in ("triu", "tril") and last_name(func.expr) == "torch":
        return bool(call.args) and is_byte(source, call.args[0], depth - 1)
    return name in KEEPERS and is_byte(source, func.expr, depth - 1)


def _is_byte_type(source: Source, node: nodes.NodeNG) -> bool:
    if constant(node) in TYPES:
        return True
    return last_name(node) in SIGNS and source.names.symbol(node) in TYPES
