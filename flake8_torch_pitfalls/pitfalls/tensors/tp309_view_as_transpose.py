"""`view` with the sizes of the same tensor in another order scrambles its elements, it does not transpose them.

## What happens
`view` and `reshape` keep the elements in the order of memory and only cut the row of them into other pieces. A tensor
of shape (B, T) seen as (T, B) has the shape of the transposed one, but its first row holds the first examples one
after the other: time steps and examples, or pixels and channels, are mixed. Nothing raises, and the model trains on
noise. The same happens where `-1` stands for the dimensions that follow: `x.view(b, -1, c)` of (B, C, H, W) does not
put the channels last.

## What to write
`x.transpose(0, 1)`, `x.permute(0, 2, 3, 1)`, `x.t()`: they move dimensions. `x.flatten(2).transpose(1, 2)` for images
as sequences.

## Silent
- One of the two sizes is 1, as in `h.view(b, 1, d)` of (1, B, D): nothing is moved.
- Dimensions merged or split in their order: `x.view(b * t, d)`, `x.view(b, t, heads, -1)`.
- Sizes of another tensor, or of this one before an operation changed it, and sizes that are numbers in the text.
- A padded tensor whose rows and columns change places, which shifts each row by one: relative positions.
- NumPy arrays.

## Known limits
Sizes that are not known are taken to be neither 1 nor equal by chance. A dimension that is split and moved in one
`view`, as in attention that sees (B, T, H * D) as (B, H, T, D), is not reported.

## Sources
- `torch.Tensor.view` in PyTorch's documentation: the returned tensor shares the same data.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes, sizes, strides
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.sizes import ONE, Size
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, dotted, function_of, is_open, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"view", "reshape"}


@dataclasses.dataclass(frozen=True, slots=True)
class Measure:
    """A size in the text: dimension *index* of the tensor *of*, of *rank* dimensions where the text says how many."""

    of: nodes.NodeNG
    index: int
    rank: int | None = None


def check(source: Source) -> Iterator[Finding]:
    """Yield views that ask for the sizes of their tensor in another order."""
    for name in sorted(WORDS):
        for call in source.index.calls.get(name, ()):
            if is_open(call) or not isinstance(call.func, nodes.Attribute):
                continue
            tensor, wanted = _asked(call)
            if len(wanted) > 1 and _is_suspect(wanted) and not _is_skewed(tensor):
                if not _is_scrambled(source, call, tensor, wanted):
                    continue
                text = dotted(tensor)
                yield Finding(
                    call,
                    f"'{name}' scrambles {'its tensor' if text is None else repr(text)}: elements keep their order; "
                    "use 'transpose' or 'permute' to move dimensions",
                )


def _asked(call: nodes.Call) -> tuple[nodes.NodeNG, list[nodes.NodeNG]]:
    """Return the tensor of *call* and the sizes that are asked for."""
    tensor, wanted = call.func.expr, list(call.args)
    if dotted(tensor) == "torch" and wanted:
        tensor, *wanted = wanted
    if len(wanted) == 1 and isinstance(wanted[0], (nodes.Tuple, nodes.List)):
        wanted = list(wanted[0].elts)
    return tensor, wanted


def _is_suspect(wanted: Sequence[nodes.NodeNG]) -> bool:
    """Return whether *wanted* measure one tensor, by name alone, and not in the order of its dimensions."""
    if sum(not isinstance(size, (nodes.Const, nodes.UnaryOp)) for size in wanted) < 2:
        return False
    found = [measure for size in wanted for factor in _factors(size) if (measure := _measure(factor)) is not None]
    if len(found) < 2 or len({dotted(measure.of) for measure in found}) > 1:
        return False
    order = [measure.index for measure in found]
    leaves_rest = any(constant(size) == -1 for size in wanted[:-1])
    return order != sorted(order) or leaves_rest and found[-1].rank not in (None, order[-1] + 1)


def _factors(size: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    if isinstance(size, nodes.BinOp) and size.op == "*":
        yield from _factors(size.left)
        yield from _factors(size.right)
    else:
        yield size


def _measure(size: nodes.NodeNG) -> Measure | None:
    """Return what *size* measures: ``x.size(0)``, ``x.shape[0]``, or a variable that was set to such."""
    match size:
        case nodes.Call(func=nodes.Attribute(attrname="size", expr=of), args=[index]):
            pass
        case nodes.Subscript(value=nodes.Attribute(attrname="shape", expr=of), slice=index):
            pass
        case nodes.Name(name=name):
            return _measure_behind(scopes.definitions(size, name))
        case _:
            return None
    number = constant(index)
    return Measure(of, number) if isinstance(number, int) and number >= 0 else None


def _measure_behind(definitions: Sequence[nodes.NodeNG]) -> Measure | None:
    if len(definitions) != 1:
        return None
    target = definitions[0]
    match target.parent:
        case nodes.Assign(value=value):
            return _measure(value) if not isinstance(value, nodes.Name) else None
        case nodes.Tuple(elts=elements, parent=nodes.Assign(value=value)):
            if any(isinstance(element, nodes.Starred) for element in elements):
                return None
            match value:
                case nodes.Attribute(attrname="shape", expr=of):
                    return Measure(of, elements.index(target), len(elements))
                case nodes.Call(func=nodes.Attribute(attrname="size", expr=of), args=[]):
                    return Measure(of, elements.index(target), len(elements))
    return None


def _is_skewed(tensor: nodes.NodeNG) -> bool:
    """Return whether *tensor* was just padded: seen with rows and columns swapped each row shifts by one."""
    made = tensor
    if isinstance(tensor, nodes.Name):
        found = scopes.definitions(tensor, tensor.name)
        made = getattr(found[0].parent, "value", None) if len(found) == 1 else None
    return isinstance(made, nodes.Call) and last_name(made.func) in ("pad", "cat", "concat")


def _is_scrambled(source: Source, call: nodes.Call, tensor: nodes.NodeNG, wanted: Sequence[nodes.NodeNG]) -> bool:
    done = source.shapes.of(function_of(call))
    if done is None:
        return False
    before, after = done.facts.get(tensor), done.facts.get(call)
    if isinstance(before, Tensor) and before.layout is not None and before.layout.only is not None:
        if isinstance(after, Tensor) and after.layout is not None and after.layout.only is not None:
            return _is_reordered(before.layout.only.sizes, after.layout.only.sizes)
        return False
    found = [measure for size in wanted for factor in _factors(size) if (measure := _measure(factor)) is not None]
    if not all(_is_same(measure.of, tensor) for measure in found) or not _is_torch(call, before, found):
        return False
    rank = max(measure.rank or measure.index + 1 for measure in found)
    own = [sizes.unknown(tensor, index) for index in range(rank)]
    asked = [sizes.product(_size(factor, own) for factor in _factors(size)) for size in wanted]
    return _is_reordered(own, strides.inferred(strides.contiguous(own), asked))


def _is_same(one: nodes.NodeNG, other: nodes.NodeNG) -> bool:
    """Return whether two mentions of a variable mean the same object."""
    if not isinstance(one, nodes.Name) or not isinstance(other, nodes.Name) or one.name != other.name:
        return False
    return scopes.definitions(one, one.name) == scopes.definitions(other, other.name)


def _is_torch(call: nodes.Call, fact: object, found: Sequence[Measure]) -> bool:
    """Return whether it is a tensor that is viewed: NumPy's arrays have no such ``view``, and no method ``size``."""
    if call.func.attrname == "view" or dotted(call.func.expr) == "torch" or isinstance(fact, Tensor):
        return True
    return any(isinstance(measure.of.parent.parent, nodes.Call) for measure in found)


def _size(node: nodes.NodeNG, own: Sequence[Size]) -> Size:
    if (measure := _measure(node)) is not None:
        return own[measure.index]
    number = constant(node)
    return sizes.number(number) if isinstance(number, int) else sizes.unknown(node)


def _is_reordered(before: Sequence[Size], after: Sequence[Size]) -> bool:
    """Return whether *after* are the sizes *before*, some perhaps merged with their neighbours, in another order."""
    wide = [size for size in before if size != ONE]
    order: list[int] = []
    for size in after:
        if size != ONE:
            run = _run(wide, size, order)
            if run is None:
                return False
            order.extend(run)
    return len(order) == len(wide) and order != sorted(order)


def _run(dimensions: Sequence[Size], size: Size, taken: Sequence[int]) -> range | None:
    """Return the first neighbours among *dimensions*, none of them *taken*, that make *size* together."""
    for start in range(len(dimensions)):
        for end in range(start + 1, len(dimensions) + 1):
            run = range(start, end)
            if sizes.product(dimensions[start:end]) == size and not any(index in taken for index in run):
                return run
    return None
