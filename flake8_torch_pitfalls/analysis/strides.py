"""One tensor in memory: sizes and strides of its dimensions, and torch's own rule for views of it."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from flake8_torch_pitfalls.analysis.sizes import ONE, REST, Size, calculated, number, product, quotient

ZERO = number(0)


@dataclasses.dataclass(frozen=True, slots=True)
class Dim:
    """A dimension; *place* orders the dimensions of a tensor in memory, outermost first."""

    size: Size
    stride: Size
    place: tuple[int, ...] = ()

    @property
    def flat(self) -> bool:
        """Whether the size is known to be 1, so that the stride does not matter."""
        return self.size == ONE


@dataclasses.dataclass(frozen=True, slots=True)
class Strided:
    """The dimensions of a tensor in the order of the program.

    ``ordered``: whether the strides are known; if not, only the sizes are. ``cause``: the operation that
    put the dimensions out of order.
    """

    dims: tuple[Dim, ...]
    ordered: bool = True
    cause: str = dataclasses.field(default="", compare=False)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The size of each dimension."""
        return tuple(dim.size for dim in self.dims)

    @property
    def contiguous(self) -> bool:
        """Whether the dimensions are known to lie in memory in their order, without gaps."""
        if ZERO in self.sizes:
            return True
        if not self.ordered:
            return False
        found = chunks(self)
        return not found or (len(found) == 1 and found[0].stride == ONE)

    @property
    def channels_last(self) -> bool:
        """Whether it is a batch of images or volumes in torch's ``channels_last`` format."""
        if not self.ordered or self.rank not in (4, 5):
            return False
        return not self.contiguous and permuted(self, [0, *range(2, self.rank), 1], "").contiguous


def contiguous(sizes: Sequence[Size]) -> Strided:
    """Return a tensor of *sizes* as torch makes one."""
    return _dense(sizes, range(len(sizes)), "")


def unordered(sizes: Sequence[Size]) -> Strided:
    """Return a tensor of *sizes* with unknown strides."""
    return Strided(tuple(Dim(size, ONE) for size in sizes), ordered=False)


def channels_last(sizes: Sequence[Size], cause: str) -> Strided:
    """Return a tensor of *sizes* in ``channels_last`` format."""
    return _dense(sizes, [0, *range(2, len(sizes)), 1], cause)


def like(tensor: Strided, sizes: Sequence[Size]) -> Strided:
    """Return a tensor of *sizes* in the memory format of *tensor*, the result of a layer."""
    if tensor.contiguous:
        return contiguous(sizes)
    return channels_last(sizes, tensor.cause) if tensor.channels_last else unordered(sizes)


def _dense(sizes: Sequence[Size], order: Sequence[int], cause: str) -> Strided:
    """Return a tensor without gaps whose dimensions lie in memory in *order*, outermost first."""
    dims = [Dim(size, ONE) for size in sizes]
    stride = ONE
    for place in reversed(range(len(order))):
        dims[order[place]] = Dim(sizes[order[place]], stride, (place,))
        stride = stride * sizes[order[place]]
    return Strided(tuple(dims), cause=cause)


def caused(result: Strided, before: Strided, cause: str) -> Strided:
    """Return *result* of *before* with *cause*, unless something else is to blame already."""
    return dataclasses.replace(result, cause=before.cause or cause)


def permuted(tensor: Strided, order: Sequence[int], cause: str) -> Strided:
    """Return *tensor* with its dimensions in another *order*."""
    return dataclasses.replace(tensor, dims=tuple(tensor.dims[index] for index in order), cause=cause)


def resized(tensor: Strided, index: int, size: Size, step: Size, cause: str) -> Strided:
    """Return *tensor* with dimension *index* cut to *size*, taking every *step*-th."""
    dims = list(tensor.dims)
    dims[index] = dataclasses.replace(dims[index], size=size, stride=dims[index].stride * step)
    return caused(dataclasses.replace(tensor, dims=tuple(dims)), tensor, cause)


def unfolded(tensor: Strided, index: int, size: Size, step: Size) -> Strided:
    """Return windows of *size*, *step* apart, over dimension *index*, as a new last dimension."""
    old = tensor.dims[index]
    room = calculated("-", old.size, size)
    jumps = calculated("//", room, step) if room is not None else None
    count = calculated("+", jumps, ONE) if jumps is not None else None
    dims = list(tensor.dims)
    dims[index] = dataclasses.replace(old, size=count or old.size, stride=old.stride * step)
    dims.append(dataclasses.replace(old, size=size, place=(*old.place, 1)))
    return caused(dataclasses.replace(tensor, dims=tuple(dims)), tensor, "unfold")


def without(tensor: Strided, index: int, cause: str) -> Strided:
    """Return *tensor* at one position of dimension *index*."""
    dims = tensor.dims[:index] + tensor.dims[index + 1 :]
    return caused(dataclasses.replace(tensor, dims=dims), tensor, cause)


def with_one(tensor: Strided, index: int) -> Strided:
    """Return *tensor* with a new dimension of size 1."""
    return dataclasses.replace(tensor, dims=(*tensor.dims[:index], Dim(ONE, ONE), *tensor.dims[index:]))


def expanded(tensor: Strided, sizes: Sequence[Size], cause: str) -> Strided | None:
    """Return *tensor* expanded to *sizes*, None where torch would refuse or it is not known what happens."""
    new = len(sizes) - tensor.rank
    if new < 0:
        return None
    dims = []
    ordered = tensor.ordered
    for index, size in enumerate(sizes):
        old = tensor.dims[index - new] if index >= new else Dim(ONE, ONE)
        if index < new and size == REST:
            return None
        if size in (REST, old.size):
            dims.append(old)
        elif old.flat:
            dims.append(Dim(size, ZERO, ()))
        elif size.unknowns:
            dims.append(old)  # taken not to be 1, it must be the same
        elif old.size.unknowns:
            dims.append(dataclasses.replace(old, size=size))
            ordered = False  # the strides were told by another name of the size
        else:
            return None
    return caused(dataclasses.replace(tensor, dims=tuple(dims), ordered=ordered), tensor, cause)


@dataclasses.dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring dimensions that lie in memory as one: together *size* elements, *stride* apart."""

    size: Size
    stride: Size
    place: tuple[int, ...]


def chunks(tensor: Strided) -> list[Chunk]:
    """Return the pieces that *tensor* consists of: a view may split or regroup each, never merge two."""
    found: list[Chunk] = []
    for dim in reversed(tensor.dims):
        if dim.flat:
            continue
        if found and dim.stride == found[-1].size * found[-1].stride:
            found[-1] = Chunk(dim.size * found[-1].size, found[-1].stride, dim.place)
        else:
            found.append(Chunk(dim.size, dim.stride, dim.place))
    found.reverse()
    return found


def allows(tensor: Strided, sizes: Sequence[Size]) -> bool | None:
    """Return whether torch can view *tensor* as *sizes*; None if that depends on sizes unknown here.

    It can if each border between two chunks is a border between two of the sizes. Unknown sizes are
    taken to be neither 1 nor equal by chance.
    """
    if not tensor.ordered:
        return None
    pieces = [chunk.size for chunk in chunks(tensor)]
    wanted = [size for size in sizes if size != ONE]
    if len(pieces) <= 1:
        return True if REST in sizes or product(sizes) == product(pieces) else None
    cuts = _common_borders(pieces, wanted)
    if cuts is None:
        return None
    if all(any(border == cut for cut, _ in cuts) for border in range(1, len(pieces))):
        return True
    for (piece, size), (next_piece, next_size) in zip(cuts, cuts[1:]):
        if next_size - size < next_piece - piece:
            return False  # fewer sizes than chunks: some size would have to span a border
    named = frozenset[str]().union(*(piece.unknowns for piece in pieces))
    if not all(size.unknowns <= named for size in wanted):
        return None
    if REST not in wanted and product(wanted) != product(pieces):
        return None
    return None if _may_be_equal(pieces, wanted) else False


def _may_be_equal(pieces: Sequence[Size], wanted: Sequence[Size]) -> bool:
    """Return whether a border between *pieces* may be one between sizes because an unknown is some number."""
    first, last = (wanted.index(REST),) * 2 if REST in wanted else (len(wanted), 0)
    befores = [product(wanted[:end]) for end in range(1, first + 1)]
    afters = [product(wanted[start:]) for start in range(last + 1, len(wanted))]
    for border in range(1, len(pieces)):
        before, after = product(pieces[:border]), product(pieces[border:])
        pairs = [*((before, size) for size in befores), *((after, size) for size in afters)]
        if any(_may_be(piece, size) for piece, size in pairs):
            return True
    return False


def _may_be(one: Size, other: Size) -> bool:
    """Return whether *one* is *other* if some unknown is the right number, as ``t`` may be 10.

    ``10 * t`` cannot be 10, since no size is taken to be 1, nor ``s * t`` be ``t``; ``t - s`` may be anything.
    """
    for given, free in ((one, other), (other, one)):
        if given.unknowns < free.unknowns:
            is_multiple = quotient(free, given).denominator == 1 if given.unknowns else free.factor % given.factor == 0
            if not is_multiple:
                return True
    return False


def _common_borders(pieces: Sequence[Size], wanted: Sequence[Size]) -> list[tuple[int, int]] | None:
    """Return where both split the elements alike, as (number of pieces, number of sizes) before it."""
    cuts = {(0, 0), (len(pieces), len(wanted))}
    rest = wanted.index(REST) if REST in wanted else len(wanted)
    for piece in range(1, len(pieces)):
        before, after = product(pieces[:piece]), product(pieces[piece:])
        for size in range(len(wanted) + 1):
            left_known, right_known = size <= rest, size > rest or rest == len(wanted)
            if left_known and product(wanted[:size]) == before:
                cuts.add((piece, size))
            if right_known and product(wanted[size:]) == after:
                cuts.add((piece, size))
    ordered = sorted(cuts)
    if any(size > later for (_, size), (_, later) in zip(ordered, ordered[1:])):
        return None
    return ordered


def inferred(tensor: Strided, sizes: Sequence[Size]) -> tuple[Size, ...]:
    """Return *sizes* with the number in place of ``-1``."""
    if REST not in sizes:
        return tuple(sizes)
    others = product(size for size in sizes if size != REST)
    everything = product(tensor.sizes)
    if others == ZERO:
        return tuple(sizes)
    rest = Size(quotient(everything, others), everything.unknowns | others.unknowns)
    if rest.value.denominator == 1 and rest.value.numerator < 1 << 16:
        rest = number(int(rest.value))
    return tuple(rest if size == REST else size for size in sizes)


def viewed(tensor: Strided, sizes: Sequence[Size]) -> Strided:
    """Return the view of *tensor* as *sizes*; only its sizes are known where that may be refused.

    Of a tensor that lies in memory as one piece it is known however little the text tells of its sizes.
    """
    full = inferred(tensor, sizes)
    is_one_piece = tensor.ordered and len(chunks(tensor)) == 1
    if not is_one_piece and allows(tensor, full) is not True:
        return unordered(full)
    dims = [Dim(size, ONE) for size in full]
    wide = [index for index, size in enumerate(full) if size != ONE]
    for chunk, members in zip(chunks(tensor), _members(tensor, [full[index] for index in wide])):
        stride = chunk.stride
        for position in reversed(members):
            index = wide[position]
            dims[index] = Dim(full[index], stride, (*chunk.place, position))
            stride = stride * full[index]
    return Strided(tuple(dims), cause=tensor.cause)


def _members(tensor: Strided, wanted: Sequence[Size]) -> list[range]:
    """Return which of the sizes *wanted*, a view that is allowed, each chunk of *tensor* is split into."""
    pieces = [chunk.size for chunk in chunks(tensor)]
    starts = dict(reversed(_common_borders(pieces, wanted) or []))
    borders = [starts[piece] for piece in range(len(pieces) + 1)]
    return [range(start, end) for start, end in zip(borders, borders[1:])]


def broadcast(tensors: Sequence[Strided]) -> tuple[Size, ...]:
    """Return the sizes of an elementwise operation on *tensors*."""
    rank = max(tensor.rank for tensor in tensors)
    sizes = []
    for index in range(rank):
        found = [t.sizes[index - rank + t.rank] for t in tensors if index - rank + t.rank >= 0]
        wide = [size for size in found if size != ONE]
        known = [size for size in wide if not size.unknowns]
        sizes.append((known or wide or [ONE])[0])
    return tuple(sizes)


def elementwise(tensors: Sequence[Strided]) -> Strided:
    """Return the result of an elementwise operation: dense, in the memory order of its first operand.

    Where that one is broadcast, the next decides: this is the order in which torch's TensorIterator sorts.
    """
    if len(tensors) == 1 and tensors[0].contiguous:
        return tensors[0]
    sizes = broadcast(tensors)
    if tensors[0].ordered and all(dim is not None for dim in _aligned(tensors[0], sizes)):
        tensors = tensors[:1]
    if not all(tensor.ordered for tensor in tensors):
        return unordered(sizes)
    rank = len(sizes)
    strides = [_aligned(tensor, sizes) for tensor in tensors]

    flat = [index for index in range(rank) if sizes[index] == ONE]
    undecided = False

    def compare(left: int, right: int) -> int:
        nonlocal undecided
        for dims in strides:
            one, other = dims[left], dims[right]
            if one is not None and other is not None:
                return (one.place < other.place) - (one.place > other.place)
        undecided = True
        return 0

    order = [rank - 1 - index for index in range(rank) if sizes[rank - 1 - index] != ONE]
    for index in range(1, len(order)):
        moving = index
        for against in reversed(range(index)):
            outcome = compare(order[against], order[moving])
            if outcome > 0:
                order[against], order[moving] = order[moving], order[against]
                moving = against
            elif outcome < 0:
                break
    order.reverse()
    if undecided and flat:
        return unordered(sizes)  # then the strides of the dimensions of size 1 play a part too
    cause = next((tensor.cause for tensor in tensors if tensor.cause), "")
    return _dense(sizes, [*flat, *order], cause)


def _aligned(tensor: Strided, sizes: Sequence[Size]) -> list[Dim | None]:
    """Return the dimension of *tensor* for each of *sizes*, None where it is broadcast."""
    new = len(sizes) - tensor.rank
    found: list[Dim | None] = [None] * new
    for dim, size in zip(tensor.dims, sizes[new:]):
        found.append(None if dim.stride == ZERO or (dim.flat and size != ONE) else dim)
    return found
