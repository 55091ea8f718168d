"""Which device an expression names, and whether two devices are surely two.

A device is "cpu", a literal accelerator ("cuda", "cuda:1", "mps") or ``CHOSEN``: one that the program chooses
when it runs, by ``"cuda" if torch.cuda.is_available() else "cpu"``, an option or a parameter. Such a device is
an accelerator wherever there is one, so that a tensor that stays on the CPU does not meet it.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis import layout, scopes
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Placed, Tensor
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import ancestors, constant, last_name
from flake8_torch_pitfalls.analysis.values import NOTHING, Data, Instance, Unknown, Value

CPU = "cpu"
CHOSEN = "device"
FOLLOWED = "x.device"
"""The device of a parameter, which means any device in the function, and nothing known to its callers."""
MOVES = frozenset(("to", "cuda", "cpu", "xpu", "to_empty"))
"""Methods of modules and tensors that may change the device."""

_ACCELERATOR = re.compile(r"(cuda|mps|xpu|hpu|npu|xla|mlu)(:\d+)?")
_NAMES_DEVICE = re.compile(r"(^|_)(dev|devices?|gpus?|cuda)($|_|\d)|device$", re.IGNORECASE)
_HOLDS_OPTIONS = re.compile(
    r"(^|_)(self|args?|opts?|options|cfg|conf|config|hparams|hps|params|settings|flags)$", re.IGNORECASE
)
_DEEPEST = 6

NEED_ONE_DEVICE = frozenset(
    "add sub subtract mul multiply div divide true_divide floor_divide remainder fmod pow bitwise_and bitwise_or "
    "bitwise_xor maximum minimum eq ne lt le gt ge logical_and logical_or where lerp addcmul addcdiv dist cdist "
    "matmul mm bmm mv dot addmm baddbmm cat concat concatenate stack hstack vstack dstack linear bilinear "
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d embedding cross "
    "cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy "
    "binary_cross_entropy_with_logits kl_div poisson_nll_loss hinge_embedding_loss margin_ranking_loss "
    "cosine_embedding_loss triplet_margin_loss multi_margin_loss multilabel_margin_loss soft_margin_loss "
    "multilabel_soft_margin_loss gaussian_nll_loss cosine_similarity pairwise_distance masked_fill gather scatter "
    "scatter_add index_select index_add masked_select allclose isclose".split()
)
"""Operations that raise for operands on two devices."""
ELEMENTWISE = frozenset(
    "add sub subtract mul multiply div divide true_divide floor_divide remainder fmod pow bitwise_and bitwise_or "
    "bitwise_xor maximum minimum eq ne lt le gt ge logical_and logical_or where lerp addcmul addcdiv masked_fill "
    "mse_loss l1_loss smooth_l1_loss huber_loss isclose".split()
)
"""Those of them that take a zero-dimensional CPU tensor for a number."""
_SIZED = frozenset("zeros ones empty rand randn randint randperm arange linspace logspace eye full".split())
"""Factories whose result has a dimension at least, unless they are given ``()``."""
_KEEP_RANK = layout.ELEMENTWISE | frozenset("tril triu transpose permute t flip roll cumsum contiguous repeat".split())
"""Methods and functions whose result has as many dimensions as what they are given."""


def differ(left: str | None, right: str | None) -> bool:
    """Return whether *left* and *right* are surely two devices, given that there is an accelerator."""
    if left is None or right is None or left == right:
        return False
    if CPU in (left, right):
        return True
    if not {CHOSEN, FOLLOWED}.isdisjoint((left, right)):
        return False
    kind, _, index = left.partition(":")
    other_kind, _, other_index = right.partition(":")
    return kind != other_kind or bool(index and other_index)


def joined(found: Iterable[str | None]) -> str | None:
    """Return the device of something that is on one of *found* as the program chooses; None if one is unknown."""
    devices = set(found)
    if None in devices or not devices:
        return None
    if len(devices) == 1:
        return devices.pop()
    kinds = {str(device).partition(":")[0] for device in devices - {CPU}}
    return CHOSEN if CPU in devices or len(kinds) > 1 else kinds.pop()


def named(names: Names, node: nodes.NodeNG | None, depth: int = 0) -> str | None:
    """Return the device that *node* names, None for dtypes, for unknown devices and for those of other objects."""
    if node is None or depth > _DEEPEST:
        return None
    match node:
        case nodes.Const(value=str() as text):
            return CPU if text == CPU else text if _ACCELERATOR.fullmatch(text) else None
        case nodes.Const(value=bool() | None):
            return None
        case nodes.Const(value=int() as number):
            return f"cuda:{number}"
        case nodes.JoinedStr(values=[nodes.Const(value=str() as start), *_]) if _ACCELERATOR.match(start):
            return start.partition(":")[0]
        case nodes.Call() if names.symbol(node.func) == "torch.accelerator.current_accelerator":
            return CHOSEN
        case nodes.Call(args=[first, *_]) if names.symbol(node.func) == "torch.device":
            return named(names, first, depth + 1)
        case nodes.IfExp():
            return joined((named(names, node.body, depth + 1), named(names, node.orelse, depth + 1)))
        case nodes.Name() | nodes.Attribute():
            if (node.attrname if isinstance(node, nodes.Attribute) else node.name) == "dtype":
                return None
            found = [value for value in names.values(node) if value != NOTHING]
            return joined(_of_value(names, node, value, depth) for value in found)
        case nodes.Subscript(slice=nodes.Const(value=str())):  # config["device"]
            return joined(_of_value(names, node, value, depth) for value in names.values(node))
    return None


def _of_value(names: Names, node: nodes.NodeNG, value: Value, depth: int) -> str | None:
    match value:
        case Data(literal):
            return named(names, literal, depth + 1)
        case Instance("torch.device", nodes.Call() as made):
            return named(names, made, depth + 1)
        case Instance("torch.device") | Unknown():
            return CHOSEN if _is_chosen(node) else None
    return None


def _is_chosen(node: nodes.NodeNG) -> bool:
    """Return whether *node* is a parameter or an option that is called a device."""
    if not _NAMES_DEVICE.search(last_name(node) or ""):
        return False
    if isinstance(node, nodes.Attribute):
        return _HOLDS_OPTIONS.search(last_name(node.expr) or "") is not None
    found = scopes.definitions(node, node.name)
    return bool(found) and all(_is_parameter_or_option(one) for one in found)


def _is_parameter_or_option(definition: nodes.NodeNG) -> bool:
    match definition.parent:
        case nodes.Arguments(parent=function):  # left out, a device is often the CPU
            usual = scopes.default(function, definition.name)
            return usual is None or isinstance(usual, nodes.Const) and "cuda" in str(usual.value)
        case nodes.Assign(value=nodes.Attribute() as option):
            return option.attrname != "device" or _is_chosen(option)
        case nodes.Assign(value=nodes.IfExp(test=test)):
            return "cuda" in str(test.as_string())
    return False


def follows_data(symbol: str) -> bool:
    """Return whether the factory *symbol* leaves its data on the device where they are."""
    return symbol.rpartition(".")[2] in ("as_tensor", "asarray", "normal", "bernoulli", "tensor")


def has_dimensions(fact: Tensor) -> bool:
    """Return whether a tensor surely has a dimension, so that torch does not take it for a number."""
    if fact.layout is not None and all(form.rank for form in fact.layout.forms):
        return True
    makers = list(fact.storage)
    return bool(makers) and all(makes_dimensions(node) for node in makers)


def makes_dimensions(node: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *node* makes a tensor that surely has a dimension."""
    if isinstance(node, nodes.Name) and depth < _DEEPEST:
        given = [getattr(one.parent, "value", None) for one in scopes.definitions(node, node.name)]
        return bool(given) and all(value is not None and makes_dimensions(value, depth + 1) for value in given)
    if isinstance(node, nodes.Subscript) and isinstance(node.slice, nodes.Tuple):  # x[:, None]
        return any(isinstance(key, nodes.Slice) or constant(key) is None for key in node.slice.elts)
    if not isinstance(node, nodes.Call):
        return isinstance(node, nodes.AssignName) and _is_of_loop(node)
    name = last_name(node.func)
    if name in ("tensor", "as_tensor", "stack", "cat"):
        return name in ("stack", "cat") or bool(node.args) and isinstance(node.args[0], (nodes.List, nodes.ListComp))
    if name in _KEEP_RANK and isinstance(node.func, nodes.Attribute):
        of = node.args[0] if last_name(node.func.expr) == "torch" and node.args else node.func.expr
        return makes_dimensions(of, depth)
    return name in _SIZED and not (node.args and isinstance(node.args[0], nodes.Tuple) and not node.args[0].elts)


def _is_of_loop(node: nodes.AssignName) -> bool:
    """Return whether *node* is bound by a loop over batches, which have a dimension of their own."""
    return isinstance(node.statement(), nodes.For)


def is_guarded(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands under a test that asks about devices."""
    below = node
    for above in ancestors(node):
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            if re.search(r"cuda|gpu|device|cpu", str(above.test.as_string()), re.IGNORECASE):
                return True
        below = above
    return False


def placed(fact: Fact | None, device: str | None) -> Fact | None:
    """Return *fact* on *device*, all of it."""
    match fact:
        case Tensor():
            return fact.on(device)
        case Group(items, item):
            return Group(None if items is None else tuple(placed(one, device) for one in items), placed(item, device))
    return fact


def returned(fact: Fact | None) -> Fact | None:
    """Return *fact*, what a function returns, as its callers know it."""
    match fact:
        case Tensor(device="x.device"):
            return fact.on(None)
        case Group(items, item):
            return Group(None if items is None else tuple(returned(one) for one in items), returned(item))
    return fact


def forgotten(fact: Fact | None, every: bool) -> Fact | None:
    """Return *fact* without the device of what is on the CPU, or of *every* tensor."""
    match fact:
        case Tensor(device=device) if every or device == CPU:
            return fact.on(None)
        case Group(items, item):
            return Group(
                None if items is None else tuple(forgotten(one, every) for one in items), forgotten(item, every)
            )
    return fact


def nowhere(fact: Fact | None) -> Fact | None:
    """Return *fact* without its devices: whoever holds the module may have moved what it is made of."""
    match fact:
        case Placed():
            return None
        case Group(items, item):
            return Group(None if items is None else tuple(nowhere(one) for one in items), nowhere(item))
    return placed(fact, None)


def without_strays(given: Mapping[str, Fact | None]) -> dict[str, Fact | None]:
    """Return *given*, the arguments of a function, without the devices of tensors that may be astray.

    Those are the ones on the CPU, and all where the function is a method of a module on the CPU.
    """
    module = given.get("self")
    every = isinstance(module, Placed) and module.device == CPU
    return {name: forgotten(fact, every) for name, fact in given.items()}


def tensors_in(given: Sequence[tuple[nodes.NodeNG, Fact | None]]) -> list[tuple[nodes.NodeNG, Tensor]]:
    """Return the tensors among *given*, those in tuples that the text shows too."""
    found: list[tuple[nodes.NodeNG, Tensor]] = []
    for node, fact in given:
        match fact:
            case Tensor():
                found.append((node, fact))
            case Group(tuple() as items):
                found.extend(tensors_in([(node, item) for item in items]))
    return found
