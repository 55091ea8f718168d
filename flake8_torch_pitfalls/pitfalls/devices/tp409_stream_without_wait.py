"""A tensor is used on one stream while another may still compute it: nothing makes them wait for each other.

## What happens
Work on two streams runs in no order. What `with torch.cuda.stream(s):` computes is put into the queue of `s`; an
operation after the block goes to the current stream and may read the memory before it is written. So may an operation
in the block that reads what the current stream still computes. The numbers are wrong now and then, without an error.
`record_stream` does not help: it only keeps the memory from being given away.

## What to write
`torch.cuda.current_stream().wait_stream(s)` after the block, before the result is used, and
`s.wait_stream(torch.cuda.current_stream())` before the block, so that its inputs are ready. Or an event:
`event.record(s)`, `torch.cuda.current_stream().wait_event(event)`.

## Silent
- `wait_stream`, `wait_event`, `event.wait()` or a `synchronize()` between.
- Uses on the same stream, in a later block, and uses of sizes and other attributes that need no values.
- Streams that may be the current one, such as a parameter or `torch.cuda.current_stream()`.
- Results that are stored, returned, or handed to code that is not known.

## Known limits
The stream is known where `torch.cuda.Stream()` makes it, in the function or for an attribute of the class, and the
use must stand in the function of the block. Of what the block reads, tensors that the same function computed on an
accelerator count.

## Sources
- "CUDA semantics", "CUDA streams", in PyTorch's documentation. It cannot be seen without a GPU.
- `torch.Tensor.record_stream` there: it guards the reuse of memory only.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.devices import CPU
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.flow import Flow, Point, flow
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import STREAMS_WAIT, after, names_that_wait, sets, steps
from flake8_torch_pitfalls.analysis.tree import ancestors, dotted, function_of, last_name, position, walk
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Stream"}

STREAM = "torch.cuda.Stream"
_NEEDS_NO_VALUES = frozenset(
    "shape size dim numel device dtype ndim record_stream is_cuda requires_grad stride data_ptr element_size".split()
)


def check(source: Source) -> Iterator[Finding]:
    """Report tensors that cross between streams without a wait."""
    for block in source.index.of(nodes.With):
        stream = _stream(source, block)
        if stream is None:
            continue
        name = dotted(stream)
        waiting = names_that_wait(source, STREAMS_WAIT)
        graph = flow(function_of(block))
        if (early := _input_not_ready(source, block, waiting)) is not None:
            what = f"'{early.name}' may still be computed when the stream '{name}' reads it"
            yield Finding(early, f"{what}; write '{name}.wait_stream(torch.cuda.current_stream())' before the block")
        if (use := _use_without_wait(source, block, stream, graph, waiting)) is not None:
            what = f"'{dotted(use)}' may still be computed on the stream '{name}'"
            yield Finding(use, f"{what}; write 'torch.cuda.current_stream().wait_stream({name})' before")


def _stream(source: Source, block: nodes.With) -> nodes.NodeNG | None:
    """Return the stream that *block* makes current, if it is surely a stream of its own."""
    for context, _ in block.items:
        stream = context
        if isinstance(context, nodes.Call):
            if len(context.args) != 1 or last_name(context.func) not in ("stream", "StreamContext"):
                continue
            stream = context.args[0]
        if dotted(stream) is None:
            continue
        found = source.names.values(stream)
        if found and all(_is_made(source, value) for value in found):
            if stream is context or source.names.symbol(context.func) == "torch.cuda.stream":
                return stream
    return None


def _is_made(source: Source, value: object) -> bool:
    match value:
        case Instance(str() as name, nodes.Call() as made) if name == STREAM:
            return source.names.symbol(made.func) == STREAM
    return False


# -- what the block computes -----------------------------------------------------------------------


def _use_without_wait(
    source: Source, block: nodes.With, stream: nodes.NodeNG, graph: Flow, waiting: frozenset[str]
) -> nodes.NodeNG | None:
    """Return the first use after *block*, on another stream, of something that it computes, if no wait comes first."""
    made = _computed(source, block)
    inside = [point for point in graph.points if point.node is not None and block.parent_of(point.node)]
    if not made or any(_waits(point, waiting) for point in inside):
        return None
    for name, targets in made.items():
        start = next((point for point in inside if point.node is targets[-1].statement()), None)
        if start is None:
            continue
        for point in after(start, lambda point: sets(point, name) or _waits(point, waiting) or _is_lost(point, name)):
            if point.node is None or _may_be_on(source, point.node, stream) or _waits(point, waiting):
                continue
            for node in steps(point):
                if isinstance(node, nodes.Name) and node.name == name and _computes_with(source, node):
                    if any(target in targets for target in definitions(node, name)):
                        return node
    return None


def _computed(source: Source, block: nodes.With) -> dict[str, list[nodes.AssignName]]:
    """Return the variables that *block* sets to tensors it computes, with their targets."""
    found: dict[str, list[nodes.AssignName]] = {}
    for statement in block.body:
        for node in walk(statement):
            if isinstance(node, nodes.AssignName) and isinstance(node.parent, nodes.Assign):
                value = node.parent.value
                if isinstance(value, (nodes.Call, nodes.BinOp)) and _is_on_device(source, value):
                    found.setdefault(node.name, []).append(node)
    return found


def _is_on_device(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* surely is a tensor, and not one on the CPU."""
    fact = source.tensors.at(node)
    if isinstance(fact, Tensor):
        return fact.device != CPU
    values = source.names.values(node)
    return bool(values) and all(source.names.is_a(value, "torch.Tensor") for value in values)


def _is_lost(point: Point, name: str) -> bool:
    """Return whether *point* hands the variable *name* to another one, or out of the function."""
    match point.node:
        case nodes.Assign(value=nodes.Name(name=given)) | nodes.Return(value=nodes.Name(name=given)):
            return bool(given == name)
    return False


def _waits(point: Point, waiting: frozenset[str]) -> bool:
    return any(isinstance(node, nodes.Call) and last_name(node.func) in waiting for node in steps(point))


def _may_be_on(source: Source, node: nodes.NodeNG, stream: nodes.NodeNG) -> bool:
    """Return whether *node* stands in a block of *stream*, or of a stream that may be the same."""
    for above in ancestors(node):
        if isinstance(above, nodes.With) and any(_names_stream(source, context) for context, _ in above.items):
            other = _stream(source, above)
            return other is None or not set(source.names.values(other)).isdisjoint(source.names.values(stream))
    return False


def _is_in_stream(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* stands in a block that makes some stream current."""
    return any(
        isinstance(above, nodes.With) and any(_names_stream(source, context) for context, _ in above.items)
        for above in ancestors(node)
    )


def _names_stream(source: Source, context: nodes.NodeNG) -> bool:
    if isinstance(context, nodes.Call):
        return last_name(context.func) in ("stream", "StreamContext", "graph")
    return any(source.names.is_a(value, STREAM) is not False for value in source.names.values(context))


def _computes_with(source: Source, node: nodes.Name) -> bool:
    """Return whether the values of the tensor *node* are used where it stands, by something that is known."""
    match node.parent:
        case nodes.Attribute(attrname=name, parent=nodes.Call() as call) if call.func is node.parent:
            return name not in _NEEDS_NO_VALUES
        case nodes.BinOp() | nodes.AugAssign() | nodes.FormattedValue():
            return True
        case nodes.Call(func=func) as call if node in call.args:
            symbol = source.names.symbol(func) or ""
            if isinstance(func, nodes.Name) and func.name in ("print", "float", "int"):
                return True
            return symbol.startswith("torch.") and not symbol.startswith("torch.cuda.") or bool(
                source.kinds.inferred(func, "module")
            )
    return False


# -- what the block reads --------------------------------------------------------------------------


def _input_not_ready(source: Source, block: nodes.With, waiting: frozenset[str]) -> nodes.Name | None:
    """Return the first use in *block* of a tensor that the statements before it compute, if nothing waits."""
    function = function_of(block)
    for call in source.index.calls_in.get(function, ()):
        if last_name(call.func) in waiting and position(call) < position(block):
            return None
    for statement in block.body:
        for node in walk(statement):
            if isinstance(node, nodes.Call) and last_name(node.func) in waiting:
                return None
            if isinstance(node, nodes.Name) and _computes_with(source, node):
                made = definitions(node, node.name)
                if made and all(_is_computed_before(source, one, block) for one in made):
                    return node
    return None


def _is_computed_before(source: Source, target: nodes.NodeNG, block: nodes.With) -> bool:
    """Return whether *target* is set to the result of a computation on an accelerator before *block*."""
    if not isinstance(target, nodes.AssignName) or not isinstance(target.parent, nodes.Assign):
        return False
    if function_of(target) is not function_of(block) or position(target) > position(block):
        return False
    value = target.parent.value
    if _is_in_stream(source, target):
        return False
    fact = source.tensors.at(value)
    return isinstance(value, (nodes.Call, nodes.BinOp)) and isinstance(fact, Tensor) and fact.device not in (None, CPU)
