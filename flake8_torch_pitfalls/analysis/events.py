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
import operator as operators
import re
from collections.abc import Callable, Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.flow import Flow, evaluated, flow
from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.places import Place, place
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    argument,
    class_of,
    constant,
    dotted,
    function_of,
    last_name,
    loops_around,
    method_of,
    receiver_of,
    self_name,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Class, Data, Function, Instance, Symbol, Unknown

LARGEST_RUN = 1_500
MOST_COPIED = 60_000
DEEPEST_CALL = 25


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

    def order(self) -> tuple[int, ...]:
        """Return where the event stands in the text, callers first: events of one pass compare by it."""
        return tuple(node.fromlineno for node in (*self.stack, self.node))


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


@dataclasses.dataclass(slots=True, eq=False)
class Run:
    """The events of a function and all it calls, in flow order."""

    root: nodes.NodeNG
    entry: Stop
    exit: Stop
    stops: list[Stop]
    searched: int = 0
    """How many steps searches took in it so far: see ``protocol``."""

    def events(self, *kinds: Do) -> Iterator[Stop]:
        """Yield the stops whose event is one of *kinds* (all, if none is given)."""
        for stop in self.stops:
            if stop.event is not None and (not kinds or stop.event.do in kinds):
                yield stop


Piece = tuple[Stop, Stop, list[Stop]]
"""Part of a run: its first stop, its last, and all."""
Pieces = list[Piece]
"""Parts of which one is run."""

GRADIENTS = ("grad", "_grad")
ZEROING = ("zero_", "detach_", "fill_")
CLEARERS = re.compile(r"(zero|reset|clear|flush|clean|null|empty)\w*grad", re.IGNORECASE)
"""Names of helpers that clear gradients: ``reset_grad``, ``clear_gradients``."""
COLLECTIVES = frozenset(
    "all_reduce all_gather all_gather_into_tensor all_gather_object broadcast broadcast_object_list barrier "
    "monitored_barrier reduce reduce_scatter reduce_scatter_tensor scatter scatter_object_list gather "
    "gather_object all_to_all all_to_all_single new_group all_reduce_coalesced all_gather_coalesced "
    "new_subgroups new_subgroups_by_enumeration wait_for_everyone gather_for_metrics pad_across_processes".split()
)
COLLECTIVE_OWNERS = ("torch.distributed.", "accelerate.Accelerator.", "accelerate.PartialState.",
                     "lightning.fabric.Fabric.")  # fmt: skip
"""Where functions and methods of those names are collectives."""
CLIPPERS = frozenset(
    ("clip_grad_norm_", "clip_grad_value_", "clip_grad_norm", "clip_grads_with_norm_", "clip_gradients")
)  # fmt: skip
WORDS = frozenset(
    ("backward", "manual_backward", "step", "zero_grad", "eval", "train", "unscale_", "update", *CLIPPERS, *COLLECTIVES)
)
"""Method names that may be an event; a file with none of them, nor of ``EVALUATING``, has no run."""
EVALUATING = frozenset(("no_grad", "inference_mode", "set_grad_enabled", "item", "argmax", "topk", "tolist"))
"""Names that stand in functions which only run a module forward."""
_SEEDS = WORDS | EVALUATING | {*GRADIENTS}

_HARMLESS = frozenset(
    "numpy logging wandb tensorboardX tensorboard matplotlib tqdm sklearn scipy json os sys time math random "
    "pandas PIL cv2 yaml pickle itertools functools collections copy pathlib argparse datetime warnings mlflow "
    "rich loguru einops gym gymnasium apex".split()
)
"""Packages that do nothing to a module or optimizer handed to them."""

_READERS = frozenset(
    "parameters named_parameters buffers named_buffers modules named_modules children named_children "
    "state_dict".split()
)
"""Methods of a module that only tell what it holds."""


class Runs:
    """Builds the runs of one linted file."""

    def __init__(self, names: Names, kinds: Kinds) -> None:
        self.names = names
        self.kinds = kinds
        self._graphs: dict[nodes.NodeNG, Run | None] = {}
        self._building: list[nodes.NodeNG] = []
        self._inlined: set[nodes.NodeNG] = set()
        self._defined: dict[nodes.Module, frozenset[str]] = {}
        self._stops = 0
        """How many stops were copied from callees so far."""
        self._eventful_below: dict[nodes.NodeNG, frozenset[nodes.NodeNG]] = {}
        self._eventful_in: dict[nodes.Module, frozenset[str]] = {}

    @functools.cached_property
    def roots(self) -> list[Run]:
        """The runs that start where no caller is in view: entry points, and the module itself."""
        module = self.names.module
        index = self.names.index_of(module)
        if WORDS.isdisjoint(index.calls) and EVALUATING.isdisjoint(index.calls) and "grad" not in index.stores:
            return []
        scopes_ = [module, *index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)]
        graphs = [graph for scope in scopes_ if (graph := self.graph(scope)) is not None]
        return [graph for graph in graphs if graph.root not in self._inlined]

    def close(self) -> None:
        """Cut the cycles of all graphs."""
        for graph in self._graphs.values():
            for stop in graph.stops if graph is not None else ():
                stop.ways.clear()

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
        module = scope.root()
        if not isinstance(module, ImportedModule):
            return scope in self._eventful_scopes(module, frozenset())
        part = module.part_of(scope)
        named = self._eventful_names(module)
        return bool(named) and scope in self._eventful_scopes(part, named)

    def _eventful_scopes(self, top: nodes.NodeNG, named: frozenset[str]) -> frozenset[nodes.NodeNG]:
        """Return the eventful functions below *top*, the linted module or a statement of another one."""
        if top not in self._eventful_below:
            self._eventful_below[top] = self._find_eventful(top, named)
        return self._eventful_below[top]

    def _eventful_names(self, module: ImportedModule) -> frozenset[str]:
        """Return the top-level names of an imported *module* whose text mentions an event, or one of these names."""
        if module not in self._eventful_in:
            words = frozenset().union(*(mentioned for _, mentioned in module.words))
            clearers = frozenset(filter(CLEARERS.search, words))
            self._eventful_in[module] = frozenset(module.reaching(_SEEDS | clearers))
        return self._eventful_in[module]

    def _find_eventful(self, top: nodes.NodeNG, named: frozenset[str]) -> frozenset[nodes.NodeNG]:
        """Return the functions that hold an event by name, or call by name one that does or one of *named*."""
        index = self.names.index_of(top)
        callers: dict[str, set[nodes.NodeNG]] = collections.defaultdict(set)
        for name, calls in index.calls.items():
            callers[name].update(function_of(call) for call in calls)
        for statement in index.of(nodes.ImportFrom):
            for imported, alias in statement.names:
                if alias is not None and imported in WORDS:
                    callers[imported] |= callers.get(alias, set())
        found: set[nodes.NodeNG] = set()
        new = {scope for word in WORDS | EVALUATING for scope in callers.get(word, ())}
        new |= {
            node.parent.parent
            for word in EVALUATING
            for node in (*index.calls.get(word, ()), *index.attributes.get(word, ()))
            if isinstance(node.parent, nodes.Decorators)
        }
        new |= {function_of(target) for name in GRADIENTS for target in index.stores.get(name, ())}
        new |= {function_of(target) for target in index.of(nodes.DelAttr) if target.attrname in GRADIENTS}
        new |= {scope for name in callers if CLEARERS.search(name) for scope in callers[name]}
        zeroing = [call for name in ZEROING for call in index.calls.get(name, ())]
        new |= {function_of(call) for call in zeroing if _gradient(call) is not None}
        if top is self.names.module:
            named = self._eventful_imports(top)
        new |= {scope for name in named for scope in callers.get(name, ())}
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

    def _eventful_imports(self, module: nodes.Module) -> frozenset[str]:
        """Return the names under which the linted *module* calls eventful functions of the project's other files."""
        index = self.names.index_of(module)
        bases = {last_name(base) for node in index.of(nodes.ClassDef) for base in node.bases}
        found: set[str] = set()
        for statement in index.of(nodes.ImportFrom):
            wanted = {alias or name: name for name, alias in statement.names}
            if bases.isdisjoint(wanted) and index.calls.keys().isdisjoint(wanted):
                continue
            other = self.names.project.imported(module, statement.modname, statement.level or 0)
            if not isinstance(other, ImportedModule):
                continue
            named = self._eventful_names(other)
            found |= {alias for alias, name in wanted.items() if name in named}
        for node in index.of(nodes.ClassDef):
            for base in self.names.mro(node) if not found.isdisjoint(map(last_name, node.bases)) else ():
                if isinstance(base, nodes.ClassDef) and base.root() is not module:
                    members = [one for many in base.locals.values() for one in many]
                    methods = [one for one in members if isinstance(one, nodes.FunctionDef)]
                    found |= {method.name for method in methods if self._eventful(method)}
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
        for point in graph.points if eventful else ():
            for edge in point.edges:
                condition = None if edge.test is None else (edge.test, edge.taken, ())
                last[id(point)].ways.append(Way(first[id(edge.to)], condition, edge.empty))
        graph.close()
        if not eventful:
            return None
        return _reduced(Run(scope, first[id(graph.entry)], last[id(graph.exit)], stops))

    def _parts(self, node: nodes.NodeNG) -> Iterator[Pieces]:
        """Yield what evaluating *node* does, in order: for each step the graphs it may run."""
        if isinstance(node, nodes.For):
            yield from self._between_passes(node)
            return
        is_head = isinstance(node.parent, nodes.For) and node is node.parent.iter
        for inner in _in_order(node):
            if isinstance(inner, nodes.Call):
                if is_head and self._generators(inner):
                    continue
                for event in self._events(inner):
                    if isinstance(event, Event):
                        stop = Stop(event)
                        yield [(stop, stop, [stop])]
                    else:
                        yield event
            elif isinstance(inner, (nodes.AssignAttr, nodes.DelAttr)) and inner.attrname in GRADIENTS:
                if not _keeps_gradient(inner):
                    stop = Stop(self.event(Do.CLEAR, inner, inner.expr, detail="one parameter"))
                    yield [(stop, stop, [stop])]

    def _between_passes(self, loop: nodes.For) -> Iterator[Pieces]:
        """Yield what the generators that *loop* goes through run up to their next ``yield``."""
        for call in loop.iter.nodes_of_class(nodes.Call):
            graphs = [self._inline(function, call) for function in self._generators(call)]
            if found := [graph for graph in graphs if graph is not None]:
                yield found

    def _generators(self, call: nodes.Call) -> list[Function]:
        called = self.names.callee(call)
        return [function for function in called if function.node in self.names.index_of(function.node).yields]

    def event(self, do: Do, node: nodes.NodeNG, subject: nodes.NodeNG | None, detail: str = "") -> Event:
        """Return that *do* happens at *node* to the object that *subject* names."""
        made = frozenset(
            value.made_at
            for value in (self.names.known(subject) if subject is not None else ())
            if isinstance(value, Instance) and value.made_at is not None
        )
        return Event(do, node, place(self.names, subject), subject, made, (), detail)

    def _events(self, call: nodes.Call) -> Iterator[Event | Pieces]:
        name = _imported_name(call.func)
        if name is not None and (detect := _DETECTORS.get(name)) is not None:
            found = detect(self, call)
            if found is not None:
                yield from found
                return
        if name is not None and _is_skipped(name) and not self._defines(call, name):
            return
        functions = self.names.callee(call)
        values = self.names.values(call.func)
        if any(isinstance(value, Instance) for value in values):
            if self.kinds.of(call.func, "module"):
                yield self.event(Do.FORWARD, call, call.func)
                return
        elif not functions and self.kinds.is_unknown(call.func) and self.kinds.of(call.func, "module"):
            yield self.event(Do.FORWARD, call, call.func)
            return
        inlined = [graph for function in functions[:3] if (graph := self._inline(function, call)) is not None]
        if inlined:
            if len(inlined) < len(functions) or any(isinstance(value, Unknown) for value in values):
                joint = Stop()
                inlined.append((joint, joint, [joint]))
            yield inlined
        elif name is not None and CLEARERS.search(name):
            yield Event(Do.CLEAR, call, None, detail="by name")
        elif not functions or any(self._is_too_large(function.node) for function in functions):
            yield from self._escapes(call, values if not functions else ())

    def _defines(self, call: nodes.Call, name: str) -> bool:
        """Return whether the module of *call* has a function called *name*, or imports one that it calls so."""
        module = call.root()
        if module not in self._defined:
            index = self.names.index_of(call)
            defined = {function.name for function in index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)}
            imports = [names for node in index.of(nodes.ImportFrom) for names in node.names]
            self._defined[module] = frozenset(defined.union(alias or imported for imported, alias in imports))
        return name in self._defined[module]

    def _escapes(self, call: nodes.Call, values: Iterable[object]) -> Iterator[Event]:
        """Yield an unknown event for each object that *call* hands to code that cannot be read."""
        known = [value for value in values if not isinstance(value, Unknown)]
        if known and all(_is_harmless(value) for value in known):
            return
        receiver = [call.func.expr] if isinstance(call.func, nodes.Attribute) and not self._is_stored(call.func) else []
        for given in (*receiver, *call.args, *(keyword.value for keyword in call.keywords or ())):
            if isinstance(given, nodes.Starred):
                given = given.value
            if isinstance(given, (nodes.Name, nodes.Attribute, nodes.Subscript)):
                if not isinstance(given, nodes.Name) or self.names.symbol(given) is None:
                    event = self.event(Do.UNKNOWN, call, given)
                    if event.place is not None:
                        yield event

    def _is_stored(self, function: nodes.Attribute) -> bool:
        """Return whether *function* is an object kept in an attribute, no method that gets its owner."""
        return any(
            isinstance(value, Instance)
            and isinstance(value.cls, nodes.ClassDef)
            and any(True for _ in self.names.stores(value.cls, function.attrname))
            for value in self.names.values(function.expr)
        )

    # -- callees -----------------------------------------------------------------------------------

    def _inline(self, function: Function, call: nodes.Call) -> Piece | None:
        graph = self.graph(function.node)
        if graph is None or self._is_too_large(function.node):
            return None
        self._stops += len(graph.stops)
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

    def _is_too_large(self, function: nodes.NodeNG) -> bool:
        graph = self._graphs.get(function)
        return graph is not None and (len(graph.stops) > LARGEST_RUN or self._stops > MOST_COPIED)

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


def _keeps_gradient(target: nodes.AssignAttr | nodes.DelAttr) -> bool:
    """Return whether the value assigned to ``p.grad`` is made from what stood there."""
    value = getattr(target.parent, "value", None)
    if isinstance(target.parent, nodes.AugAssign):
        return target.parent.op != "*=" or constant(value) != 0
    return value is not None and any(
        isinstance(node, nodes.Attribute)
        and node.attrname == target.attrname
        and dotted(node.expr) == dotted(target.expr)
        for node in walk(value)
    )


def _target_place(names: Names, target: nodes.NodeNG) -> Place | None:
    if isinstance(target, nodes.AssignName):
        return Place(target.scope(), target.name)
    return None


def _imported_name(func: nodes.NodeNG) -> str | None:
    """Return the last name of *func*, that before ``as`` if an import renames it."""
    if isinstance(func, nodes.Name):
        for definition in scopes.definitions(func, func.name):
            if isinstance(definition, nodes.ImportFrom):
                return next((name for name, alias in definition.names if alias == func.name), str(func.name))
    return last_name(func)


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
def _is_skipped(name: str) -> bool:
    """Return whether a call of *name* is no event: a tensor's method, a builtin, a look into a module."""
    if name in scopes.BUILTINS or name in ("append", "format", "join", "items", "keys", "add_scalar"):
        return True
    return name in _READERS or (name not in WORDS and torch_model.member("torch.Tensor", name) is not None)


def _is_harmless(value: object) -> bool:
    match value:
        case Symbol(name):
            return torch_model.modelled(name) or name in scopes.BUILTINS or name.partition(".")[0] in _HARMLESS
        case Class() | Function() | Instance():
            return True
    return torch_model.modelled(getattr(value, "name", ""))


def is_unreadable(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* may run code that cannot be read and is not known to leave a training run alone."""
    return any(isinstance(value, Unknown) or not _is_harmless(value) for value in names.values(call.func))


def _reduced(run: Run) -> Run:
    """Return *run* without the stops at which nothing happens and nothing is decided."""
    target: dict[int, Stop] = {}

    def settle(stop: Stop) -> Stop:
        seen: list[Stop] = []
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
                outcome = _decided(test, *_handed_on(known, function, frame, test)) if known else None
                if outcome is not None:
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
            if isinstance(right, (nodes.List, nodes.Tuple, nodes.Set)) and operator in ("in", "not in"):
                members = [constant(element) for element in right.elts]
                return None if ... in members else (known[name] in members) is (operator == "in")
            other = constant(right)
            if other is ...:
                return None
            if operator in ("==", "is"):
                return known[name] == other
            if operator in ("!=", "is not"):
                return known[name] != other
            value = known[name]
            if operator in _ORDERS and isinstance(value, (int, float)) and isinstance(other, (int, float)):
                return _ORDERS[operator](value, other)
    return None


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": operators.lt, "<=": operators.le, ">": operators.gt, ">=": operators.ge
}  # fmt: skip


def _handed_on(
    known: dict[str, object], function: nodes.NodeNG, frame: tuple[nodes.Call, ...], test: nodes.NodeNG
) -> tuple[dict[str, object], nodes.NodeNG]:
    """Return the parameters with *known* values, and their function, where *test* stands.

    *frame* are the calls that lead there from *function*; a parameter that they hand on keeps its value.
    """
    for call, inside in zip(frame, (*frame[1:], test)):
        callee = function_of(inside)
        if not isinstance(callee, nodes.FunctionDef):
            return {}, callee
        given = scopes.match_arguments(callee, call, bound=self_name(callee) is not None)
        known = {
            name: known[node.name]
            for name, node in given.items()
            if isinstance(node, nodes.Name) and node.name in known and len(function.locals.get(node.name, ())) == 1
        }
        function = callee
    return known, function


# -- which calls are which events ----------------------------------------------------------------------

_Found = list[Event | Pieces]
_Detector = Callable[[Runs, nodes.Call], _Found | None]
_DETECTORS: dict[str, _Detector] = {}


def _detects(*names: str) -> Callable[[_Detector], _Detector]:
    def register(detector: _Detector) -> _Detector:
        _DETECTORS.update(dict.fromkeys(names, detector))
        return detector

    return register


@_detects("backward")
def _backward(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = receiver_of(call)
    if receiver is None:
        return None
    symbol = runs.names.symbol(call.func)
    if symbol == "torch.autograd.backward":
        return [runs.event(Do.BACKWARD, call, argument(call, 0, "tensors"))]
    # a sum may start as a number: loss = 0, then loss += …
    known = [value for value in runs.names.known(receiver) if not isinstance(value, Data)]
    if known and not any(runs.kinds.is_kind(value, "tensor") for value in known):
        if symbol is not None and torch_model.modelled(symbol) and symbol.startswith(("accelerate.", "lightning.")):
            return [runs.event(Do.BACKWARD, call, argument(call, 0, None), "framework")]
        return None
    scaling = scaling_of(receiver)
    if scaling is not None:
        return [runs.event(Do.BACKWARD, call, argument(scaling, 0, None), "scaled")]
    if known:
        return [runs.event(Do.BACKWARD, call, receiver)]
    if isinstance(receiver, nodes.Call) and last_name(receiver.func) == "super":
        return None
    if isinstance(argument(call, 0, None), (nodes.Name, nodes.Attribute)):
        return None  # engine.backward(loss), ctx.backward(grad)
    return [runs.event(Do.BACKWARD, call, receiver)]


def scaling_of(loss: nodes.NodeNG) -> nodes.Call | None:
    """Return the call ``scaler.scale(…)`` that *loss* is, or was assigned from; None if it is not scaled."""
    if isinstance(loss, nodes.Name):
        values = [getattr(node.parent, "value", None) for node in scopes.definitions(loss, loss.name)]
    else:
        values = [loss]
    calls = [value for value in values if isinstance(value, nodes.Call) and _is_scaling(value)]
    return calls[0] if calls and len(calls) == len(values) else None


def _is_scaling(call: nodes.Call) -> bool:
    return isinstance(call.func, nodes.Attribute) and call.func.attrname == "scale"


@_detects("manual_backward")
def _manual_backward(runs: Runs, call: nodes.Call) -> _Found | None:
    return [runs.event(Do.BACKWARD, call, argument(call, 0, "loss"))]


@_detects("zero_grad")
def _zero_grad(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = receiver_of(call)
    if receiver is None:
        return None
    graphs = [graph for function in runs.names.callee(call) if (graph := runs._inline(function, call)) is not None]
    return [*([graphs] if graphs else []), runs.event(Do.CLEAR, call, receiver)]


@_detects(*ZEROING)
def _zero_tensor(runs: Runs, call: nodes.Call) -> _Found | None:
    gradient = _gradient(call)
    return None if gradient is None else [runs.event(Do.CLEAR, call, gradient.expr, "one parameter")]


@_detects("copy_", "add_", "sub_", "lerp_")
def _change_gradient(runs: Runs, call: nodes.Call) -> _Found | None:
    gradient = _gradient(call)
    return None if gradient is None else [runs.event(Do.UNKNOWN, call, gradient.expr)]


@_detects("_foreach_add_", "_foreach_copy_")
def _change_tensors(runs: Runs, call: nodes.Call) -> _Found | None:
    return [runs.event(Do.UNKNOWN, call, argument(call, 0, "self"))]


@_detects("_foreach_zero_")
def _zero_tensors(runs: Runs, call: nodes.Call) -> _Found | None:
    return [runs.event(Do.CLEAR, call, argument(call, 0, "self"), "one parameter")]


@_detects("setattr")
def _set_attribute(runs: Runs, call: nodes.Call) -> _Found | None:
    if len(call.args) == 3 and constant(call.args[1]) in GRADIENTS:
        return [runs.event(Do.CLEAR, call, call.args[0], "one parameter")]
    return None


def _gradient(call: nodes.Call) -> nodes.Attribute | None:
    """Return ``p.grad`` of ``p.grad.zero_()`` and ``p.grad.data.zero_()``."""
    receiver = receiver_of(call)
    if last_name(receiver) == "data":
        receiver = getattr(receiver, "expr", None)
    return receiver if isinstance(receiver, nodes.Attribute) and receiver.attrname in GRADIENTS else None


@_detects("step")
def _step(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = receiver_of(call)
    if receiver is None:
        return None
    kinds = runs.kinds
    first = argument(call, 0, None)
    if kinds.of(receiver, "scaler") or (first is not None and kinds.of(first, "optimizer")):
        return [runs.event(Do.STEP, call, argument(call, 0, "optimizer"), "scaler")]
    if kinds.of(receiver, "optimizer"):
        found: _Found = []
        closure = argument(call, 0, "closure")
        if closure is not None:
            for value in runs.names.known(closure):
                if isinstance(value, Function) and (graph := runs._inline(value, call)) is not None:
                    found.append([graph])
        found.append(runs.event(Do.STEP, call, receiver, "closure" if closure is not None else ""))
        own = [graph for function in runs.names.callee(call) if (graph := runs._inline(function, call)) is not None]
        return [*found, own] if own else found
    if kinds.of(receiver, "scheduler"):
        return [runs.event(Do.SCHEDULE, call, receiver)]
    if runs.names.callee(call) or not kinds.is_unknown(receiver):
        return None
    if kinds.named_like(receiver, "scheduler"):
        return [runs.event(Do.SCHEDULE, call, receiver, "by name")]
    if kinds.named_like(receiver, "optimizer") and not call.args and _trains(runs, call):
        return [runs.event(Do.STEP, call, receiver, "by name")]
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
        subject = receiver_of(parameters)
    return [runs.event(Do.CLIP, call, subject)]


@_detects("unscale_")
def _unscale(runs: Runs, call: nodes.Call) -> _Found | None:
    return None if runs.names.callee(call) else [runs.event(Do.UNSCALE, call, argument(call, 0, "optimizer"))]


@_detects("update")
def _update(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = receiver_of(call)
    if receiver is not None and runs.kinds.of(receiver, "scaler"):
        return [runs.event(Do.UPDATE, call, receiver)]
    return None


@_detects("eval", "train")
def _mode(runs: Runs, call: nodes.Call) -> _Found | None:
    receiver = receiver_of(call)
    if receiver is None or runs.names.callee(call) or runs.kinds.inferred(receiver, "module") is False:
        return None
    if call.func.attrname == "eval":
        return None if call.args else [runs.event(Do.EVAL, call, receiver)]
    mode = argument(call, 0, "mode")
    if mode is None or constant(mode) is True:
        return [runs.event(Do.TRAIN, call, receiver)]
    if constant(mode) is False:
        return [runs.event(Do.EVAL, call, receiver)]
    if runs.kinds.of(receiver, "module"):
        return [runs.event(Do.TRAIN, call, receiver, "either"), runs.event(Do.EVAL, call, receiver, "either")]
    return None


@_detects(*COLLECTIVES)
def _collective(runs: Runs, call: nodes.Call) -> _Found | None:
    symbol = runs.names.symbol(call.func)
    if symbol is not None and symbol.startswith(COLLECTIVE_OWNERS):
        return [runs.event(Do.COLLECTIVE, call, None, symbol.rpartition(".")[2])]
    return None
