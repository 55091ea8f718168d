"""The clock is read before the accelerator has done the work that is timed, so only its launch is measured.

## What happens
Operations on a GPU are queued: `model(x)` returns when the kernels are launched, long before they have run. The
difference of two `time.time()` or `time.perf_counter()` around it is the time of the launches. It may be ten times too
short, and the work shows up in whatever waits next: a `loss.item()` later looks slow.

## What to write
`torch.cuda.synchronize()` before each reading of the clock (`torch.accelerator.synchronize()` for any accelerator).
Or time with events, `torch.cuda.Event(enable_timing=True)`, or with `torch.utils.benchmark.Timer`, which synchronizes.

## Silent
- Something waits for the device between the readings: `synchronize()`, an event, `.item()`, `.cpu()`, `.tolist()`, a
  printed or tested tensor, also in a function that is called between them.
- Timers of a loop that read the clock at its end only, from one round to the next: each round waits for its data.
- Loops that copy each batch to the device and are timed as a whole: each copy waits for the round before.
- Work on the CPU, or on a device that is not known; times of data loading.
- Anything called between the readings that is not known, and so may wait.

## Known limits
Both readings must stand in one function. A timer class of the project is not looked into.

## Sources
- "CUDA semantics", "Asynchronous execution", in PyTorch's documentation: time measurements without synchronizations
  are not accurate. It cannot be seen without a GPU.
"""
from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.clocks import CLOCKS, differences
from flake8_torch_pitfalls.analysis.devices import CPU, is_guarded
from flake8_torch_pitfalls.analysis.facts import Placed, Tensor
from flake8_torch_pitfalls.analysis.flow import Flow, Point, flow
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import (
    CONVERTS,
    WAITING,
    is_non_blocking,
    names_that_wait,
    sets,
    steps,
    to_accelerator,
    waits,
)
from flake8_torch_pitfalls.analysis.tree import (
    Scope,
    dotted,
    last_name,
    loops_around,
    position,
    receiver_of,
    target_text,
    text_of,
    walk_scope,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method, Symbol, Unknown
from flake8_torch_pitfalls.finding import Finding

WORDS = {"perf_counter", "monotonic", "time", "perf_counter_ns", "time_ns", "monotonic_ns", "default_timer", "now"}

_MOVES = ("cuda", "to", "device", "xpu")
_NAMES_MODULE = re.compile(r"(^|_)(model|net|network|module|generator|encoder|decoder|unet)\d*$", re.IGNORECASE)
_HARMLESS = frozenset(
    "range len enumerate zip isinstance getattr hasattr iter next append extend items keys values get size dim "
    "eval train zero_grad parameters named_parameters no_grad inference_mode autocast set_grad_enabled dict set "
    "nullcontext tqdm trange perf_counter time monotonic detach step backward update_progress keys copy "
    "empty_cache manual_seed reset_peak_memory_stats record_function range_push range_pop record super".split()
)
"""Names of what does not wait for the device, whoever's they are."""
_METADATA = ("shape", "device", "dtype", "ndim", "requires_grad", "is_cuda")


@dataclasses.dataclass(slots=True)
class _Region:
    """The points between a first reading of the clock and the last, and whether it goes from one round to the next."""

    points: list[Point]
    cyclic: bool


def check(source: Source) -> Iterator[Finding]:
    """Report clocks that are read while the device still works."""
    if not any(source.index.calls.get(name) for name in _MOVES) and not _makes_on_device(source):
        return
    for scope, readings in differences(source).items():
        timer = _Timer(source, scope)
        for clock, start, node in readings:
            if not is_guarded(node) and (work := timer.unfinished(clock, start)) is not None:
                what = f"'{_short(work)}' may still run on the device when the clock is read"
                yield Finding(node, f"{what}; write 'torch.cuda.synchronize()' before")


def _short(work: nodes.NodeNG) -> str:
    return f"{text_of(work.func)}(...)" if isinstance(work, nodes.Call) else text_of(work)


def _makes_on_device(source: Source) -> bool:
    return any(keyword.arg == "device" for keyword in source.index.of(nodes.Keyword))


# -- what happens between them ---------------------------------------------------------------------


class _Timer:
    """What one function does between two readings of the clock."""

    def __init__(self, source: Source, scope: Scope) -> None:
        self.source = source
        self.scope = scope
        self.graph: Flow = flow(scope)
        self.moved: set[str] | None = None

    def unfinished(self, clock: nodes.Call, start: str) -> nodes.NodeNG | None:
        """Return work on an accelerator that nothing waits for until *clock* is read, None if that is not sure."""
        end = next((point for point in self.graph.points if _holds(point, clock)), None)
        if end is None:
            return None
        first: nodes.NodeNG | None = None
        for point in self.graph.points:
            if not sets(point, start):
                continue
            region = _between(point, end, start)
            if region is None:
                continue
            if not isinstance(getattr(point.node, "value", None), nodes.Call) or region.cyclic:
                return None
            found = self.in_region(region, end, clock)
            if found is None:
                return None
            first = first or found
        return first

    def in_region(self, region: _Region, end: Point, clock: nodes.Call) -> nodes.NodeNG | None:
        """Return the last work of *region* if nothing in it, nor what *end* evaluates before *clock*, waits."""
        done = [node for point in region.points for node in steps(point)]
        done += [node for node in steps(end) if position(node) < position(clock) and node is not clock.parent]
        if any(isinstance(node, nodes.Call) and last_name(node.func) in WAITING for node in done):
            return None
        if any(isinstance(node, nodes.Call) and self.waits_for_last_round(node, clock) for node in done):
            return None
        work = [node for node in done if self.is_work(node)]
        if not work or any(self.may_wait(node) for node in done):
            return None
        return max(work, key=lambda node: (isinstance(node, nodes.Call), position(node)))

    # -- work --------------------------------------------------------------------------------------

    def is_work(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* surely computes on an accelerator."""
        match node:
            case nodes.Call():
                return self.is_working_call(node)
            case nodes.BinOp():
                return _is_on_accelerator(self.source.tensors.at(node))
        return False

    def is_working_call(self, call: nodes.Call) -> bool:
        if to_accelerator(self.source.names, call):
            return False
        given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
        if self.source.names.callee(call) and self.is_module(call.func) is not True:
            return False
        if last_name(call.func) == "backward" or _is_on_accelerator(self.source.tensors.at(call)):
            used = given if (receiver := receiver_of(call)) is None else [*given, receiver]
            if any(_is_on_accelerator(self.source.tensors.at(one)) for one in used):
                return True
        return self.is_module(call.func) and any(self.is_moved(one) for one in (*given, call.func))

    def is_module(self, func: nodes.NodeNG) -> bool:
        """Return whether *func* is a module, or is used and called like one."""
        kind = self.source.kinds.of(func, "module")
        if kind is None and all(isinstance(value, Unknown) for value in self.source.names.values(func)):
            return _NAMES_MODULE.search(last_name(func) or "") is not None
        return kind is True

    def is_moved(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* is on an accelerator, or is a variable that was moved to one in this function."""
        fact = self.source.tensors.at(node)
        if isinstance(fact, (Tensor, Placed)) and fact.device is not None:
            return _is_on_accelerator(fact)
        if any(isinstance(one, nodes.Call) and to_accelerator(self.source.names, one) for one in walk_scope(node)):
            return True
        match node:
            case nodes.Starred(value=inner) | nodes.Subscript(value=inner):
                return self.is_moved(inner)
            case nodes.Call(func=nodes.Attribute(expr=inner)):
                return self.is_moved(inner)
        return dotted(node) in self.moved_names()

    def moved_names(self) -> set[str]:
        """Return the variables that the function moves to an accelerator, or sets from something moved there."""
        if self.moved is None:
            self.moved = set()
            for call in self.source.index.calls_in.get(self.scope, ()):
                if last_name(call.func) in _MOVES and to_accelerator(self.source.names, call):
                    self.moved.update(filter(None, (dotted(receiver_of(call)), *_kept_in(call))))
        return self.moved

    # -- waiting -----------------------------------------------------------------------------------

    def waits_for_last_round(self, call: nodes.Call, clock: nodes.Call) -> bool:
        """Return whether *call*, in a loop that *clock* is read after, copies data to the device.

        Such a copy waits for the work of the round before, so that only the last round is missing in the time.
        """
        return (
            to_accelerator(self.source.names, call)
            and not is_non_blocking(call)
            and self.source.kinds.of(receiver_of(call), "module") is not True
            and any(not loop.parent_of(clock) for loop in loops_around(call))
        )

    def may_wait(self, node: nodes.NodeNG) -> bool:
        """Return whether evaluating *node* may wait for the device."""
        match node:
            case nodes.Call():
                return self.call_may_wait(node)
            case nodes.If() | nodes.While() | nodes.IfExp() | nodes.Assert():
                return self.reads(node.test)
            case nodes.FormattedValue():
                return self.reads(node.value)
            case nodes.Subscript():
                return isinstance(self.source.tensors.at(node.slice), Tensor)
        return False

    def reads(self, node: nodes.NodeNG) -> bool:
        """Return whether the value of *node* may be one of a tensor."""
        return any(self.may_be_tensor(one) for one in _values_in(node))

    def may_be_tensor(self, node: nodes.NodeNG) -> bool:
        fact = self.source.tensors.at(node)
        if fact is not None:
            return isinstance(fact, Tensor)
        if isinstance(node, nodes.Call):
            return last_name(node.func) not in ("len", "time", "perf_counter", "range", "str", "round", "is_available")
        found = self.source.names.values(node)
        return any(self.source.names.is_a(value, "torch.Tensor") for value in found)

    def call_may_wait(self, call: nodes.Call) -> bool:
        name = last_name(call.func)
        names = self.source.names
        if waits(names, call):
            return True
        if name in CONVERTS and isinstance(call.func, nodes.Name):
            return any(self.reads(given) for given in call.args)
        if self.is_working_call(call):
            return self.module_may_wait(call)
        values = names.values(call.func)
        if functions := names.callee(call):
            return self.functions_may_wait(functions)
        if any(isinstance(value, (Symbol, Method)) and value.name in CLOCKS for value in values):
            return False
        if name == "step" and self.source.kinds.inferred(receiver_of(call), "scaler"):
            return True  # it looks whether gradients are finite
        if name in _HARMLESS or to_accelerator(names, call):
            return False
        if isinstance(call.func, nodes.Attribute) and torch_model.member("torch.Tensor", call.func.attrname):
            return False  # of a tensor, or of an array
        return not all(_is_of_torch(value) for value in values)

    def module_may_wait(self, call: nodes.Call) -> bool:
        """Return whether the module that *call* runs may wait in its forward."""
        values = self.source.names.values(call.func)
        if any(isinstance(value, Instance) and ".detection." in str(value.cls) for value in values):
            return True
        return any(self.mentions_wait(function) for function in self.source.names.callee(call))

    def functions_may_wait(self, functions: Iterable[Function]) -> bool:
        """Return whether the project's *functions* may wait, or run the timed work out of sight."""
        return any(self.mentions_wait(function) or not _is_small(function) for function in functions)

    def mentions_wait(self, function: Function) -> bool:
        waiting = names_that_wait(self.source)
        return any(
            isinstance(node, nodes.Call) and last_name(node.func) in waiting for node in walk_scope(function.node)
        )


def _is_small(function: Function) -> bool:
    """Return whether *function* calls nothing but harmless things."""
    return all(
        last_name(node.func) in _HARMLESS for node in walk_scope(function.node) if isinstance(node, nodes.Call)
    )


def _is_of_torch(value: object) -> bool:
    match value:
        case Symbol(name) | Method(name):
            return name.startswith(("torch.", "math.", "torchvision.", "itertools.", "gc."))
        case Instance(str() as name):
            return name.startswith("torch.") and ".detection." not in name
    return False


def _is_on_accelerator(fact: object) -> bool:
    return isinstance(fact, (Tensor, Placed)) and fact.device not in (None, CPU, "x.device", "meta")


def _kept_in(call: nodes.Call) -> list[str | None]:
    """Return the variables that the statement of *call* sets."""
    statement = call.statement()
    if not isinstance(statement, nodes.Assign):
        return []
    return [
        target_text(node)
        for target in statement.targets
        for node in walk_scope(target)
        if isinstance(node, (nodes.AssignName, nodes.AssignAttr))
    ]


def _values_in(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the parts of *node* whose own values are looked at: not ``x`` of ``x.shape`` or ``len(x)``."""
    match node:
        case nodes.Attribute(attrname=name) if name in _METADATA:
            return
        case nodes.Name() | nodes.Attribute() | nodes.Call() | nodes.Subscript():
            yield node
        case nodes.Compare(ops=[("is" | "is not", _)]):
            return
        case _:
            for child in node.get_children():
                yield from _values_in(child)


# -- the graph -------------------------------------------------------------------------------------


def _holds(point: Point, node: nodes.NodeNG) -> bool:
    return any(one is node for one in steps(point))


def _between(start: Point, end: Point, variable: str) -> _Region | None:
    """Return what may run after *start* sets *variable* until *end*, None if no way leads there."""
    after: dict[int, Point] = {}
    before: dict[int, list[Point]] = collections.defaultdict(list)
    stack = [start]
    while stack:
        point = stack.pop()
        for edge in point.edges:
            before[id(edge.to)].append(point)
            if id(edge.to) not in after and edge.to is not end:
                after[id(edge.to)] = edge.to
                if not sets(edge.to, variable):
                    stack.append(edge.to)
    if id(end) not in before:
        return None
    leading: dict[int, Point] = {}
    waiting = list(before[id(end)])
    while waiting:
        point = waiting.pop()
        if id(point) not in leading and point is not start:
            leading[id(point)] = point
            waiting.extend(before[id(point)])
    points = [point for point in after.values() if id(point) in leading]
    cyclic = start.node is end.node or position(start.node) > position(end.node)
    return _Region(points, cyclic)
