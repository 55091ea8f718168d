"""What an operation does to sizes and strides, as far as the text tells.

What a call or an index says is read here; what follows for the strides stands in ``strides``. A tensor
whose rank is not known is followed under several assumptions at a time, and those that the program
contradicts are dropped.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from astroid import nodes

from flake8_torch_pitfalls.analysis import sizes, strides
from flake8_torch_pitfalls.analysis.sizes import ONE, Size
from flake8_torch_pitfalls.analysis.strides import Strided
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.operations import Operand

RANKS = range(1, 7)
MOST_FORMS = 12

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
CONTIGUOUS = frozenset(
    "cumprod cumsum cummax_values index_add instance_norm layer_norm log_softmax logcumsumexp logsigmoid "
    "masked_fill scatter scatter_add softmax softmin tril triu".split()
)
"""Their result has the sizes of the first operand and is contiguous."""
ALWAYS_CONTIGUOUS = CONTIGUOUS | {"linear", "embedding", "contiguous", "repeat", "topk"}
SAME_FORMAT = frozenset("batch_norm group_norm local_response_norm rms_norm roll".split())
"""Their result has the sizes of the first operand, contiguous or in channels_last format as that is."""
IMAGE_OPS = frozenset(
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d max_pool1d max_pool2d max_pool3d "
    "avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
    "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d interpolate upsample pad".split()
)
"""Like those, with other sizes."""
REDUCTIONS = frozenset(
    "sum mean prod amax amin argmax argmin norm std var logsumexp any all median nanmedian mode kthvalue max min "
    "nansum nanmean count_nonzero".split()
)
KEEPS = frozenset("contiguous view_as_real_ requires_grad_ data retain_grad pin_memory alias sort".split())


@dataclasses.dataclass(frozen=True, slots=True)
class Layout:
    """Sizes and strides of a tensor: each form that it may have."""

    forms: tuple[Strided, ...]

    @property
    def only(self) -> Strided | None:
        """The form, if there is only one."""
        return self.forms[0] if len(self.forms) == 1 else None


class Numbers(Protocol):
    """Answers which numbers expressions stand for."""

    def size(self, node: nodes.NodeNG) -> Size | None:
        """Return the number *node* where the program needs one there, a name of its own if it is unknown."""

    def integer(self, node: nodes.NodeNG) -> Size | None:
        """Return the number *node*, None for what may be something else."""

    def sequence(self, node: nodes.NodeNG) -> tuple[Size, ...] | None:
        """Return the numbers in the tuple or list *node*."""

    def device(self, node: nodes.NodeNG | None) -> str | None:
        """Return the device that *node* names, or that the tensor *node* is on."""


class Impossible(Exception):
    """The program cannot get past this operation with a tensor of the form assumed."""


def base(origin: nodes.NodeNG | str, ranks: Sequence[int] | range = RANKS) -> Layout:
    """Return the layout of a tensor that comes from outside: of unknown sizes, taken to be contiguous."""
    return Layout(
        tuple(strides.contiguous([sizes.unknown(origin, index) for index in range(rank)]) for rank in ranks)
    )


def join(left: Layout | None, right: Layout | None) -> Layout | None:
    """Return the layout of a tensor that has one of two."""
    if left is None or right is None or left == right:
        return left if left == right else None
    forms = tuple(dict.fromkeys((*left.forms, *right.forms)))
    return Layout(forms) if len(forms) <= MOST_FORMS else None


def of_rank(layout: Layout, rank: int) -> Layout:
    """Return *layout* once it is known to have *rank* dimensions."""
    forms = tuple(form for form in layout.forms if form.rank == rank)
    return Layout(forms) if forms else layout


def size_at(layout: Layout, index: int) -> Size | None:
    """Return the size of dimension *index* if all forms agree on it."""
    found = {form.sizes[index] for form in layout.forms if -form.rank <= index < form.rank}
    return found.pop() if len(found) == 1 else None


def refused(name: str, operands: Sequence[Operand], node: nodes.NodeNG, numbers: Numbers) -> tuple[bool | None, str]:
    """Return whether torch refuses the view that *name* asks for at *node*, and what is to blame; None if unknown."""
    layout = _layout(operands[0]) if operands else None
    short = name.rpartition(".")[2]
    if layout is None or not isinstance(node, nodes.Call):
        return None, ""
    operation = Operation(short, operands, node, numbers, skipped=1 if "." in name else 0)
    answers = set()
    for form in layout.forms:
        try:
            answers.add(strides.allows(form, view_sizes(operation, form)))
        except LookupError:
            return None, ""
    allowed = answers.pop() if len(answers) == 1 else None
    return None if allowed is None else not allowed, layout.forms[-1].cause


def made(symbol: str, call: nodes.Call, numbers: Numbers) -> Layout | None:
    """Return the layout of the tensor that the factory *symbol* makes at *call*."""
    name = symbol.rpartition(".")[2]
    if argument(call, None, "memory_format") is not None or any(k.arg is None for k in call.keywords or ()):
        return None
    found: tuple[Size, ...] | None
    match name:
        case "zeros" | "ones" | "empty" | "rand" | "randn":
            found = _listed(call.args, argument(call, None, "size"), numbers)
        case "full":
            found = _listed(call.args[:1], argument(call, 0, "size"), numbers)
        case "randint":
            found = next((s for arg in call.args if (s := numbers.sequence(arg)) is not None), None)
            if found is None and (size := argument(call, None, "size")) is not None:
                found = numbers.sequence(size)
        case "arange" | "linspace" | "logspace" | "randperm":
            count = numbers.size(call.args[0]) if len(call.args) == 1 and name in ("arange", "randperm") else None
            found = (count or sizes.unknown(call),)
        case "eye":
            side = numbers.size(call.args[0]) if call.args else None
            found = (side, side) if side is not None and len(call.args) == 1 else None
        case "tensor" | "as_tensor":
            found = _literal_sizes(call.args[0]) if call.args else None
        case _:
            found = None
    return None if found is None else Layout((strides.contiguous(found),))


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


def _option(call: nodes.Call, index: int | None, name: str, default: object) -> object:
    """Return the constant given for an option, *default* if it is left out, ``...`` if unknown."""
    node = argument(call, index, name)
    if any(keyword.arg is None for keyword in call.keywords or ()):
        return ...
    return default if node is None else constant(node)


def _literal_sizes(node: nodes.NodeNG) -> tuple[Size, ...] | None:
    if isinstance(node, (nodes.List, nodes.Tuple)) and node.elts:
        if isinstance(node.elts[0], (nodes.List, nodes.Tuple)):
            below = _literal_sizes(node.elts[0])
            return None if below is None else (sizes.number(len(node.elts)), *below)
        if all(isinstance(element, (nodes.Const, nodes.UnaryOp)) for element in node.elts):
            return (sizes.number(len(node.elts)),)
    return None


def _listed(
    args: Sequence[nodes.NodeNG], keyword: nodes.NodeNG | None, numbers: Numbers
) -> tuple[Size, ...] | None:
    """Return the sizes given as ``f(2, 3)``, ``f((2, 3))``, ``f(*sizes)`` or ``f(size=(2, 3))``."""
    if not args:
        return None if keyword is None else numbers.sequence(keyword)
    if len(args) == 1 and not isinstance(args[0], nodes.Starred):
        if (whole := numbers.sequence(args[0])) is not None:
            return whole
        one = numbers.integer(args[0])  # a name of which nothing is known may be a tuple
        return None if one is None else (one,)
    found: list[Size] = []
    for arg in args:
        if isinstance(arg, nodes.Starred):
            part = numbers.sequence(arg.value)
            if part is None:
                return None
            found.extend(part)
        else:
            size = numbers.size(arg)
            if size is None:
                return None
            found.append(size)
    return tuple(found)


@dataclasses.dataclass(frozen=True, slots=True)
class Operation:
    """One operation in the program: its name, its tensors, and its other arguments."""

    name: str
    operands: Sequence[Operand]
    node: nodes.NodeNG
    numbers: Numbers
    skipped: int
    """How many positional arguments come before those that follow the tensor."""

    def argument(self, index: int, *names: str) -> nodes.NodeNG | None:
        """Return the argument at *index* after the tensor, or with one of *names*."""
        if not isinstance(self.node, nodes.Call):
            return None
        found = argument(self.node, index + self.skipped, names[0])
        for name in names[1:]:
            found = found or argument(self.node, None, name)
        return found

    def number(self, index: int, name: str, default: int | None = None) -> int | None:
        """Return the known integer at *index* or *name*; raise LookupError for one that is not known."""
        node = self.argument(index, name)
        if node is None:
            return default
        size = self.numbers.size(node)
        if size is None or size.known is None:
            raise LookupError(name)
        return size.known

    def numbers_from(self, index: int, *names: str) -> tuple[Size, ...] | None:
        """Return the sizes from *index* on, one by one, in one tuple, or by keyword."""
        if not isinstance(self.node, nodes.Call):
            return None
        keyword = next((k.value for k in self.node.keywords or () if k.arg in names), None)
        return _listed(self.node.args[index + self.skipped :], keyword, self.numbers)

    def integers_from(self, index: int, *names: str) -> list[int]:
        """Return known integers from *index* on; raise LookupError if some are not known."""
        found = self.numbers_from(index, *names)
        if found is None or any(size.known is None for size in found):
            raise LookupError(names)
        return [int(size.value) for size in found]

    @property
    def others(self) -> list[Operand]:
        """The operands after the first."""
        return list(self.operands[1:])


def after(name: str, operands: Sequence[Operand], node: nodes.NodeNG, numbers: Numbers) -> Layout | None:
    """Return the layout of what the op *name* gives at *node* for *operands*, the tensor of a method first.

    A dotted *name* is a function's; a bare one is a method's, an operator's or a module's.
    """
    short = name.rpartition(".")[2]
    if short.endswith("_") and short not in ("transpose_", "t_", "squeeze_", "unsqueeze_", "swapaxes_", "swapdims_"):
        return _layout(operands[0]) if operands else None
    short = short.removesuffix("_")
    is_function = "." in name
    is_method = bool(operands) and operands[0].name == "self" and _spells(node, short)
    if isinstance(node, nodes.Call):
        if any(keyword.arg is None for keyword in node.keywords or ()):
            return None
        if argument(node, None, "memory_format") is not None:
            return None
    operation = Operation(short, operands, node, numbers, skipped=1 if is_function else 0)
    try:
        if short in ELEMENTWISE:
            return _elementwise(operation)
        if short in ("cat", "concat", "concatenate", "stack", "hstack", "vstack"):
            return _joined(operation)
        if short in ("matmul", "mm", "bmm"):
            return _product(operation)
        first = _layout(operands[0]) if operands else None
        if first is None:
            return base(node) if short in ALWAYS_CONTIGUOUS else None
        if short in IMAGE_OPS and short[-2].isdigit():
            first = of_rank(first, int(short[-2]) + 2)
        handler = _MODULES.get(short)
        if handler is None and (is_function or is_method or isinstance(node, (nodes.Attribute, nodes.Subscript))):
            handler = _CALLS.get(short)
        return None if handler is None else _each(first, operation, handler)
    except LookupError:
        return None


def _spells(node: nodes.NodeNG, name: str) -> bool:
    if not isinstance(node, nodes.Call):
        return True
    return isinstance(node.func, nodes.Attribute) and last_name(node.func) in (name, name + "_")


def _layout(operand: Operand) -> Layout | None:
    return operand.fact.layout if operand.fact is not None else None


Handler = Callable[[Operation, Strided], Strided]


def _each(layout: Layout, operation: Operation, handler: Handler) -> Layout | None:
    forms = []
    for form in layout.forms:
        try:
            forms.append(handler(operation, form))
        except Impossible:
            continue
    return Layout(tuple(dict.fromkeys(forms))) if forms else None


def _dim(form: Strided, index: int | None, extra: int = 0) -> int:
    rank = form.rank + extra
    if index is None:
        raise LookupError
    if not -rank <= index < max(rank, 1):
        raise Impossible
    return index % rank if rank else 0


# -- operations on the strides alone -----------------------------------------------------------------


def _transpose(operation: Operation, form: Strided) -> Strided:
    one = _dim(form, operation.number(0, "dim0"))
    other = _dim(form, operation.number(1, "dim1"))
    order = list(range(form.rank))
    order[one], order[other] = order[other], order[one]
    return strides.permuted(form, order, operation.name)


def _permute(operation: Operation, form: Strided) -> Strided:
    order = operation.integers_from(0, "dims")
    if len(order) != form.rank:
        raise Impossible
    return strides.permuted(form, [_dim(form, index) for index in order], operation.name)


def _movedim(operation: Operation, form: Strided) -> Strided:
    ends = []
    for index, name in enumerate(("source", "destination")):
        node = operation.argument(index, name)
        if node is None:
            raise LookupError
        several = operation.numbers.sequence(node)
        one = operation.numbers.size(node)
        found = several if several is not None else (one,) if one is not None else ()
        ends.append([_dim(form, None if size is None else size.known) for size in found])
    sources, targets = ends
    if len(sources) != len(targets) or not sources:
        raise LookupError
    remaining = iter([index for index in range(form.rank) if index not in sources])
    moved = dict(zip(targets, sources))
    order = [moved[index] if index in moved else next(remaining) for index in range(form.rank)]
    return strides.permuted(form, order, operation.name)


def _t(operation: Operation, form: Strided) -> Strided:
    if form.rank != 2:  # fewer dimensions would be allowed, and left as they are
        raise Impossible
    return strides.permuted(form, range(form.rank)[::-1], operation.name)


def _reversed(operation: Operation, form: Strided) -> Strided:
    if form.rank < 2 or (operation.name == "H" and form.rank > 2):
        raise Impossible
    return strides.permuted(form, range(form.rank)[::-1], operation.name)


def _matrix_transpose(operation: Operation, form: Strided) -> Strided:
    if form.rank < 2:
        raise Impossible
    order = [*range(form.rank - 2), form.rank - 1, form.rank - 2]
    return strides.permuted(form, order, operation.name)


def _squeeze(operation: Operation, form: Strided) -> Strided:
    node = operation.argument(0, "dim")
    if node is None:
        if any(size.unknowns for size in form.sizes):
            raise LookupError
        dropped = {index for index, dim in enumerate(form.dims) if dim.flat}
    else:
        several = operation.numbers.sequence(node)
        wanted = [operation.number(0, "dim")] if several is None else [size.known for size in several]
        dropped = {_dim(form, index) for index in wanted}
        dropped = {index for index in dropped if form.dims[index].flat or form.sizes[index].unknowns}
    kept = tuple(dim for index, dim in enumerate(form.dims) if index not in dropped)
    return dataclasses.replace(form, dims=kept)


def _unsqueeze(operation: Operation, form: Strided) -> Strided:
    return strides.with_one(form, _dim(form, operation.number(0, "dim"), extra=1))


def _select(operation: Operation, form: Strided) -> Strided:
    if isinstance(operation.node, nodes.Subscript):
        return _indexed(operation, form)
    return strides.without(form, _dim(form, operation.number(0, "dim")), operation.name)


def _unbind(operation: Operation, form: Strided) -> Strided:
    return strides.without(form, _dim(form, operation.number(0, "dim", 0)), operation.name)


def _narrow(operation: Operation, form: Strided) -> Strided:
    index = _dim(form, operation.number(0, "dim"))
    length = operation.argument(2, "length")
    size = operation.numbers.size(length) if length is not None else None
    return strides.resized(form, index, size or sizes.unknown(operation.node), ONE, operation.name)


def _chunk(operation: Operation, form: Strided) -> Strided:
    index = _dim(form, operation.number(1, "dim", 0))
    node = operation.argument(0, "chunks")
    count = operation.numbers.size(node) if node is not None else None
    size = sizes.calculated("//", form.sizes[index], count) if count is not None else None
    if form.dims[index].flat:
        return form
    if size is not None and not size.unknowns and size * (count or ONE) != form.sizes[index]:
        raise LookupError  # the last part is smaller
    return strides.resized(form, index, size or sizes.unknown(operation.node), ONE, operation.name)


def _split(operation: Operation, form: Strided) -> Strided:
    index = _dim(form, operation.number(1, "dim", 0))
    node = operation.argument(0, "split_size_or_sections", "split_size", "split_sizes")
    size = operation.numbers.integer(node) if node is not None else None
    whole = form.sizes[index].known
    if size is not None and size.known and whole is not None and whole % size.known:
        raise LookupError  # the last part is smaller
    return strides.resized(form, index, size or sizes.unknown(operation.node), ONE, operation.name)


def _unfold(operation: Operation, form: Strided) -> Strided:
    index = _dim(form, operation.number(0, "dimension"))
    nodes_given = operation.argument(1, "size"), operation.argument(2, "step")
    if None in nodes_given or operation.skipped:  # F.unfold is another operation
        raise LookupError
    size, step = (operation.numbers.size(node) for node in nodes_given if node is not None)
    if size is None or step is None:
        raise LookupError
    return strides.unfolded(form, index, size, step)


def _expand(operation: Operation, form: Strided) -> Strided:
    wanted = operation.numbers_from(0, "size")
    if wanted is None:
        raise LookupError
    return _expanded(form, wanted)


def _expand_as(operation: Operation, form: Strided) -> Strided:
    return _expanded(form, _other_sizes(operation, form))


def _expanded(form: Strided, wanted: Sequence[Size]) -> Strided:
    result = strides.expanded(form, wanted, "expand")
    if result is None:
        raise Impossible
    return result


def _other_sizes(operation: Operation, form: Strided) -> tuple[Size, ...]:
    """Return the sizes of the second tensor of ``view_as``, ``reshape_as``, ``expand_as``."""
    layout = _layout(operation.others[0]) if operation.others else None
    if layout is None:
        raise LookupError
    same = [other for other in layout.forms if other.rank == form.rank]
    chosen = layout.forms if len(layout.forms) == 1 else same
    if len(chosen) != 1:
        raise LookupError
    return chosen[0].sizes


# -- views and copies --------------------------------------------------------------------------------


def view_sizes(operation: Operation, form: Strided) -> tuple[Size, ...]:
    """Return the sizes that a ``view`` or ``reshape`` asks for; raise LookupError if the text does not say."""
    if operation.name.endswith("_as"):
        return _other_sizes(operation, form)
    wanted = operation.numbers_from(0, "shape", "size")
    if wanted is None:
        raise LookupError
    return wanted


def _view(operation: Operation, form: Strided) -> Strided:
    return strides.viewed(form, view_sizes(operation, form))


def _reshape(operation: Operation, form: Strided) -> Strided:
    return _reshaped(form, view_sizes(operation, form))


def _reshaped(form: Strided, wanted: Sequence[Size]) -> Strided:
    full = strides.inferred(form, wanted)
    match strides.allows(form, full):
        case True:
            return strides.viewed(form, full)
        case False:
            return strides.contiguous(full)
    return strides.contiguous(full) if form.contiguous else strides.unordered(full)


def _flatten(operation: Operation, form: Strided) -> Strided:
    if form.rank == 0:
        return strides.contiguous([ONE])
    start = _dim(form, operation.number(0, "start_dim", 0))
    end = _dim(form, operation.number(1, "end_dim", -1))
    if end < start:
        raise Impossible
    merged = sizes.product(form.sizes[start : end + 1])
    return _reshaped(form, [*form.sizes[:start], merged, *form.sizes[end + 1 :]])


def _ravel(operation: Operation, form: Strided) -> Strided:
    del operation
    return _reshaped(form, [sizes.product(form.sizes)])


def _unflatten(operation: Operation, form: Strided) -> Strided:
    index = _dim(form, operation.number(0, "dim"))
    wanted = operation.numbers_from(1, "sizes")
    if wanted is None:
        raise LookupError
    one = strides.contiguous([form.sizes[index]])
    return strides.viewed(form, [*form.sizes[:index], *strides.inferred(one, wanted), *form.sizes[index + 1 :]])


def _contiguous(operation: Operation, form: Strided) -> Strided:
    del operation
    return strides.contiguous(form.sizes)


def _same(operation: Operation, form: Strided) -> Strided:
    del operation
    return form


def _repeat(operation: Operation, form: Strided) -> Strided:
    counts = operation.numbers_from(0, "repeats")
    if counts is None or len(counts) < form.rank:
        raise LookupError
    own = [*[ONE] * (len(counts) - form.rank), *form.sizes]
    return strides.contiguous([size * count for size, count in zip(own, counts)])


def _sort(operation: Operation, form: Strided) -> Strided:
    del operation
    return strides.elementwise([form])


# -- other results -----------------------------------------------------------------------------------


def _in_format_of(form: Strided, wanted: Sequence[Size]) -> Strided:
    """Return a result of sizes *wanted* that is in channels_last format if *form* is."""
    if form.rank in (4, 5) and any(dim.flat for dim in form.dims) and not form.contiguous:
        return strides.unordered(wanted)  # with a size of 1 it may pass for either format
    if not form.ordered:
        return strides.unordered(wanted)
    return strides.channels_last(wanted, form.cause) if form.channels_last else strides.contiguous(wanted)


def _same_format(operation: Operation, form: Strided) -> Strided:
    del operation
    return _in_format_of(form, form.sizes)


def _image_op(operation: Operation, form: Strided) -> Strided:
    if not form.contiguous and not form.channels_last:
        return strides.unordered([sizes.unknown(operation.node, index) for index in range(form.rank)])
    keeps = 2 if "pool" in operation.name or operation.name in ("interpolate", "upsample") else 1
    kept = form.sizes[: min(keeps, form.rank - 2)] if operation.name != "pad" else ()
    new = [sizes.unknown(operation.node, index) for index in range(len(kept), form.rank)]
    return _in_format_of(form, [*kept, *new])


def _linear(operation: Operation, form: Strided) -> Strided:
    if form.rank == 0:
        raise Impossible
    return strides.contiguous([*form.sizes[:-1], sizes.unknown(operation.node, "out")])


def _embedding(operation: Operation, form: Strided) -> Strided:
    return strides.contiguous([*form.sizes, sizes.unknown(operation.node, "out")])


def _reduced(operation: Operation, form: Strided) -> Strided:
    shift = 1 if operation.name in ("norm", "kthvalue") else 0
    if operation.name in ("max", "min") and operation.others and operation.others[0].fact is not None:
        return strides.elementwise([form, *_matching(form, operation.others[0])])
    node = operation.argument(shift, "dim", "axis")
    if node is None or constant(node) is None:
        return strides.contiguous([])
    several = operation.numbers.sequence(node)
    one = operation.numbers.size(node) if several is None else None
    wanted = several if several is not None else (one,)
    dropped = {_dim(form, None if size is None else size.known) for size in wanted}
    keep = operation.argument(shift + 1, "keepdim")
    kept = constant(keep) if keep is not None else False
    if kept not in (True, False):
        raise LookupError
    result = []
    for index, size in enumerate(form.sizes):
        if index not in dropped:
            result.append(size)
        elif kept:
            result.append(ONE)
    return strides.contiguous(result)


def _topk(operation: Operation, form: Strided) -> Strided:
    node = operation.argument(0, "k")
    index = _dim(form, operation.number(1, "dim", -1))
    size = operation.numbers.size(node) if node is not None else None
    result = list(form.sizes)
    result[index] = size or sizes.unknown(operation.node)
    return strides.contiguous(result)


def _gather(operation: Operation, form: Strided) -> Strided:
    layouts = [layout for operand in operation.others if (layout := _layout(operand)) is not None]
    if operation.name == "gather" and layouts and layouts[0].only is not None:
        return strides.contiguous(layouts[0].only.sizes)
    index = _dim(form, operation.number(0, "dim"))
    result = list(form.sizes)
    if operation.name == "gather":
        result = [sizes.unknown(operation.node, place) for place in range(form.rank)]
    result[index] = sizes.unknown(operation.node, index)
    return strides.contiguous(result)


def _matching(form: Strided, operand: Operand) -> list[Strided]:
    """Return the form of *operand* that goes with *form*: its only one, or the one of the same rank."""
    layout = _layout(operand)
    if layout is None:
        raise LookupError
    if layout.only is not None:
        return [layout.only]
    return [other for other in layout.forms if other.rank == form.rank][:1]


# -- several tensors ---------------------------------------------------------------------------------


def _elementwise(operation: Operation) -> Layout | None:
    """Return the layout of an elementwise result: the first tensor decides, and where it is broadcast the next."""
    tensors = [operand for operand in operation.operands if not _is_number(operand, operation.numbers)]
    if operation.name in COPIES:
        tensors = list(operation.operands[:1])
    lead = next((operand for operand in tensors if _layout(operand) is not None), None)
    if lead is None or (layout := _layout(lead)) is None:
        return None
    forms = []
    for form in layout.forms:
        known = [form if operand is lead else _one_of(form, operand) for operand in tensors]
        forms.append(_mixed(known))
    return Layout(tuple(dict.fromkeys(forms)))


def _is_number(operand: Operand, numbers: Numbers) -> bool:
    if operand.fact is not None:
        return False
    return operand.node is None or isinstance(operand.node, nodes.Const) or numbers.integer(operand.node) is not None


def _one_of(form: Strided, operand: Operand) -> Strided | None:
    try:
        return next(iter(_matching(form, operand)), None)
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
    layouts = [_layout(part) for part in parts]
    if not layouts or layouts[0] is None or any(layout is None for layout in layouts):
        return base(operation.node)
    node = argument(operation.node, 1, "dim") if isinstance(operation.node, nodes.Call) else None
    size = operation.numbers.size(node) if node is not None else sizes.number(0)
    index = None if size is None else size.known
    forms = []
    for form in layouts[0].forms:
        if form.channels_last or not form.ordered and form.rank in (4, 5):
            return None
        try:
            if operation.name == "stack":
                place = _dim(form, index, extra=1)
                new = [*form.sizes[:place], sizes.unknown(operation.node), *form.sizes[place:]]
            else:
                place = _dim(form, index)
                new = list(form.sizes)
                new[place] = _total(layouts, place) or sizes.unknown(operation.node)
        except Impossible:
            continue
        forms.append(strides.contiguous(new))
    return Layout(tuple(dict.fromkeys(forms))) if forms else None


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
    left, right = (_layout(operand) for operand in operation.operands[:2])
    if left is None:
        return base(operation.node, [3] if operation.name == "bmm" else [2] if operation.name == "mm" else RANKS)
    forms = []
    for form in left.forms:
        others = [] if right is None else _matching(form, operation.operands[1])
        other = others[0] if others else None
        if form.rank < 2 or (other is not None and other.rank < 2):
            if len(left.forms) == 1:
                return None
            continue
        last = other.sizes[-1] if other is not None else sizes.unknown(operation.node, "out")
        if other is None and form.rank < 3 and operation.name == "matmul":
            if len(left.forms) == 1:
                return None  # the other may have a batch dimension
            continue
        batch: tuple[Size, ...] = form.sizes[:-2]
        if other is not None and other.rank > 2:
            heads = [strides.contiguous(form.sizes[:-2]), strides.contiguous(other.sizes[:-2])]
            batch = strides.broadcast(heads)
        forms.append(strides.contiguous([*batch, form.sizes[-2], last]))
    return Layout(tuple(dict.fromkeys(forms))) if forms else None


# -- indexing ----------------------------------------------------------------------------------------


def _indexed(operation: Operation, form: Strided) -> Strided:
    """Return ``x[1:, None, ..., i]``; raise LookupError for an index that may be a tensor."""
    key = operation.node.slice
    keys = list(key.elts) if isinstance(key, nodes.Tuple) else [key]
    taken = sum(not (_is_ellipsis(each) or _is_new_axis(each)) for each in keys)
    if taken > form.rank:
        raise Impossible
    result, place = form, 0
    for each in keys:
        if _is_ellipsis(each):
            place += form.rank - taken
        elif _is_new_axis(each):
            result = strides.with_one(result, place)
            place += 1
        elif isinstance(each, nodes.Slice):
            result = _sliced(operation, result, place, each)
            place += 1
        elif operation.numbers.integer(each) is not None:
            result = strides.without(result, place, "indexing")
        else:
            raise LookupError
    return result


def _is_ellipsis(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Const) and node.value is Ellipsis


def _is_new_axis(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Const) and node.value is None


def _sliced(operation: Operation, form: Strided, index: int, key: nodes.Slice) -> Strided:
    numbers = operation.numbers
    whole = form.sizes[index]
    lower = numbers.size(key.lower) if key.lower is not None else sizes.number(0)
    upper = numbers.size(key.upper) if key.upper is not None else whole
    step = numbers.size(key.step) if key.step is not None else ONE
    fresh = sizes.unknown(key)
    if lower is None or upper is None or step is None or not (step.known or 2) > 0:
        raise LookupError
    if not (whole.unknowns or lower.unknowns or upper.unknowns or step.unknowns):
        bounds = slice(lower.known, upper.known, step.known).indices(int(whole.value))
        return strides.resized(form, index, sizes.number(len(range(*bounds))), step, "slicing")
    size = fresh
    if step == ONE:
        start = _from_start(lower, whole)
        end = _from_start(upper, whole)
        size = sizes.calculated("-", end, start) or fresh
        if size.known is not None and size.known <= 0:
            size = fresh
    return strides.resized(form, index, size, step, "slicing")


def _from_start(bound: Size, whole: Size) -> Size:
    """Return the position that *bound* means, counted from the start."""
    return Size(whole.value + bound.value, whole.unknowns | bound.unknowns) if bound.value < 0 else bound


_CALLS: dict[str, Handler] = {
    "transpose": _transpose, "swapaxes": _transpose, "swapdims": _transpose, "permute": _permute,
    "movedim": _movedim, "moveaxis": _movedim, "t": _t, "T": _reversed, "H": _reversed, "mT": _matrix_transpose,
    "mH": _matrix_transpose, "adjoint": _matrix_transpose, "squeeze": _squeeze, "unsqueeze": _unsqueeze,
    "select": _select, "unbind": _unbind, "narrow": _narrow, "chunk": _chunk, "split": _split, "expand": _expand,
    "expand_as": _expand_as, "broadcast_to": _expand, "view": _view, "view_as": _view, "reshape": _reshape,
    "reshape_as": _reshape, "flatten": _flatten, "ravel": _ravel, "unflatten": _unflatten, "repeat": _repeat,
    "topk": _topk, "unfold": _unfold, "gather": _gather, "index_select": _gather, "contiguous": _contiguous,
    **dict.fromkeys(REDUCTIONS, _reduced),
}  # fmt: skip
_MODULES: dict[str, Handler] = {
    "linear": _linear, "embedding": _embedding, "sort": _sort, "argsort": _sort, "requires_grad": _same,
    **dict.fromkeys(CONTIGUOUS, _contiguous),
    **dict.fromkeys(SAME_FORMAT, _same_format),
    **dict.fromkeys(IMAGE_OPS, _image_op),
}  # fmt: skip
"""Those that need no other argument than the tensor, so that they may be modules too."""
