"""What an operation does to one tensor of known rank: which arguments it reads, and what follows for the strides.

An operation that the program cannot get past with a tensor of that rank raises ``Impossible``; one that the
text does not tell enough about raises LookupError.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from astroid import nodes

from flake8_torch_pitfalls.analysis import sizes, strides
from flake8_torch_pitfalls.analysis.sizes import ONE, Size
from flake8_torch_pitfalls.analysis.strides import Strided
from flake8_torch_pitfalls.analysis.tree import argument, constant

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.layout import Layout
    from flake8_torch_pitfalls.analysis.operations import Operand

CONTIGUOUS = frozenset(
    "cumprod cumsum cummax_values index_add instance_norm layer_norm log_softmax logcumsumexp logsigmoid "
    "masked_fill scatter scatter_add softmax softmin tril triu".split()
)
"""Their result has the sizes of the first operand and is contiguous."""
SAME_FORMAT = frozenset("batch_norm group_norm local_response_norm rms_norm roll".split())
"""Their result has the sizes of the first operand, contiguous or in channels_last format as that is."""
SAME_MEMORY = frozenset(
    "transpose swapaxes swapdims permute movedim moveaxis t T H mT mH adjoint squeeze unsqueeze select unbind narrow "
    "chunk split expand expand_as broadcast_to".split()
)
"""Their result is a view whose elements are those of the tensor."""
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


class Numbers(Protocol):
    """Answers which numbers expressions stand for."""

    follows_shapes: bool
    """Whether layouts are worked out at all."""

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


class Pointless(Impossible):
    """With a tensor of the form assumed the operation would do nothing, which nobody means."""


def listed(
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
        return listed(self.node.args[index + self.skipped :], keyword, self.numbers)

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


def layout_of(operand: Operand) -> Layout | None:
    return operand.fact.layout if operand.fact is not None else None


Handler = Callable[[Operation, Strided], Strided]


def index_of(form: Strided, index: int | None, extra: int = 0) -> int:
    rank = form.rank + extra
    if index is None:
        raise LookupError
    if not -max(rank, 1) <= index < max(rank, 1):
        raise Impossible
    return index % rank if rank else 0


# -- operations on the strides alone -----------------------------------------------------------------


def _transpose(operation: Operation, form: Strided) -> Strided:
    first, second = operation.number(0, "dim0"), operation.number(1, "dim1")
    one, other = index_of(form, first), index_of(form, second)
    if not form.rank:
        return form
    if one == other and first != second:
        raise Pointless
    order = list(range(form.rank))
    order[one], order[other] = order[other], order[one]
    return strides.permuted(form, order, operation.name)


def _permute(operation: Operation, form: Strided) -> Strided:
    order = operation.integers_from(0, "dims")
    if len(order) != form.rank:
        raise Impossible
    return strides.permuted(form, [index_of(form, index) for index in order], operation.name)


def _movedim(operation: Operation, form: Strided) -> Strided:
    ends = []
    for index, name in enumerate(("source", "destination")):
        node = operation.argument(index, name)
        if node is None:
            raise LookupError
        several = operation.numbers.sequence(node)
        one = operation.numbers.size(node)
        found = several if several is not None else (one,) if one is not None else ()
        ends.append([index_of(form, None if size is None else size.known) for size in found])
    sources, targets = ends
    if form.rank == 1:
        raise Pointless
    if len(sources) != len(targets) or not sources:
        raise LookupError
    remaining = iter([index for index in range(form.rank) if index not in sources])
    moved = dict(zip(targets, sources))
    order = [moved[index] if index in moved else next(remaining) for index in range(form.rank)]
    return strides.permuted(form, order, operation.name)


def _t(operation: Operation, form: Strided) -> Strided:
    if form.rank != 2:
        raise Impossible if form.rank > 2 else Pointless
    return strides.permuted(form, range(form.rank)[::-1], operation.name)


def _reversed(operation: Operation, form: Strided) -> Strided:
    if form.rank < 2:
        raise Pointless
    if operation.name == "H" and form.rank > 2:
        raise Impossible
    return strides.permuted(form, range(form.rank)[::-1], operation.name)


def _matrix_transpose(operation: Operation, form: Strided) -> Strided:
    if form.rank < 2:
        raise Impossible
    order = [*range(form.rank - 2), form.rank - 1, form.rank - 2]
    return strides.permuted(form, order, operation.name)


def _squeeze(operation: Operation, form: Strided) -> Strided:
    node = operation.argument(0, "dim")
    if not form.rank:
        return form
    if node is None:
        dropped = {index for index, dim in enumerate(form.dims) if dim.flat}
        if not dropped and any(size.unknowns for size in form.sizes):
            raise LookupError
    else:
        several = operation.numbers.sequence(node)
        wanted = [operation.number(0, "dim")] if several is None else [size.known for size in several]
        dropped = {index_of(form, index) for index in wanted}
        dropped = {index for index in dropped if form.dims[index].flat or form.sizes[index].unknowns}
    kept = tuple(dim for index, dim in enumerate(form.dims) if index not in dropped)
    if node is None:
        kept = tuple(dataclasses.replace(dim, size=dataclasses.replace(dim.size, wide=True)) for dim in kept)
    return dataclasses.replace(form, dims=kept)


def _unsqueeze(operation: Operation, form: Strided) -> Strided:
    return strides.with_one(form, index_of(form, operation.number(0, "dim"), extra=1))


def _select(operation: Operation, form: Strided) -> Strided:
    if isinstance(operation.node, nodes.Subscript):
        return _indexed(operation, form)
    return strides.without(form, index_of(form, operation.number(0, "dim")), operation.name)


def _unbind(operation: Operation, form: Strided) -> Strided:
    return strides.without(form, index_of(form, operation.number(0, "dim", 0)), operation.name)


def _narrow(operation: Operation, form: Strided) -> Strided:
    index = index_of(form, operation.number(0, "dim"))
    length = operation.argument(2, "length")
    size = operation.numbers.size(length) if length is not None else None
    return strides.resized(form, index, size or sizes.unknown(operation.node), ONE, operation.name)


def _chunk(operation: Operation, form: Strided) -> Strided:
    index = index_of(form, operation.number(1, "dim", 0))
    node = operation.argument(0, "chunks")
    count = operation.numbers.size(node) if node is not None else None
    size = sizes.calculated("//", form.sizes[index], count) if count is not None else None
    if form.dims[index].flat:
        return form
    if size is not None and not size.unknowns and size * (count or ONE) != form.sizes[index]:
        raise LookupError  # the last part is smaller
    return strides.resized(form, index, size or sizes.unknown(operation.node), ONE, operation.name)


def _split(operation: Operation, form: Strided) -> Strided:
    index = index_of(form, operation.number(1, "dim", 0))
    node = operation.argument(0, "split_size_or_sections", "split_size", "split_sizes")
    if node is None:
        raise LookupError
    sections = operation.numbers.sequence(node)
    if sections is not None and ONE not in sections:
        return strides.resized(form, index, sizes.unknown(operation.node), ONE, operation.name)
    size = operation.numbers.integer(node)
    if size is None:
        raise LookupError  # sections that may be of size 1
    whole = form.sizes[index].known
    if size.known and whole is not None and whole % size.known:
        raise LookupError  # the last part is smaller
    return strides.resized(form, index, size, ONE, operation.name)


def _unfold(operation: Operation, form: Strided) -> Strided:
    index = index_of(form, operation.number(0, "dimension"))
    nodes_given = operation.argument(1, "size"), operation.argument(2, "step")
    if operation.skipped:  # F.unfold is another operation
        blocks = [sizes.unknown(operation.node, part) for part in ("block", "count")]
        return strides.contiguous([form.sizes[0], *blocks])
    if None in nodes_given:
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
    layout = layout_of(operation.others[0]) if operation.others else None
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
    return flattened(form, operation.number(0, "start_dim", 0), operation.number(1, "end_dim", -1))


def flattened(form: Strided, first: int | None, last: int | None) -> Strided:
    """Return *form* with its dimensions from *first* to *last* merged."""
    start, end = index_of(form, first), index_of(form, last)
    if form.rank == 0:
        return strides.contiguous([ONE])
    if end < start:
        raise Impossible
    merged = sizes.product(form.sizes[start : end + 1])
    return _reshaped(form, [*form.sizes[:start], merged, *form.sizes[end + 1 :]])


def _ravel(operation: Operation, form: Strided) -> Strided:
    del operation
    return _reshaped(form, [sizes.product(form.sizes)])


def _unflatten(operation: Operation, form: Strided) -> Strided:
    index = index_of(form, operation.number(0, "dim"))
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
    keeps = 2 if "pool" in operation.name or operation.name in ("interpolate", "upsample") else 1
    kept = form.sizes[: min(keeps, form.rank - 2)] if operation.name != "pad" else ()
    new = [sizes.unknown(operation.node, index) for index in range(len(kept), form.rank)]
    if operation.name.startswith("adaptive") and (given := operation.argument(0, "output_size")) is not None:
        count = int(operation.name[-2])
        several, one = operation.numbers.sequence(given), operation.numbers.integer(given)
        kept = form.sizes[: form.rank - count]
        new = list(several or (one or sizes.unknown(given),) * count)
    if not form.contiguous and not form.channels_last or passes_for_both_formats(form):
        return strides.unordered([*kept, *new])
    return _in_format_of(form, [*kept, *new])


def passes_for_both_formats(form: Strided) -> bool:
    """Return whether a dimension of size 1 got its stride elsewhere: from that torch tells the format of the result."""
    places = [dim.place for dim in form.dims]
    return any(dim.flat for dim in form.dims) and places != sorted(places) and not form.channels_last


def _linear(operation: Operation, form: Strided) -> Strided:
    if form.rank == 0:
        raise Impossible
    return strides.contiguous([*form.sizes[:-1], sizes.unknown(operation.node, "out")])


def _embedding(operation: Operation, form: Strided) -> Strided:
    return strides.contiguous([*form.sizes, sizes.unknown(operation.node, "out")])


def _reduced(operation: Operation, form: Strided) -> Strided:
    shift = 1 if operation.name in ("norm", "kthvalue") else 0
    if operation.name in ("max", "min") and operation.others and operation.others[0].fact is not None:
        return strides.elementwise([form, *matching(form, operation.others[0])])
    node = operation.argument(shift, "dim", "axis")
    if node is None or constant(node) is None:
        return strides.contiguous([])
    several = operation.numbers.sequence(node)
    one = operation.numbers.size(node) if several is None else None
    wanted = several if several is not None else (one,)
    dropped = {index_of(form, None if size is None else size.known) for size in wanted}
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
    index = index_of(form, operation.number(1, "dim", -1))
    size = operation.numbers.size(node) if node is not None else None
    result = list(form.sizes)
    result[index] = size or sizes.unknown(operation.node)
    return strides.contiguous(result)


def index_layout(operation: Operation) -> Layout | None:
    """Return the layout of the index of a ``gather``."""
    return next((layout for operand in operation.others if (layout := layout_of(operand)) is not None), None)


def _gather(operation: Operation, form: Strided) -> Strided:
    index = index_of(form, operation.number(0, "dim"))
    result = list(form.sizes)
    if operation.name == "gather":
        indices = index_layout(operation)
        for other in indices.forms if indices is not None else ():
            if other.rank == form.rank:
                return strides.contiguous(other.sizes)
        result = [sizes.unknown(operation.node, place) for place in range(form.rank)]
    result[index] = sizes.unknown(operation.node, index)
    return strides.contiguous(result)


def matching(form: Strided, operand: Operand) -> list[Strided]:
    """Return the form of *operand* that goes with *form*: its only one, or the one of the same rank."""
    layout = layout_of(operand)
    if layout is None:
        raise LookupError
    if layout.only is not None:
        return [layout.only]
    return [other for other in layout.forms if other.rank == form.rank][:1]


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


CALLS: dict[str, Handler] = {
    "transpose": _transpose, "swapaxes": _transpose, "swapdims": _transpose, "permute": _permute,
    "movedim": _movedim, "moveaxis": _movedim, "t": _t, "T": _reversed, "H": _reversed, "mT": _matrix_transpose,
    "mH": _matrix_transpose, "adjoint": _matrix_transpose, "squeeze": _squeeze, "unsqueeze": _unsqueeze,
    "select": _select, "unbind": _unbind, "narrow": _narrow, "chunk": _chunk, "split": _split, "expand": _expand,
    "expand_as": _expand_as, "broadcast_to": _expand, "view": _view, "view_as": _view, "reshape": _reshape,
    "reshape_as": _reshape, "flatten": _flatten, "ravel": _ravel, "unflatten": _unflatten, "repeat": _repeat,
    "topk": _topk, "unfold": _unfold, "gather": _gather, "index_select": _gather, "contiguous": _contiguous,
    **dict.fromkeys(REDUCTIONS, _reduced),
}  # fmt: skip
MODULES: dict[str, Handler] = {
    "linear": _linear, "embedding": _embedding, "sort": _sort, "argsort": _sort, "requires_grad": _same,
    **dict.fromkeys(CONTIGUOUS, _contiguous),
    **dict.fromkeys(SAME_FORMAT, _same_format),
    **dict.fromkeys(IMAGE_OPS, _image_op),
}  # fmt: skip
"""Those that need no other argument than the tensor, so that they may be modules too."""
