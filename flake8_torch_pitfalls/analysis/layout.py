"""What an operation does to sizes and strides, as far as the text tells.

A tensor whose rank is not known is followed under several assumptions at a time, and those that the program
contradicts are dropped. What an operation does to each is said in ``dimensions``, what follows for memory
in ``strides``.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from astroid import nodes

from flake8_torch_pitfalls.analysis import dimensions, sizes, strides
from flake8_torch_pitfalls.analysis.dimensions import Impossible, Operation, Pointless, layout_of
from flake8_torch_pitfalls.analysis.dimensions import Numbers as Numbers
from flake8_torch_pitfalls.analysis.sizes import ONE, Size
from flake8_torch_pitfalls.analysis.strides import Strided
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.operations import Operand

RANKS = range(1, 6)
MOST_FORMS = 12
WIDTHS = {
    1: ("uint8", "int8", "bool"),
    2: ("float16", "half", "bfloat16", "int16", "short"),
    4: ("float32", "float", "int32", "int"),
    8: ("float64", "double", "int64", "long", "complex64", "cfloat"),
    16: ("complex128", "cdouble"),
}
"""The dtypes whose elements have that many bytes."""

ELEMENTWISE = frozenset(
    "abs acos acosh add addcdiv addcmul alpha_dropout angle asin asinh atan atan2 atanh bernoulli bfloat16 "
    "bitwise_and bitwise_not bitwise_or bitwise_xor bool byte ceil celu clamp clamp_max clamp_min clip clone conj "
    "copysign cos cosh cpu cuda deg2rad detach digamma div divide double dropout elu empty_like eq erf erfc erfinv "
    "exp exp2 expm1 float floor floor_divide fmax fmin fmod frac full_like ge gelu greater greater_equal gt half "
    "hardshrink hardsigmoid hardswish hardtanh heaviside hypot int isclose isfinite isinf isnan ldexp le leaky_relu "
    "lerp less less_equal lgamma log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor logit "
    "long lt maximum minimum mish mul multiply nan_to_num ne neg negative not_equal ones_like positive pow prelu "
    "rad2deg rand_like randn_like randint_like reciprocal relu relu6 remainder round rsqrt rsub selu sgn short "
    "sigmoid sign silu sin sinc sinh softplus softshrink softsign sqrt square sub subtract tan tanh tanhshrink "
    "threshold to true_divide trunc type type_as where xlogy zeros_like".split()
)
"""Their result is dense and lies in memory in the order of their operands."""
COPIES = frozenset("clone to type type_as cpu cuda float half double bfloat16 int long bool detach".split())
"""Those among them to which only the first operand matters."""
CHANNELS_LAST = {"channels_last": 4, "channels_last_3d": 5}
"""Memory formats of images and volumes, and how many dimensions those have."""
FORMATTING = COPIES | {"contiguous"}
"""Operations that take a memory format and give the sizes of their operand."""
MAY_KEEP = COPIES - {"clone"}
"""Those that return the tensor itself where there is nothing to do."""
ALWAYS_CONTIGUOUS = dimensions.CONTIGUOUS | {"linear", "embedding", "contiguous", "repeat", "topk"}


@dataclasses.dataclass(frozen=True, slots=True)
class Layout:
    """Sizes and strides of a tensor: each form that it may have; and the bytes of an element if they are known."""

    forms: tuple[Strided, ...]
    width: int | None = None

    @property
    def only(self) -> Strided | None:
        """The form, if there is only one."""
        return self.forms[0] if len(self.forms) == 1 else None


def base(origin: nodes.NodeNG | str, ranks: Sequence[int] | range = RANKS) -> Layout:
    """Return the layout of a tensor that comes from outside: of unknown sizes, taken to be contiguous."""
    return Layout(
        tuple(strides.contiguous([sizes.unknown(origin, index) for index in range(rank)]) for rank in ranks)
    )


def _anything(origin: nodes.NodeNG) -> Layout:
    """Return the layout of a tensor of which nothing is known, which *origin* is about."""
    return Layout(tuple(strides.unordered(form.sizes) for form in base(origin).forms))


def join(left: Layout | None, right: Layout | None) -> Layout | None:
    """Return the layout of a tensor that has one of two."""
    if left is None or right is None or left == right:
        return left if left == right else None
    forms = tuple(dict.fromkeys((*left.forms, *right.forms)))
    return Layout(forms, left.width if left.width == right.width else None) if len(forms) <= MOST_FORMS else None


def flattened(layout: Layout, start: int, end: int) -> Layout:
    """Return the layout that ``nn.Flatten(start, end)`` makes of *layout*."""
    forms = [dimensions.flattened(form, start, end) for form in layout.forms if max(form.rank, 1) > max(start, end)]
    return Layout(tuple(dict.fromkeys(forms)) or layout.forms, layout.width)


def of_layer(layout: Layout, name: str, width: int) -> Layout:
    """Return *layout*, that of the output of a layer which is the op *name*, for a layer of *width* features."""
    found = []
    for form in layout.forms:
        index = form.rank - 1 - int(name[-2]) if name in dimensions.IMAGE_OPS else -1
        new = list(form.sizes)
        new[index] = sizes.number(width)
        found.append(strides.like(form, new))
    return Layout(tuple(dict.fromkeys(found)), layout.width)


def of_rank(layout: Layout, rank: int) -> Layout:
    """Return *layout* once it is known to have *rank* dimensions."""
    forms = tuple(form for form in layout.forms if form.rank == rank)
    return Layout(forms, layout.width) if forms else layout


def item(layout: Layout | None) -> Layout | None:
    """Return the layout of each part of a tensor that is unpacked or looped over."""
    forms = [strides.without(form, 0, "unpacking") for form in layout.forms if form.rank] if layout is not None else []
    return Layout(tuple(dict.fromkeys(forms)), layout.width) if layout is not None and forms else None


def stacked(layout: Layout, origin: nodes.NodeNG | str) -> Layout:
    """Return the layout of some number of tensors of one *layout* put together, which *origin* is about."""
    count = sizes.unknown(origin, "count")
    return Layout(tuple(dict.fromkeys(strides.contiguous([count, *form.sizes]) for form in layout.forms)))


def size_at(layout: Layout, index: int) -> Size | None:
    """Return the size of dimension *index* if all forms agree on it."""
    found = {form.sizes[index] for form in layout.forms if -form.rank <= index < form.rank}
    return found.pop() if len(found) == 1 else None


def refused(name: str, operands: Sequence[Operand], node: nodes.NodeNG, numbers: Numbers) -> tuple[bool | None, str]:
    """Return whether torch refuses the view that *name* asks for at *node*, and what is to blame; None if unknown."""
    if not numbers.follows_shapes:
        return None, ""
    layout = layout_of(operands[0]) if operands else None
    short = name.rpartition(".")[2]
    if layout is None or not isinstance(node, nodes.Call):
        return None, ""
    operation = Operation(short, operands, node, numbers, skipped=1 if "." in name else 0)
    if (width := _width(operation.argument(0, "dtype"))) is not None:
        return _reinterpreted(layout, width), layout.forms[-1].cause
    answers = set()
    for form in layout.forms:
        try:
            answers.add(strides.allows(form, dimensions.view_sizes(operation, form)))
        except LookupError:
            return None, ""
    allowed = answers.pop() if len(answers) == 1 else None
    return None if allowed is None else not allowed, layout.forms[-1].cause


def _width(dtype: nodes.NodeNG | None) -> int | None:
    """Return how many bytes an element of ``torch.float32`` and the like has."""
    name = last_name(dtype)
    return next((width for width, names in WIDTHS.items() if name in names), None)


def _reinterpreted(layout: Layout, width: int) -> bool | None:
    """Return whether torch refuses a view with elements of *width* bytes: where the last dimension has gaps."""
    if layout.width is None or layout.width == width:
        return None
    lasts = [form.dims[-1] if form.ordered and form.rank else None for form in layout.forms]
    return True if all(last is not None and not last.flat and last.stride != ONE for last in lasts) else None


def made(symbol: str, call: nodes.Call, numbers: Numbers) -> Layout | None:
    """Return the layout of the tensor that the factory *symbol* makes at *call*."""
    name = symbol.rpartition(".")[2]
    if not numbers.follows_shapes:
        return None
    if any(k.arg is None for k in call.keywords or ()):
        return None
    found: tuple[Size, ...] | None
    match name:
        case "zeros" | "ones" | "empty" | "rand" | "randn":
            found = dimensions.listed(call.args, argument(call, None, "size"), numbers)
        case "full":
            found = dimensions.listed(call.args[:1], argument(call, 0, "size"), numbers)
        case "randint":
            found = next((s for arg in call.args if (s := numbers.sequence(arg)) is not None), None)
            if found is None and (size := argument(call, None, "size")) is not None:
                found = numbers.sequence(size)
        case "arange" | "linspace" | "logspace" | "randperm":
            steps = argument(call, 2, "steps") if name.endswith("space") else None
            if steps is None and len(call.args) == 1 and name in ("arange", "randperm"):
                steps = call.args[0]
            count = numbers.size(steps) if steps is not None else None
            found = (count or sizes.unknown(call),)
        case "eye":
            side = numbers.size(call.args[0]) if call.args else None
            found = (side, side) if side is not None and len(call.args) == 1 else None
        case "tensor" | "as_tensor":
            found = _literal_sizes(call.args[0]) if call.args else None
        case _:
            found = None
    if found is None:
        return None
    wanted = last_name(argument(call, None, "memory_format"))
    if wanted in CHANNELS_LAST and len(found) == CHANNELS_LAST[wanted]:
        form = strides.channels_last(found, wanted)
    else:
        form = strides.contiguous(found)
    return Layout((form,), _made_width(name, call))


def _made_width(name: str, call: nodes.Call) -> int | None:
    if (dtype := argument(call, None, "dtype")) is not None:
        return _width(dtype)
    if name in ("zeros", "ones", "empty", "rand", "randn", "eye"):
        return 4  # unless the default dtype was changed, to one that is as often wider as narrower
    return 8 if name in ("randint", "randperm") else None


WIDTH_OF_LAYER = {
    "linear": (1, "out_features"),
    "embedding": (1, "embedding_dim"),
    **{
        f"conv{kind}{rank}d": (1, "out_channels") for kind in ("", "_transpose") for rank in (1, 2, 3)
    },
}
"""Which argument of a layer says how many features its output has."""
RECURRENT = ("LSTM", "GRU", "RNN")


def recurrent(given: Layout | None, made_at: nodes.Call, node: nodes.NodeNG) -> tuple[Layout | None, Layout | None]:
    """Return the layouts of output and state of the recurrent layer made at *made_at*.

    The output lies in memory with time first, also where the batch is its first dimension.
    """
    batch_first, layers, directions = (
        _option(made_at, None, "batch_first", False),
        _option(made_at, 2, "num_layers", 1),
        _option(made_at, None, "bidirectional", False),
    )
    if given is None or batch_first not in (True, False):
        return None, None
    count = layers * (1 + directions) if isinstance(layers, int) and isinstance(directions, int) else None
    states = sizes.unknown(made_at, "layers") if count is None else sizes.number(count)
    output, state = [], []
    for form in given.forms:
        if form.rank != 3:
            continue
        one, other, width = *form.sizes[:2], sizes.unknown(node, "out")
        if batch_first:
            output.append(strides.permuted(strides.contiguous([other, one, width]), [1, 0, 2], "batch_first"))
        else:
            output.append(strides.contiguous([one, other, width]))
        state.append(strides.contiguous([states, one if batch_first else other, sizes.unknown(node, "hidden")]))
    if not output:
        return None, None
    return Layout(tuple(dict.fromkeys(output))), Layout(tuple(dict.fromkeys(state)))


def attended(query: Layout | None, made_at: nodes.NodeNG | None) -> Layout | None:
    """Return the layout of what attention layers give for *query*: of its sizes, and contiguous.

    With the batch first ``nn.MultiheadAttention`` gives a transposed tensor in training, but not always else.
    """
    if query is None or not isinstance(made_at, nodes.Call):
        return None
    if last_name(made_at.func) == "MultiheadAttention" and _option(made_at, 9, "batch_first", False) is not False:
        return None
    return Layout(tuple(strides.contiguous(form.sizes) for form in of_rank(query, 3).forms))


def _option(call: nodes.Call, index: int | None, name: str, default: object) -> object:
    """Return the constant given for an option, *default* if it is left out, ``...`` if unknown."""
    node = argument(call, index, name)
    if any(keyword.arg is None for keyword in call.keywords or ()):
        return ...
    return default if node is None else constant(node)


NUMBER = Layout((strides.contiguous([]),))
"""The layout of a tensor of one number."""


def is_number(node: nodes.NodeNG) -> bool:
    """Return whether *node* is surely a number: a literal, or what ``float`` and ``int`` give."""
    if isinstance(node, nodes.Call) and isinstance(node.func, nodes.Name):
        return node.func.name in ("float", "int", "bool", "len")
    return isinstance(constant(node), (int, float))


def _literal_sizes(node: nodes.NodeNG) -> tuple[Size, ...] | None:
    if isinstance(node, (nodes.List, nodes.Tuple)) and node.elts:
        if isinstance(node.elts[0], (nodes.List, nodes.Tuple)):
            below = _literal_sizes(node.elts[0])
            return None if below is None else (sizes.number(len(node.elts)), *below)
        if all(isinstance(element, (nodes.Const, nodes.UnaryOp)) for element in node.elts):
            return (sizes.number(len(node.elts)),)
    return () if is_number(node) else None


def after(name: str, operands: Sequence[Operand], node: nodes.NodeNG, numbers: Numbers) -> Layout | None:
    """Return the layout of what the op *name* gives at *node* for *operands*, the tensor of a method first.

    A dotted *name* is a function's; a bare one is a method's, an operator's or a module's.
    """
    if not numbers.follows_shapes:
        return None
    short = name.rpartition(".")[2]
    if short.endswith("_") and short not in ("transpose_", "t_", "squeeze_", "unsqueeze_", "swapaxes_", "swapdims_"):
        return layout_of(operands[0]) if operands else None
    short = short.removesuffix("_")
    is_function = "." in name
    is_method = bool(operands) and operands[0].name == "self" and _spells(node, short)
    if isinstance(node, nodes.Call):
        if any(keyword.arg is None for keyword in node.keywords or ()):
            return None
        if (wanted := argument(node, None, "memory_format")) is not None:
            return _in_format(last_name(wanted), operands, node) if short in FORMATTING else None
    operation = Operation(short, operands, node, numbers, skipped=1 if is_function else 0)
    try:
        if short in ELEMENTWISE:
            return _elementwise(operation)
        if short in ("cat", "concat", "concatenate", "stack", "hstack", "vstack"):
            return _joined(operation)
        if short in ("matmul", "mm", "bmm", "mv", "dot"):
            return _product(operation)
        first = layout_of(operands[0]) if operands else None
        if first is None:
            if short in ALWAYS_CONTIGUOUS:
                return base(node)
            if short not in dimensions.CALLS or not operands or operands[0].fact is None:
                return None
            first = _anything(node)
        if short in dimensions.IMAGE_OPS and short[-2].isdigit():
            first = of_rank(first, int(short[-2]) + 2)
        first = _plausible(first, operation)
        handler = dimensions.MODULES.get(short)
        if handler is None and (is_function or is_method or isinstance(node, (nodes.Attribute, nodes.Subscript))):
            handler = dimensions.CALLS.get(short)
        return None if handler is None else _each(first, operation, handler)
    except LookupError:
        return base(node, range(RANKS.stop)) if _gathers(short, node) and _is_contiguous(operands) else None


def _plausible(layout: Layout, operation: Operation) -> Layout:
    """Return *layout* without the ranks that nobody gives to the operation, if it may have others."""
    forms = layout.forms
    if len(forms) > 1:
        match operation.name:
            case "linear":
                forms = tuple(form for form in forms if form.rank > 1)  # one example alone is rare
            case "argmax" if operation.number(0, "dim") == 1:
                forms = tuple(form for form in forms if form.rank != 3)  # over classes: the last, or those of an image
            case "gather" if (index := dimensions.index_layout(operation)) is not None:
                ranks = {form.rank for form in index.forms}
                forms = tuple(form for form in forms if form.rank in ranks)
    return Layout(forms or layout.forms, layout.width)


def _in_format(wanted: str | None, operands: Sequence[Operand], node: nodes.NodeNG) -> Layout | None:
    """Return the layout of the first of *operands* in the memory format *wanted*."""
    rank = CHANNELS_LAST.get(wanted or "")
    if rank is None:
        return None
    known = layout_of(operands[0]) if operands else None
    forms = of_rank(known or base(node), rank).forms
    return Layout(tuple(strides.channels_last(form.sizes, "channels_last") for form in forms if form.rank == rank))


def _gathers(name: str, node: nodes.NodeNG) -> bool:
    """Return whether the op gives a contiguous tensor of a contiguous one, whatever its rank may be."""
    if name == "select" and isinstance(node, nodes.Subscript):
        return not isinstance(node.slice, (nodes.Tuple, nodes.Slice))  # ``x[i]`` and ``x[mask]``
    return name in ("squeeze", "index", "masked_select", "index_select", "gather")


def _is_contiguous(operands: Sequence[Operand]) -> bool:
    layout = layout_of(operands[0]) if operands else None
    return layout is not None and all(form.contiguous for form in layout.forms)


def _spells(node: nodes.NodeNG, name: str) -> bool:
    if not isinstance(node, nodes.Call):
        return True
    return isinstance(node.func, nodes.Attribute) and last_name(node.func) in (name, name + "_")


def _each(layout: Layout, operation: Operation, handler: dimensions.Handler) -> Layout | None:
    forms, unchanged = [], []
    for form in layout.forms:
        try:
            forms.append(handler(operation, form))
        except Pointless:
            unchanged.append(form)
        except Impossible:
            continue
    forms = forms or unchanged
    width = layout.width if operation.name in dimensions.SAME_MEMORY else None
    return Layout(tuple(dict.fromkeys(forms)), width) if forms else None


# -- several tensors ---------------------------------------------------------------------------------


def _elementwise(operation: Operation) -> Layout | None:
    """Return the layout of an elementwise result: the first tensor decides, and where it is broadcast the next."""
    tensors = [operand for operand in operation.operands if not _is_number(operand, operation.numbers)]
    if operation.name in COPIES:
        tensors = list(operation.operands[:1])
    lead = next((operand for operand in tensors if layout_of(operand) is not None), None)
    if lead is None or (layout := layout_of(lead)) is None:
        return None
    forms = []
    for form in layout.forms:
        known = [form if operand is lead else _one_of(form, operand) for operand in tensors]
        if None not in known or form.rank and not (ONE in form.sizes and _meets_unknown_tensor(tensors)):
            made = _mixed(known)
            if operation.name in MAY_KEEP and made.ordered and made != form:
                made = strides.unordered(form.sizes)  # with gaps, if it was of that type and place already
            forms.append(made)
    return Layout(tuple(dict.fromkeys(forms))) if forms else None


def _meets_unknown_tensor(tensors: Sequence[Operand]) -> bool:
    """Return whether one of *tensors* surely is one, of any sizes: it may spread the others."""
    return any(operand.fact is not None and layout_of(operand) is None for operand in tensors)


def _is_number(operand: Operand, numbers: Numbers) -> bool:
    if operand.fact is not None:
        return False
    return operand.node is None or isinstance(operand.node, nodes.Const) or numbers.integer(operand.node) is not None


def _one_of(form: Strided, operand: Operand) -> Strided | None:
    try:
        return next(iter(dimensions.matching(form, operand)), None)
    except LookupError:
        return None


def _mixed(tensors: Sequence[Strided | None]) -> Strided:
    """Return the result for *tensors*, None among them for one that may be a tensor of any layout."""
    known = [tensor for tensor in tensors if tensor is not None]
    if len(known) == len(tensors):
        return strides.elementwise(known)
    anything = strides.unordered(strides.broadcast(known))
    return strides.elementwise([anything if tensor is None else tensor for tensor in tensors])


def _joined(operation: Operation) -> Layout | None:
    """Return the layout of ``cat`` and ``stack``."""
    parts = [operand for operand in operation.operands if operand.name == "tensors"]
    layouts = [layout_of(part) for part in parts]
    if not layouts or layouts[0] is None or any(layout is None for layout in layouts):
        return base(operation.node)
    node = argument(operation.node, 1, "dim") if isinstance(operation.node, nodes.Call) else None
    size = operation.numbers.size(node) if node is not None else sizes.number(0)
    index = None if size is None else size.known
    forms = []
    for form in layouts[0].forms:
        try:
            if operation.name == "stack":
                place = dimensions.index_of(form, index, extra=1)
                new = [*form.sizes[:place], _count(operation, parts), *form.sizes[place:]]
            else:
                place = dimensions.index_of(form, index)
                new = list(form.sizes)
                new[place] = _total(layouts, place) or sizes.unknown(operation.node)
        except Impossible:
            continue
        may_keep_format = form.rank in (4, 5) and (not form.contiguous or dimensions.passes_for_both_formats(form))
        forms.append(strides.unordered(new) if may_keep_format else strides.contiguous(new))
    return Layout(tuple(dict.fromkeys(forms))) if forms else None


def _count(operation: Operation, parts: Sequence[Operand]) -> Size:
    """Return how many tensors are put together."""
    listed = operation.node.args[0] if isinstance(operation.node, nodes.Call) and operation.node.args else None
    if isinstance(listed, (nodes.List, nodes.Tuple)) and len(listed.elts) == len(parts):
        if not any(isinstance(element, nodes.Starred) for element in listed.elts):
            return sizes.number(len(parts))
    return sizes.unknown(operation.node)


def _total(layouts: Sequence[Layout | None], index: int) -> Size | None:
    """Return the sum of the sizes of dimension *index*."""
    total: Size | None = sizes.number(0)
    for layout in layouts:
        size = size_at(layout, index) if layout is not None else None
        total = sizes.calculated("+", total, size) if total is not None and size is not None else None
    return total


def _product(operation: Operation) -> Layout | None:
    """Return the layout of a matrix product, which is contiguous."""
    if len(operation.operands) < 2:
        return None
    left, right = (layout_of(operand) for operand in operation.operands[:2])
    if left is None:
        return base(operation.node, [3] if operation.name == "bmm" else [2] if operation.name == "mm" else RANKS)
    forms = []
    for form in left.forms:
        others = [] if right is None else dimensions.matching(form, operation.operands[1])
        if others and form.rank and others[0].rank:
            forms.append(strides.contiguous(_multiplied(form.sizes, others[0].sizes)))
        elif form.rank >= 3 or form.rank == 2 and operation.name != "matmul":
            forms.append(strides.contiguous([*form.sizes[:-1], sizes.unknown(operation.node, "out")]))
        elif len(left.forms) == 1:
            return None  # the other may have a batch dimension
    return Layout(tuple(dict.fromkeys(forms))) if forms else None


def _multiplied(left: tuple[Size, ...], right: tuple[Size, ...]) -> tuple[Size, ...]:
    """Return the sizes of the matrix product of tensors of sizes *left* and *right*."""
    if len(right) == 1:
        return left[:-1]
    if len(left) == 1:
        return (*right[:-2], right[-1])
    heads = [strides.contiguous(left[:-2]), strides.contiguous(right[:-2])]
    return (*strides.broadcast(heads), left[-2], right[-1])
