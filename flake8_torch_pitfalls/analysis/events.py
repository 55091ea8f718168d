"""A scope as training events in flow order, with the project's own callees put in place.

The control-flow graph of a function is reduced to its events and the branches between them. A call of a
function of the project is replaced by that function's own reduced graph, its parameters and ``self``
renamed to what the caller passes, tests on constant arguments decided. So a rule sees one graph for a
whole run, whatever helpers the steps hide in. An object handed to code that cannot be read has had
``UNKNOWN`` events.
"""
from __future__ import annotations

import collections
import dataclasses
import enum
import functools
from collections.abc import Callable, Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.flow import Flow, evaluated, flow
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.places import Place, place
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    argument,
    class_of,
    constant,
    function_of,
    last_name,
    loops_around,
    method_of,
)
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance, Symbol, Unknown

LARGEST_RUN = 1_500
DEEPEST_CALL = 6


class Do(enum.Enum):
    """What a program does to a training run."""

    FORWARD = "forward"
    BACKWARD = "backward"
    STEP = "optimizer step"
    CLEAR = "gradients cleared"
    CLIP = "gradients clipped"
    UNSCALE = "gradients unscaled"
    UPDATE = "scaler update"
    SCHEDULE = "scheduler step"
    EVAL = "eval mode"
    TRAIN = "train mode"
    COLLECTIVE = "collective"
    UNKNOWN = "handed to code that cannot be read"


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One thing done at *node* to the object at *place*.

    *subject* is the expression of that object; *made* the calls that may have made it, empty if unknown;
    *stack* the calls through which the run came here, outermost first; *detail* tells variants apart.
    """

    do: Do
    node: nodes.NodeNG
    place: Place | None
    subject: nodes.NodeNG | None = None
    made: frozenset[nodes.NodeNG] = frozenset()
    stack: tuple[nodes.Call, ...] = ()
    detail: str = ""

    def loops(self) -> list[nodes.For | nodes.While]:
        """Return the loops the event runs in, innermost first, also those around the calls that led here."""
        found = loops_around(self.node)
        for call in reversed(self.stack):
            found += loops_around(call)
        return found


Condition = tuple[nodes.NodeNG, bool, tuple[nodes.Call, ...]]
"""A test, how it came out, and the calls the run is in: they tell the calls of one function apart."""


@dataclasses.dataclass(slots=True)
class Way:
    """An edge between stops; ``empty`` marks a loop that runs not even once."""

    to: Stop
    condition: Condition | None = None
    empty: bool = False


@dataclasses.dataclass(slots=True, eq=False)
class Stop:
    """A point of a run: an event, or a branch or joint between events."""

    event: Event | None = None
    ways: list[Way] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class Run:
    """The events of a function and all it calls, in flow order."""

    root: nodes.NodeNG
    entry: Stop
    exit: Stop
    stops: list[Stop]

    def events(self, *kinds: Do) -> Iterator[Stop]:
        """Yield the stops whose event is one of *kinds* (all, if none is given)."""
        for stop in self.stops:
            if stop.event is not None and (not kinds or stop.event.do in kinds):
                yield stop


Piece = tuple[Stop, Stop, list[Stop]]
"""Part of a run: its first stop, its last, and all."""
Pieces = list[Piece]
"""Parts of which one is run."""

COLLECTIVES = frozenset(
    "all_reduce all_gather all_gather_into_tensor all_gather_object broadcast broadcast_object_list barrier "
    "monitored_barrier reduce reduce_scatter reduce_scatter_tensor scatter scatter_object_list gather "
    "gather_object all_to_all all_to_all_single new_group all_reduce_coalesced all_gather_coalesced".split()
)
CLIPPERS = frozenset(("clip_grad_norm_", "clip_grad_value_", "clip_grad_norm", "clip_grads_with_norm_"))
WORDS = frozenset(
    ("backward", "manual_backward", "step", "zero_grad", "eval", "train", "unscale_", "update", *CLIPPERS, *COLLECTIVES)
)
"""Method names that may be an event; a file with none of them has no run."""

_HARMLESS = frozenset(
    "numpy logging wandb tensorboardX tensorboard matplotlib tqdm sklearn scipy json os sys time math random "
    "pandas PIL cv2 yaml pickle itertools functools collections copy pathlib argparse datetime warnings mlflow "
    "rich loguru einops gym gymnasium".split()
)
"""Packages that do nothing to a module or optimizer handed to them."""


class Runs:
    """Builds the runs of one linted file."""

    def __init__(self, names: Names, kinds: Kinds) -> None:
        self.names = names
        self.kinds = kinds
        self._graphs: dict[nodes.NodeNG, Run | None] = {}
        self._building: list[nodes.NodeNG] = []
        self._inlined: set[nodes.NodeNG] = set()

    @functools.cached_property
    def roots(self) -> list[Run]:
        """The runs that start where no caller is in view: entry points, and the module itself."""
        module = self.names.module
        index = self.names.index_of(module)
        if WORDS.isdisjoint(index.calls) and "grad" not in index.stores:
            return []
        scopes_ = [module, *index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)]
        graphs = [graph for scope in scopes_ if (graph := self.graph(scope)) is not None]
        return [graph for graph in graphs if graph.root not in self._inlined]

    def graph(self, scope: nodes.NodeNG) -> Run | None:
        """Return the reduced graph of *scope*, None if nothing happens in it."""
        if scope in self._graphs:
            return self._graphs[scope]
        if scope in self._building or len(self._building) >= DEEPEST_CALL or not self._eventful(scope):
            return None
        self._building.append(scope)
        try:
            made = self._build(scope)
        finally:
            self._building.pop()
        self._graphs[scope] = made
        return made

    # -- which scopes are worth a graph ------------------------------------------------------------

    def _eventful(self, scope: nodes.NodeNG) -> bool:
        return scope in self._eventful_scopes(scope.root())

    def _eventful_scopes(self, module: nodes.Module) -> frozenset[nodes.NodeNG]:
        if module not in self._eventful_memo:
            self._eventful_memo[module] = self._find_eventful(module)
        return self._eventful_memo[module]

    @functools.cached_property
    def _eventful_memo(self) -> dict[nodes.Module, frozenset[nodes.NodeNG]]:
        return {}

    def _find_eventful(self, module: nodes.Module) -> frozenset[nodes.NodeNG]:
        """Return the functions that hold an event by name, or call by name one that does."""
        index = self.names.index_of(module)
        callers: dict[str, set[nodes.NodeNG]] = collections.defaultdict(set)
        for name, calls in index.calls.items():
            callers[name].update(function_of(call) for call in calls)
        found: set[nodes.NodeNG] = set()
        new = {scope for word in WORDS for scope in callers.get(word, ())}
        new |= {function_of(target) for target in index.stores.get("grad", ())}
        while new:
            found |= new
            names = set()
            for scope in new:
                if isinstance(scope, nodes.FunctionDef):
                    names.add(scope.name)
                    if scope.name == "__init__" and (owner := class_of(scope)) is not None:
                        names.add(owner.name)
            new = {scope for name in names for scope in callers.get(name, ())} - found
        return frozenset(found)

    # -- building ----------------------------------------------------------------------------------

    def _build(self, scope: nodes.NodeNG) -> Run | None:
        graph: Flow = flow(scope)
        first: dict[int, Stop] = {}
        last: dict[int, Stop] = {}
        stops: list[Stop] = []
        eventful = False
        for point in graph.points:
            start = end = Stop()
            stops.append(start)
            node = evaluated(point)
            for part in self._parts(node) if node is not None else ():
                eventful = True
                after = Stop()
                for inner_first, inner_last, inner in part:
                    end.ways.append(Way(inner_first))
                    inner_last.ways.append(Way(after))
                    stops.extend(inner)
                stops.append(after)
                end = after
            first[id(point)], last[id(point)] = start, end
        if not eventful:
            return None
        for point in graph.points:
            for edge in point.edges:
                condition = None if edge.test is None else (edge.test, edge.taken, ())
                last[id(point)].ways.append(Way(first[id(edge.to)], condition, edge.empty))
        return _reduced(Run(scope, first[id(graph.entry)], last[id(graph.exit)], stops))

    def _parts(self, node: nodes.NodeNG) -> Iterator[Pieces]:
        """Yield what evaluating *node* does, in order: for each step the graphs it may run."""
        if isinstance(node, nodes.For):
            return
        for inner in _in_order(node):
            if isinstance(inner, nodes.Call):
                for event in self._events(inner):
                    if isinstance(event, Event):
                        stop = Stop(event)
                        yield [(stop, stop, [stop])]
                    else:
                        yield event
            elif isinstance(inner, nodes.AssignAttr) and inner.attrname == "grad":
                if isinstance(inner.parent, nodes.Assign) and constant(inner.parent.value) is None:
                    stop = Stop(self._event(Do.CLEAR, inner, inner.expr, detail="one parameter"))
                    yield [(stop, stop, [stop])]

    def _event(self, do: Do, node: nodes.NodeNG, subject: nodes.NodeNG | None, detail: str = "") -> Event:
        made = frozenset(
            value.made_at
            for value in (self.names.known(subject) if subject is not None else ())
            if isinstance(value, Instance) and value.made_at is not None
        )
        return Event(do, node, place(self.names, subject), subject, made, (), detail)

    def _events(self, call: nodes.Call) -> Iterator[Event | Pieces]:
        name = last_name(call.func)
        if name is not None and (detect := _DETECTORS.get(name)) is not None:
            found = detect(self, call)
            if found is not None:
                yield from found
                return
        if name is not None and name in _skipped() and not self._defines(call, name):
            return
        functions = self.names.callee(call)
        values = self.names.values(call.func)
        if any(isinstance(value, Instance) for value in values):
            if self.kinds.of(call.func, "module"):
                yield self._event(Do.FORWARD, call, call.func)
                return
        elif not functions and self.kinds.is_unknown(call.func) and self.kinds.of(call.func, "module"):
            yield self._event(Do.FORWARD, call, call.func)
            return
        inlined = [graph for function in functions[:3] if (graph := self._inline(function, call)) is not None]
        if inlined:
            if len(inlined) < len(functions) or any(isinstance(value, Unknown) for value in values):
                joint = Stop()
                inlined.append((joint, joint, [joint]))
            yield inlined
        elif not functions:
            yield from self._escapes(call, values)

    def _defines(self, call: nodes.Call, name: str) -> bool:
        """Return whether the module of *call* has a function called *name*."""
        return any(
            function.name == name
            for function in self.names.index_of(call).of(nodes.FunctionDef, nodes.AsyncFunctionDef)
        )

    def _escapes(self, call: nodes.Call, values: Iterable[object]) -> Iterator[Event]:
        """Yield an unknown event for each object that *call* hands to code that cannot be read."""
        known = [value for value in values if not isinstance(value, Unknown)]
        if known and all(_is_harmless(value) for value in known):
            return
        receiver = [call.func.expr] if isinstance(call.func, nodes.Attribute) else []
        for given in (*receiver, *call.args, *(keyword.value for keyword in call.keywords or ())):
            if isinstance(given, nodes.Starred):
                given = given.value
            if isinstance(given, (nodes.Name, nodes.Attribute, nodes.Subscript)):
                if not isinstance(given, nodes.Name) or self.names.symbol(given) is None:
                    event = self._event(Do.UNKNOWN, call, given)
                    if event.place is not None:
                        yield event

    # -- callees -----------------------------------------------------------------------------------

    def _inline(self, function: Function, call: nodes.Call) -> Piece | None:
        graph = self.graph(function.node)
        if graph is None:
            return None
        if len(graph.stops) > LARGEST_RUN:
            return None
        self._inlined.add(function.node)
        given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        renamed: dict[tuple[nodes.NodeNG, str], Place | None] = {}
        for name in [*(a.name for a in _parameters(function.node))]:
            if name in given:
                renamed[function.node, name] = place(self.names, given[name]) or Place(given[name], "new")
        if (owner := class_of(function.node)) is not None and method_of(function.node) is None:
            renamed[owner, "self"] = self._receiver(call)
        known = {name: constant(node) for name, node in given.items() if constant(node) is not ...}
        for parameter in _parameters(function.node):
            if parameter.name not in given:
                default = constant(scopes.default(function.node, parameter.name))
                if default is not ... and not any(isinstance(a, nodes.Starred) for a in call.args):
                    if not any(keyword.arg is None for keyword in call.keywords or ()):
                        known[parameter.name] = default
        return _instance(graph, call, renamed, function.node, known)

    def _receiver(self, call: nodes.Call) -> Place | None:
        if any(isinstance(value, Class) for value in self.names.values(call.func)):
            statement = call.statement()
            if isinstance(statement, nodes.Assign) and statement.value is call:
                return place(self.names, statement.targets[0]) if isinstance(
                    statement.targets[0], nodes.AssignAttr
                ) else _target_place(self.names, statement.targets[0])
            return Place(call, "new")
        if isinstance(call.func, nodes.Attribute):
            if isinstance(call.func.expr, nodes.Call) and last_name(call.func.expr.func) == "super":
                owner = class_of(call)
                return Place(owner, "self") if owner is not None else None
            return place(self.names, call.func.expr)
        return place(self.names, call.func)


def _target_place(names: Names, target: nodes.NodeNG) -> Place | None:
    if isinstance(target, nodes.AssignName):
        return Place(target.scope(), target.name)
    return None


def _parameters(function: nodes.NodeNG) -> list[nodes.AssignName]:
    args = function.args
    return [*args.posonlyargs, *(args.args or []), *args.kwonlyargs]


def _in_order(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the nodes under *node* as they are evaluated: operands and arguments before their call."""
    stack: list[tuple[nodes.NodeNG, bool]] = [(node, False)]
    while stack:
        current, done = stack.pop()
        if done:
            yield current
            continue
        stack.append((current, True))
        if isinstance(current, (nodes.Lambda, nodes.ClassDef)) and current is not node:
            continue
        below = list(current.get_children())
        if isinstance(current, (nodes.Assign, nodes.AugAssign, nodes.AnnAssign)):
            below = [current.value, *(child for child in below if child is not current.value)]
            below = [child for child in below if child is not None]
        stack.extend((child, False) for child in reversed(below))


@functools.cache
def _skipped() -> frozenset[str]:
    """Return names of calls that are no event: tensor methods and builtins."""
    tensor = torch_model.lookup("torch.Tensor")
    names = set(tensor.locals) if isinstance(tensor, nodes.ClassDef) else set()
    return frozenset((names | scopes.BUILTINS | {"append", "format", "join", "items", "keys", "add_scalar"}) - WORDS)


def _is_harmless(value: object) -> bool:
    match value:
        case Symbol(name):
            return torch_model.modelled(name) or name in scopes.BUILTINS or name.partition(".")[0] in _HARMLESS
        case Class() | Function() | Instance():
            return True
    return torch_model.modelled(getattr(value, "name", ""))


def _reduced(run: Run) -> Run:
    """Return *run* without the stops at which nothing happens and nothing is decided."""
    target: dict[int, Stop] = {}

    def settle(stop: Stop) -> Stop:
        seen = []
        while stop.event is None and stop is not run.exit and id(stop) not in target:
            if len(stop.ways) != 1 or stop.ways[0].condition is not None or stop.ways[0].empty:
                break
            if any(stop is other for other in seen):
                break
            seen.append(stop)
            stop = stop.ways[0].to
        end = target.get(id(stop), stop)
        for passed in seen:
            target[id(passed)] = end
        return end

    for _ in range(3):
        target.clear()
        changed = False
        for stop in run.stops:
            for way in stop.ways:
                way.to = settle(way.to)
        for stop in run.stops:
            if stop.event is None and len(stop.ways) > 1 and len({id(way.to) for way in stop.ways}) == 1:
                if stop.ways[0].to is not stop:
                    stop.ways = [Way(stop.ways[0].to)]
                    changed = True
            elif len(stop.ways) > 1:
                kept = [way for way in stop.ways if way.to is not stop or stop.event is not None]
                changed |= len(kept) != len(stop.ways)
                stop.ways = kept
        if not changed:
            break
    run.entry = settle(run.entry)
    reached: dict[int, Stop] = {}
    stack = [run.entry]
    while stack:
        stop = stack.pop()
        if id(stop) not in reached:
            reached[id(stop)] = stop
            stack.extend(way.to for way in reversed(stop.ways))
    reached.setdefault(id(run.exit), run.exit)
    run.stops = list(reached.values())
    return run


def _instance(
    graph: Run,
    call: nodes.Call,
    renamed: dict[tuple[nodes.NodeNG, str], Place | None],
    function: nodes.NodeNG,
    known: dict[str, object],
) -> Piece:
    """Return a copy of *graph* as it runs at *call*: places renamed, tests on *known* arguments decided."""
    copies = {id(stop): Stop() for stop in graph.stops}
    for stop in graph.stops:
        copy = copies[id(stop)]
        if stop.event is not None:
            event = stop.event
            copy.event = dataclasses.replace(
                event, place=_renamed(event.place, renamed), stack=(call, *event.stack)
            )
        for way in stop.ways:
            condition = way.condition
            if condition is not None:
                test, taken, frame = condition
                if not frame and known and (outcome := _decided(test, known, function)) is not None:
                    if outcome != taken:
                        continue
                    condition = None
                else:
                    condition = (test, taken, (call, *frame))
            copy.ways.append(Way(copies[id(way.to)], condition, way.empty))
    return copies[id(graph.entry)], copies[id(graph.exit)], list(copies.values())


def _renamed(where: Place | None, renamed: dict[tuple[nodes.NodeNG, str], Place | None]) -> Place | None:
    if where is None or (where.owner, where.root) not in renamed:
        return where
    to = renamed[where.owner, where.root]
    return None if to is None else Place(to.owner, to.path + where.path[len(where.root) :])


def _decided(test: nodes.NodeNG, known: dict[str, object], function: nodes.NodeNG) -> bool | None:
    """Return how *test* comes out where parameters have the *known* values, None if it depends on more."""
    match test:
        case nodes.Name(name=name) if name in known and len(function.locals.get(name, ())) == 1:
            return bool(known[name])
        case nodes.UnaryOp(op="not"):
            inner = _decided(test.operand, known, function)
            return None if inner is None else not inner
        case nodes.BoolOp():
            outcomes = [_decided(value, known, function) for value in test.values]
            if test.op == "and":
                return False if False in outcomes else (None if None in outcomes else True)
            return True if True in outcomes else (None if None in outcomes else False)
        case nodes.Compare(left=nodes.Name(name=name)) if name in known and len(test.ops) == 1:
            if len(function.locals.get(name, ())) != 1:
                return None
            operator, right = test.ops[0]
            other = constant(right)
            if other is ...:
                return None
            if operator in ("==", "is"):
                return known[name] == other
            if operator in ("!=", "is not"):
                return known[name] != other
    return None


# -- which calls are which events ----------------------------------------------------------------------

_Found = list[Event | Pieces]
_Detector = Callable[[Runs, nodes.Call], _Found | None]
_DETECTORS: dict[str, _Detector] = {}


def _detects(*names: str) -> Callable[[_Detector], _Detector]:
    def register(detector: _Detector) -> _Detector:
        _DETECTORS.update(dict.fromkeys(names, detector))
        return detector

    return register


def _receiver(call: nodes.Call) -> nodes.NodeNG | None:
    return call.func.expr if isinstance(call.func, nodes.Attribute) else None


@_detects("backward")
def _backward(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = _receiver(call)
    if receiver is None:
        return None
    symbol = runs.names.symbol(call.func)
    if symbol == "torch.autograd.backward":
        return [runs._event(Do.BACKWARD, call, argument(call, 0, "tensors"))]
    inferred = runs.kinds.inferred(receiver, "tensor")
    if inferred:
        scaled = isinstance(receiver, nodes.Call) and last_name(receiver.func) == "scale"
        return [runs._event(Do.BACKWARD, call, receiver, "scaled" if scaled else "")]
    if inferred is False or runs.names.known(receiver):
        if symbol is not None and torch_model.modelled(symbol) and symbol.startswith(("accelerate.", "lightning.")):
            return [runs._event(Do.BACKWARD, call, argument(call, 0, None), "framework")]
        return None
    if isinstance(receiver, nodes.Call) and last_name(receiver.func) == "scale":
        return [runs._event(Do.BACKWARD, call, argument(receiver, 0, None), "scaled")]
    if isinstance(receiver, nodes.Call) and last_name(receiver.func) == "super":
        return None
    if isinstance(argument(call, 0, None), (nodes.Name, nodes.Attribute)):
        return None  # engine.backward(loss), ctx.backward(grad)
    return [runs._event(Do.BACKWARD, call, receiver)]


@_detects("manual_backward")
def _manual_backward(runs: Runs, call: nodes.Call) -> _Found | None:
    return [runs._event(Do.BACKWARD, call, argument(call, 0, "loss"))]


@_detects("zero_grad")
def _zero_grad(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = _receiver(call)
    if receiver is None or runs.names.callee(call):
        return None
    return [runs._event(Do.CLEAR, call, receiver)]


@_detects("zero_", "detach_", "fill_")
def _zero_tensor(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = _receiver(call)
    if last_name(receiver) == "data":
        receiver = getattr(receiver, "expr", None)
    if isinstance(receiver, nodes.Attribute) and receiver.attrname == "grad":
        return [runs._event(Do.CLEAR, call, receiver.expr, "one parameter")]
    return None


@_detects("step")
def _step(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = _receiver(call)
    if receiver is None:
        return None
    kinds = runs.kinds
    first = argument(call, 0, None)
    if kinds.of(receiver, "scaler") or (first is not None and kinds.of(first, "optimizer")):
        return [runs._event(Do.STEP, call, argument(call, 0, "optimizer"), "scaler")]
    if kinds.of(receiver, "optimizer"):
        found: _Found = []
        closure = argument(call, 0, "closure")
        if closure is not None:
            for value in runs.names.known(closure):
                if isinstance(value, Function) and (graph := runs._inline(value, call)) is not None:
                    found.append([graph])
        return [*found, runs._event(Do.STEP, call, receiver, "closure" if closure is not None else "")]
    if kinds.of(receiver, "scheduler"):
        return [runs._event(Do.SCHEDULE, call, receiver)]
    if runs.names.callee(call) or not kinds.is_unknown(receiver):
        return None
    if kinds.named_like(receiver, "scheduler"):
        return [runs._event(Do.SCHEDULE, call, receiver, "by name")]
    if kinds.named_like(receiver, "optimizer") and not call.args and _trains(runs, call):
        return [runs._event(Do.STEP, call, receiver, "by name")]
    return None


def _trains(runs: Runs, call: nodes.Call) -> bool:
    """Return whether the function or class of *call* also goes backward: use that lets a name tip it."""
    owner = class_of(call) or function_of(call)
    owner_of = class_of if class_of(call) is not None else function_of
    backward = runs.names.index_of(call).calls.get("backward", ())
    return any(owner_of(other) is owner and not isinstance(argument(other, 0, None), nodes.Name) for other in backward)


@_detects(*CLIPPERS)
def _clip(runs: Runs, call: nodes.Call) -> _Found | None:
    symbol = runs.names.symbol(call.func)
    if symbol is None or not torch_model.modelled(symbol):
        return None
    parameters = argument(call, 0, "parameters")
    subject = parameters
    if isinstance(parameters, nodes.Call) and last_name(parameters.func) == "parameters":
        subject = _receiver(parameters)
    return [runs._event(Do.CLIP, call, subject)]


@_detects("unscale_")
def _unscale(runs: Runs, call: nodes.Call) -> _Found | None:
    return None if runs.names.callee(call) else [runs._event(Do.UNSCALE, call, argument(call, 0, "optimizer"))]


@_detects("update")
def _update(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = _receiver(call)
    if receiver is not None and runs.kinds.of(receiver, "scaler"):
        return [runs._event(Do.UPDATE, call, receiver)]
    return None


@_detects("eval", "train")
def _mode(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = _receiver(call)
    if receiver is None or runs.names.callee(call) or runs.kinds.inferred(receiver, "module") is False:
        return None
    if call.func.attrname == "eval":
        return None if call.args else [runs._event(Do.EVAL, call, receiver)]
    mode = argument(call, 0, "mode")
    if mode is None or constant(mode) is True:
        return [runs._event(Do.TRAIN, call, receiver)]
    if constant(mode) is False:
        return [runs._event(Do.EVAL, call, receiver)]
    if runs.kinds.of(receiver, "module"):
        return [runs._event(Do.TRAIN, call, receiver, "either"), runs._event(Do.EVAL, call, receiver, "either")]
    return None


@_detects(*COLLECTIVES)
def _collective(runs: Runs, call: nodes.Call) -> _Found | None:
    symbol = runs.names.symbol(call.func)
    if symbol is not None and symbol.startswith("torch.distributed."):
        return [runs._event(Do.COLLECTIVE, call, None, symbol.rpartition(".")[2])]
    return None
