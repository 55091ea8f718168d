"""A copy to the CPU that was asked not to block is read before anything waited for it.

## What happens
`x.to("cpu", non_blocking=True)` of a CUDA tensor returns a tensor in pinned memory while the copy is still under way.
The CPU does not wait for the device when it reads memory of its own: `numpy()`, `item()`, `print` and arithmetic see
whatever the memory holds, zeros or an earlier batch, without an error. The same holds for
`pinned.copy_(x, non_blocking=True)`. Copies in the other direction are safe, for the device runs them in order.

## What to write
`x.cpu()`, or `x.to("cpu")`, which wait. To do something else during the copy, wait before the result is read:
`torch.cuda.synchronize()`, or `event.record()` after the copy and `event.synchronize()` before the reading.

## Silent
- Copies from the CPU to the device: `x.to(device, non_blocking=True)`.
- A wait between copy and reading: a synchronize, an event, `.item()` or a blocking copy of something on the device.
- Results that are kept, returned, or handed to code that is not known, which may wait.
- `copy_` into memory that is not known to be pinned.

## Known limits
The reading must stand in the function of the copy. Of a list of copies, readings of the whole list by `torch.cat`,
`torch.stack` and NumPy are known.

## Sources
- "A guide on good usage of `non_blocking` and `pin_memory()`" in PyTorch's tutorials, "Other copy directions": the
  data may be corrupt without synchronization. It cannot be seen without a GPU.
- `torch.Tensor.to` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.devices import CPU
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.flow import Point, flow
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import (
    CONVERTS,
    after,
    is_non_blocking,
    is_read_back,
    names_that_wait,
    sets,
    steps,
    waits,
)
from flake8_torch_pitfalls.analysis.tree import (
    COMPREHENSIONS,
    FILLERS,
    argument,
    block_of,
    constant,
    dotted,
    function_of,
    last_name,
    target_text,
    text_of,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"non_blocking"}

_READS = frozenset("numpy item tolist sum mean max min add sub mul div matmul all any argmax abs norm std".split())
"""Methods of tensors that look at the values."""
_VIEWS = frozenset("detach view squeeze unsqueeze flatten t transpose permute T data mT reshape float long".split())
"""Methods and attributes that give the same values."""


def check(source: Source) -> Iterator[Finding]:
    """Report readings of copies that may not have arrived."""
    for name in ("to", "copy_"):
        for call in source.index.calls.get(name, ()):
            if not is_non_blocking(call) or not _comes_back(source, call):
                continue
            if (reading := _first_reading(source, call)) is not None:
                copy, read = _short(call), _short(reading)
                what = f"'{read}' may read before '{copy}' of line {call.lineno} is done"
                yield Finding(reading, f"{what}; synchronize first, or drop non_blocking")


def _short(node: nodes.NodeNG) -> str:
    return f"{text_of(node.func)}(...)" if isinstance(node, nodes.Call) else text_of(node)


def _comes_back(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* copies a tensor, not known to be on the CPU, into memory of the CPU that does not block."""
    if last_name(call.func) == "copy_":
        copied = argument(call, 0, "src")
        receiver = getattr(call.func, "expr", None)
        return receiver is not None and _is_pinned(source, receiver) and not _is_on_cpu(source, copied)
    return is_read_back(source.names, call) and not _is_on_cpu(source, call.func.expr)


def _is_on_cpu(source: Source, node: nodes.NodeNG | None) -> bool:
    fact = None if node is None else source.tensors.at(node)
    return isinstance(fact, Tensor) and fact.device == CPU


def _is_pinned(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether the variable *node* is always set to pinned memory."""
    while isinstance(node, nodes.Subscript):
        node = node.value
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
    else:
        found = list(source.index.stores.get(node.attrname, ())) if isinstance(node, nodes.Attribute) else []
    made = [one.parent for one in found]
    return bool(made) and all(isinstance(one, nodes.Assign) and _makes_pinned(one.value) for one in made)


def _makes_pinned(node: nodes.NodeNG) -> bool:
    if not isinstance(node, nodes.Call):
        return False
    if last_name(node.func) == "pin_memory":
        return True
    return constant(argument(node, None, "pin_memory")) is True


# -- readings --------------------------------------------------------------------------------------


def _first_reading(source: Source, copy: nodes.Call) -> nodes.NodeNG | None:
    """Return where the result of *copy* is read before anything waits, None if that is not sure."""
    if (reading := _reading(source, copy)) is not None:
        return reading
    holder = _holder(copy)
    if holder is None:
        return None
    graph = flow(function_of(copy))
    waiting = names_that_wait(source)
    for kept, node in ((holder, copy), *_put_into(source, copy, holder)):
        start = next((point for point in graph.points if any(one is node for one in steps(point))), None)
        if start is not None and (reading := _reading_after(source, start, kept, waiting)) is not None:
            return reading
    return None


def _put_into(source: Source, copy: nodes.Call, holder: str) -> Iterator[tuple[str, nodes.Call]]:
    """Yield the lists into which the same block puts *holder* after *copy*, and the calls that do so."""
    block = block_of(copy.statement())
    for name in FILLERS:
        for call in source.index.calls.get(name, ()):
            if call.args and dotted(call.args[-1]) == holder and call.statement() in block:
                if call.lineno > copy.lineno and (text := dotted(getattr(call.func, "expr", None))):
                    yield text, call


def _reading_after(source: Source, start: Point, holder: str, waiting: frozenset[str]) -> nodes.NodeNG | None:
    """Return where *holder* is read after *start* before anything waits."""
    for point in after(start, lambda point: sets(point, holder) or _ends(source, point, holder, waiting)):
        for node in steps(point):
            if isinstance(node, (nodes.Name, nodes.Attribute)) and dotted(node) == holder:
                reading = _reading(source, node)
                if reading is not None and not _waits_before(source, point, reading, waiting):
                    return reading
    return None


def _holder(copy: nodes.Call) -> str | None:
    """Return the text of the variable, or of the list, that keeps the result of *copy*."""
    if last_name(copy.func) == "copy_":
        return dotted(copy.func.expr)
    parent = copy.parent
    if isinstance(parent, nodes.Call) and isinstance(parent.func, nodes.Attribute) and parent.func.attrname in FILLERS:
        return dotted(parent.func.expr)
    while isinstance(parent, (*COMPREHENSIONS, nodes.Dict, nodes.List, nodes.Tuple)):
        parent = parent.parent
    if isinstance(parent, nodes.Assign) and len(parent.targets) == 1:
        return target_text(parent.targets[0])
    return None


def _reading(source: Source, node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the call or operation that reads the values of *node* where it stands, if it does."""
    match node.parent:
        case nodes.Attribute(attrname=name, parent=nodes.Call() as call) if call.func is node.parent:
            if name in _READS:
                return call
            return _reading(source, call) if name in _VIEWS and not call.args else None
        case nodes.Attribute(attrname=name) if name in _VIEWS:
            return _reading(source, node.parent)
        case nodes.Subscript(value=value) if value is node:
            return _reading(source, node.parent)
        case nodes.Compare(ops=ops) if not any(op in ("is", "is not") for op, _ in ops):
            return node.parent
        case nodes.If(test=test) | nodes.While(test=test) | nodes.IfExp(test=test) if test is node:
            return node
        case nodes.BinOp() | nodes.FormattedValue():
            return node.parent if isinstance(node.parent, nodes.BinOp) else node
        case nodes.Call(func=func) as call if node in call.args:
            symbol = source.names.symbol(func) or ""
            reads = symbol.startswith(("numpy.", "torch.")) or isinstance(func, nodes.Name) and func.name in CONVERTS
            return call if reads and not _keeps(symbol) else None
        case (nodes.Tuple() | nodes.List()) as display if isinstance(display.parent, nodes.Call):
            return _reading(source, display)
    return None


def _keeps(symbol: str) -> bool:
    """Return whether the function *symbol* looks at no values: ``torch.is_tensor``, ``torch.cuda.…``."""
    return symbol.startswith(("torch.is_", "torch.cuda.", "torch.utils.", "torch.distributed."))


def _ends(source: Source, point: Point, holder: str, waiting: frozenset[str]) -> bool:
    """Return whether something at *point* waits, or may do with the copy what it likes."""
    return any(
        isinstance(node, nodes.Call) and (_waits(source, node, waiting) or _hands_over(source, node, holder))
        for node in steps(point)
    )


def _waits(source: Source, call: nodes.Call, waiting: frozenset[str]) -> bool:
    return last_name(call.func) in waiting or waits(source.names, call)


def _hands_over(source: Source, call: nodes.Call, holder: str) -> bool:
    """Return whether *call* gives the copy to something that is not known to read it or to keep it."""
    given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
    if last_name(call.func) in FILLERS:
        return False
    return any(dotted(one) == holder and _reading(source, one) is None for one in given)


def _waits_before(source: Source, point: Point, reading: nodes.NodeNG, waiting: frozenset[str]) -> bool:
    """Return whether *point* waits for something else before it comes to *reading*."""
    return any(
        isinstance(node, nodes.Call)
        and node is not reading
        and not node.parent_of(reading)
        and _waits(source, node, waiting)
        for node in steps(point)
    )
