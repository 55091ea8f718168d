"""Tensors put where they outlive their iteration: running sums, lists, dictionaries, meters, attributes."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import modes, scopes
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Tensor
from flake8_torch_pitfalls.analysis.lineage import Lineage, container_text, given_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    LOOPS,
    Index,
    ancestors,
    class_of,
    dotted,
    function_of,
    last_name,
    loops_around,
)
from flake8_torch_pitfalls.analysis.values import Class, Function

ADDERS = {"append": 0, "appendleft": 0, "add": 0, "extend": 0, "insert": 1}
"""Methods that put their argument at this position into a list, deque or set."""
JOINERS = frozenset(("cat", "concat", "stack", "hstack", "vstack"))
RESETS = frozenset(("clear", "reset", "zero_", "detach_"))
KEEPERS = frozenset("mean sum clone view squeeze unsqueeze cpu to float cuda reshape flatten double half".split())
"""Tensor methods whose result carries the graph of their tensor."""
_SHOWN_BY = frozenset(
    "print item detach tolist numpy float int round format len str write info debug warning log add_scalar "
    "set_description set_postfix bool update_description plot add_scalars isnan isfinite".split()
)
"""Calls that only look at a number."""


@dataclasses.dataclass(frozen=True, slots=True)
class Store:
    """A value put into *container* at *node*; *key* is the subscript it is put under.

    ``by_callee``: a function of the project does it with an argument of *node*.
    """

    node: nodes.NodeNG
    container: nodes.NodeNG
    value: nodes.NodeNG
    key: nodes.NodeNG | None = None
    by_callee: bool = False

    @property
    def name(self) -> str:
        """The container in the user's own words."""
        text = container_text(self.container)
        return f"'{text}'" if text else f"'{self.container.as_string()}'"


class Stores:
    """Finds the stores of one linted file and decides which of them keep graphs."""

    def __init__(self, source: Source) -> None:
        self.names = source.names
        self.kinds = source.kinds
        self.tensors = source.tensors
        self.index = source.index
        self.lineage = Lineage(source.names)

    # -- finding -----------------------------------------------------------------------------------

    def all(self) -> Iterator[Store]:
        """Yield the stores that may grow from iteration to iteration."""
        for statement in self.index.of(nodes.AugAssign):
            if statement.op in ("+=", "-="):
                yield from self._added(statement)
        for statement in self.index.of(nodes.Assign):
            yield from self._assigned(statement)
        for name, position in ADDERS.items():
            for call in self.index.calls.get(name, ()):
                if isinstance(call.func, nodes.Attribute) and len(call.args) > position:
                    yield from _put(call, call.args[position])
        for statement in self.index.of(nodes.Expr):
            if isinstance(statement.value, nodes.Call):
                yield from self._by_callee(statement.value)

    def _added(self, statement: nodes.AugAssign) -> Iterator[Store]:
        target, value = statement.target, statement.value
        if isinstance(value, nodes.List):
            for element in value.elts:
                yield Store(statement, target, element)
        else:
            yield Store(statement, target, value)

    def _assigned(self, statement: nodes.Assign) -> Iterator[Store]:
        if len(statement.targets) != 1:
            return
        [target] = statement.targets
        value = statement.value
        if isinstance(target, nodes.Subscript):
            yield Store(statement, target.value, value, target.slice)
        if not isinstance(value, (nodes.BinOp, nodes.Call)):
            return
        if isinstance(value, nodes.Call) and last_name(value.func) not in JOINERS:
            return
        text = target.as_string()
        if isinstance(value, nodes.BinOp):
            summands = list(_summands(value))
            if len(summands) > 1 and any(_is_multiple(summand, text) for summand in summands):
                for summand in summands:
                    if not _is_multiple(summand, text):
                        only_item = isinstance(summand, nodes.List) and len(summand.elts) == 1
                        yield Store(statement, target, summand.elts[0] if only_item else summand)
        elif value.args:
            parts = value.args[0].elts if isinstance(value.args[0], (nodes.List, nodes.Tuple)) else []
            if any(part.as_string() == text for part in parts):
                for part in parts:
                    if part.as_string() != text:
                        yield Store(statement, target, part)

    def _by_callee(self, call: nodes.Call) -> Iterator[Store]:
        """Yield the argument of *call* that a function of the project adds to something that lasts."""
        name = last_name(call.func)
        if name in scopes.BUILTINS or not (loops_around(call) or class_of(call)):
            return
        given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
        frames = [*loops_around(call), function_of(call)]
        if not any(self._consumed(Store(call, call.func, value), frames[0]) for value in given if _is_named(value)):
            return
        for function in self.names.callee(call)[:2]:
            matched = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
            facts = {name: self._fact(value) for name, value in matched.items()}
            for parameter, container in self._kept_arguments(function, facts):
                if not self._consumed(Store(call, call.func, matched[parameter]), frames[0]):
                    continue
                where = matched.get(container)
                if where is None and isinstance(call.func, nodes.Attribute):
                    where = call.func.expr
                if where is not None:
                    yield Store(call, where, matched[parameter], by_callee=True)
                    return

    def _kept_arguments(self, function: Function, facts: dict[str, Fact | None]) -> Iterator[tuple[str, str]]:
        """Yield (parameter, parameter or ``self`` that the function adds it to)."""
        done = self.tensors.through(function, facts)
        if done is None:
            return
        for store in Stores._in_callee(self, function.node):
            fact = done.facts.get(store.value)
            if not (isinstance(fact, Tensor) and fact.graph) or self._carries(store.value):
                continue
            root = (container_text(store.container) or "").partition(".")[0].partition("[")[0]
            for source in self.lineage.sources(store.value):
                if isinstance(source, nodes.AssignName) and is_parameter(source):
                    if source.name in facts and self._lasts(store, function.node):
                        yield source.name, root

    def _in_callee(self, function: nodes.NodeNG) -> Iterator[Store]:
        """Yield the stores that stand in *function*, also one of another file."""
        index = self.names.index_of(function)
        for statement in index.of(nodes.AugAssign):
            if function_of(statement) is function:
                yield from self._added(statement)
        for statement in index.of(nodes.Assign):
            if function_of(statement) is function and not isinstance(statement.targets[0], nodes.Subscript):
                yield from self._assigned(statement)
        for name, position in ADDERS.items():
            for call in index.calls.get(name, ()):
                if function_of(call) is function and isinstance(call.func, nodes.Attribute):
                    if len(call.args) > position:
                        yield from _put(call, call.args[position])

    # -- deciding ----------------------------------------------------------------------------------

    def keeps_graphs(self, store: Store) -> bool:
        """Return whether *store* makes a container grow by a graph in each iteration."""
        return (
            self._may_grow(store)
            and not self._is_added_without_grad(store)
            and self._carries(store.value)
            and not self._is_method_of_project(store)
        )

    def _is_added_without_grad(self, store: Store) -> bool:
        """Return whether what is kept is computed under ``no_grad``, such as a sum; a list keeps items as they are."""
        kept = store.value if isinstance(store.node, nodes.Call) else store.node.value
        extends = any(isinstance(part, nodes.List) for part in (kept, *kept.get_children()))
        computes = store.by_callee or isinstance(store.node, nodes.AugAssign) or isinstance(kept, nodes.BinOp)
        return computes and not extends and modes.records_grad(self.names, store.node) is False

    def _is_method_of_project(self, store: Store) -> bool:
        """Return whether *store* is an ``add`` of the project's own, which may keep anything of its argument."""
        return not store.by_callee and isinstance(store.node, nodes.Call) and bool(self.names.callee(store.node))

    def _may_grow(self, store: Store) -> bool:
        """Return whether the container of *store* outlives iterations that have no more use for the graph."""
        frames: list[nodes.NodeNG] = [*loops_around(store.node)]
        if self._lasts(store, function_of(store.node)):
            frames.append(function_of(store.node))
        for frame in frames:
            if self._starts_anew(store, frame):
                return False
            if store.key is not None and not self._varies(store.key, frame):
                continue
            if self._consumed(store, frame):
                return not self._is_array(store.container)
        return bool(frames) and isinstance(frames[0], LOOPS) and self._only_shown(store)

    def _carries(self, value: nodes.NodeNG) -> bool:
        """Return whether *value* carries a graph: by its fact, or because a backward pass starts from it."""
        fact = self._fact(value)
        if isinstance(fact, Tensor) and fact.graph is not None:
            return fact.graph
        if isinstance(fact, Group):
            items = fact.items if fact.items is not None else (fact.item,)
            return any(isinstance(item, Tensor) and item.graph is True for item in items)
        return any(self._is_start(name) for name in _carriers(value))

    def carrier(self, store: Store) -> nodes.NodeNG:
        """Return the part of the stored value that brings the graph: ``loss`` of ``loss * n``."""
        return next((part for part in _carriers(store.value) if self._carries(part)), store.value)

    def _fact(self, node: nodes.NodeNG) -> Fact | None:
        return self.tensors.at(node)

    def _is_start(self, node: nodes.NodeNG) -> bool:
        """Return whether a backward pass of the same function starts from the very value of *node*, or adds it in."""
        text = dotted(node)
        for backward in self.lineage.backwards(function_of(node)):
            if isinstance(node, nodes.Name):
                mine = _meanings(node)
                if any(mine & _meanings(name) for name in _started(backward.start) if name.name == node.name):
                    return True
            elif text is not None and dotted(backward.start) == text:
                return self.lineage.sources(node) == self.lineage.sources(backward.start)
        if any(self._is_start(value) for value in _members(node) if not isinstance(value, nodes.Call)):
            return True
        return self._is_summed_up(node)

    def _is_summed_up(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* is an item of the dictionary whose sum is back-propagated."""
        holders = {held.name for held in _iterated(node)}
        return any(
            isinstance(given, nodes.Call)
            and last_name(given.func) == "sum"
            and any(name.name in holders for name in given.nodes_of_class(nodes.Name))
            for backward in (self.lineage.backwards(function_of(node)) if holders else ())
            for start in _started(backward.start)
            for definition in _meanings(start)
            for given in given_to(definition)
        )

    def _is_array(self, container: nodes.NodeNG) -> bool:
        """Return whether *container* is numpy's, which cannot hold a tensor."""
        if not isinstance(container, (nodes.Name, nodes.AssignName)):
            return False
        for definition in scopes.definitions(container, container.name):
            for value in given_to(definition) if isinstance(definition, nodes.AssignName) else ():
                if isinstance(value, nodes.Call) and (dotted(value.func) or "").partition(".")[0] in ("np", "numpy"):
                    return True
        return False

    # -- how long the container lives --------------------------------------------------------------

    def _lasts(self, store: Store, function: nodes.NodeNG) -> bool:
        """Return whether the container of *store* outlives a call of *function*."""
        if not isinstance(function, FUNCTIONS):
            return False
        text = container_text(store.container)
        if text is None:
            return not any(isinstance(value, Class) for value in self._called(store.container))
        root = text.partition(".")[0].partition("[")[0]
        if root == "self":
            return getattr(function, "name", "") != "__init__"
        local = function.locals.get(root, ())
        if not local:
            return True
        rebinds = isinstance(store.container, nodes.AssignName)
        return is_parameter(local[0]) and len(local) == 1 and not rebinds

    def _called(self, node: nodes.NodeNG) -> list[object]:
        return list(self.names.values(node.func)) if isinstance(node, nodes.Call) else []

    def _starts_anew(self, store: Store, frame: nodes.NodeNG) -> bool:
        """Return whether every pass through *frame* empties the container, or binds it to something new."""
        text = container_text(store.container)
        if text is None:
            return False
        return any(
            self._always_runs(reset, frame) for reset in self._resets(text, store.node, function_of(store.node))
        )

    def _resets(self, text: str, at: nodes.NodeNG, function: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
        """Yield the statements of *function* that give the container *text* a new start."""
        index = self.names.index_of(at)
        for target, name in self._targets(text, function, index):
            if function_of(target) is function and not _refers_to(target.statement(), name):
                yield target.statement()
        for target in index.items.get(text, ()):
            if function_of(target) is function and _is_empty(getattr(target.parent, "value", None)):
                yield target.statement()
        for statement in index.of(nodes.Delete):
            if function_of(statement) is function and any(
                container_text(target) == text or target.as_string() == text for target in statement.targets
            ):
                yield statement
        for call in index.calls_in.get(function, ()):
            if not isinstance(call.func, nodes.Attribute):
                continue
            if call.func.attrname in RESETS and container_text(call.func.expr) == text:
                yield call
            elif text.startswith("self.") and dotted(call.func.expr) == "self" and self._resets_self(call, text):
                yield call

    def _targets(self, text: str, function: nodes.NodeNG, index: Index) -> Iterator[tuple[nodes.NodeNG, str]]:
        """Yield what is assigned under the name *text*, or under that of an object which *text* goes through."""
        parts = text.split(".")
        for scope in dict.fromkeys((function, function.root())):
            for target in scope.locals.get(parts[0], ()):
                if isinstance(target, nodes.AssignName):
                    yield target, parts[0]
        for length in range(2, len(parts) + 1):
            name = ".".join(parts[:length])
            for target in index.stores.get(parts[length - 1], ()):
                if dotted(target.expr) == name.rpartition(".")[0]:
                    yield target, name

    def _resets_self(self, call: nodes.Call, text: str) -> bool:
        for function in self.names.callee(call):
            if function.node is not function_of(call):
                for reset in self._resets_plainly(text, function.node):
                    if self._always_runs(reset, function.node):
                        return True
        return False

    def _resets_plainly(self, text: str, function: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
        for target in self.names.index_of(function).stores.get(text.rpartition(".")[2], ()):
            if function_of(target) is function and target.as_string() == text:
                if not _refers_to(target.statement(), text):
                    yield target.statement()

    def _always_runs(self, node: nodes.NodeNG, frame: nodes.NodeNG) -> bool:
        """Return whether *node* runs in every pass through *frame*, a loop or function around it."""
        for parent in ancestors(node):
            if parent is frame:
                return True
            if isinstance(parent, (nodes.If, nodes.ExceptHandler, nodes.While)):
                return False
        return False

    def _varies(self, key: nodes.NodeNG, frame: nodes.NodeNG) -> bool:
        """Return whether the subscript *key* is another one in each pass through *frame*."""
        if not isinstance(frame, LOOPS):
            return False
        for source in self.lineage.sources(key):
            if isinstance(source, nodes.AssignName):
                parent: nodes.NodeNG = source
                while isinstance(parent, (nodes.AssignName, nodes.Tuple, nodes.List)):
                    parent = parent.parent
                if parent is frame or (isinstance(parent, nodes.AugAssign) and frame in loops_around(parent)):
                    return True
        return False

    # -- what becomes of the graph -----------------------------------------------------------------

    def _consumed(self, store: Store, frame: nodes.NodeNG) -> bool:
        """Return whether each pass through *frame* back-propagates the stored graph and frees it."""
        text = container_text(store.container)
        backwards = [
            backward
            for backward in self.lineage.backwards(function_of(store.node))
            if not backward.retains and _inside(backward.node, frame)
        ]
        mine = self.lineage.sources(store.value, without=text) if backwards else frozenset()
        for backward in backwards:
            if not mine.isdisjoint(self._of_this_pass(self.lineage.sources(backward.start, without=text), frame)):
                return True
        return any(
            _inside(call, frame)
            and self.lineage.goes_backward(last_name(call.func))
            and any(self.lineage.consumes_result(function) for function in self.names.callee(call))
            for call in self._makers(store.value)
        )

    def _of_this_pass(self, sources: frozenset[object], frame: nodes.NodeNG) -> set[object]:
        """Return those *sources* that are made within *frame*: what comes from before it is no graph of the pass."""
        if not isinstance(frame, LOOPS):
            return {s for s in sources if not (isinstance(s, nodes.AssignName) and is_parameter(s))}
        return {s for s in sources if isinstance(s, tuple) or (isinstance(s, nodes.NodeNG) and _inside(s, frame))}

    def _makers(self, value: nodes.NodeNG) -> Iterator[nodes.Call]:
        """Yield the calls whose result, or an item of it, *value* is."""
        for carrier in _carriers(value):
            if isinstance(carrier, nodes.Subscript):
                carrier = carrier.value
            if isinstance(carrier, nodes.Call):
                yield carrier
            elif isinstance(carrier, nodes.Name):
                for definition in scopes.definitions(carrier, carrier.name):
                    for given in given_to(definition) if isinstance(definition, nodes.AssignName) else ():
                        if isinstance(given, nodes.Call):
                            yield given

    def _only_shown(self, store: Store) -> bool:
        """Return whether nothing but looking at numbers is done with a local container, and no gradient is taken."""
        container, function = store.container, function_of(store.node)
        if not isinstance(container, (nodes.Name, nodes.AssignName)) or store.key is not None or store.by_callee:
            return False
        if self._differentiates(function) or self._is_forward(function):
            return False
        uses = list(self._uses(container.name, function, store))
        evaluates = self._evaluates(function)
        outcomes = {self._outcome(use, evaluates) for use in uses}
        return bool(outcomes) and outcomes <= {"shown", "returned"} and ("shown" in outcomes or evaluates)

    def _differentiates(self, function: nodes.NodeNG) -> bool:
        index = self.names.index_of(function)
        if self.lineage.backwards(function):
            return True
        names = {last_name(call.func) for call in index.calls_in.get(function, ())}
        return not names.isdisjoint(("backward", "grad", "requires_grad_", "step"))

    def _is_forward(self, function: nodes.NodeNG) -> bool:
        """Return whether *function* is a module's forward: its caller goes backward, its loops are part of one pass."""
        owner = class_of(function)
        return (
            isinstance(function, nodes.FunctionDef)
            and "forward" in function.name
            and owner is not None
            and self.names.derives(owner, "torch.nn.Module") is True
        )

    def _evaluates(self, function: nodes.NodeNG) -> bool:
        return any(
            last_name(call.func) == "eval" and isinstance(call.func, nodes.Attribute) and not call.args
            for call in self.names.index_of(function).calls_in.get(function, ())
        )

    def _uses(self, name: str, function: nodes.NodeNG, store: Store) -> Iterator[nodes.NodeNG]:
        """Yield where the variable *name* is read in *function*, other than to store into it."""
        for node in self.names.index_of(function).reads.get(name, ()):
            if node.root() is not function.root():
                continue
            if function_of(node) is not function and name in function_of(node).locals:
                continue
            statement = node.statement()
            if isinstance(node.parent, nodes.Attribute) and node.parent.attrname in ADDERS:
                continue
            if isinstance(statement, nodes.Assign) and statement is store.node:
                continue
            yield node

    def _outcome(self, use: nodes.NodeNG, evaluates: bool, depth: int = 0) -> str:
        """Return what becomes of the tensor read at *use*: "shown", "returned", or "used" for anything else."""
        below = use
        for parent in ancestors(use):
            match parent:
                case nodes.FormattedValue() | nodes.JoinedStr() | nodes.Compare():
                    return "shown"
                case nodes.Call():
                    name = last_name(parent.func)
                    if name in _SHOWN_BY:
                        return "shown"
                    if name not in KEEPERS and name not in JOINERS:
                        return "used"
                case nodes.BinOp(op="%") if isinstance(parent.left, nodes.Const):
                    return "shown"
                case nodes.Return():
                    return "returned" if evaluates else "used"
                case nodes.Assign(targets=[nodes.AssignName(name=name)]) if (
                    depth < 3 and name != getattr(use, "name", "")
                ):
                    return self._outcome_of_name(name, parent, evaluates, depth)
                case nodes.BinOp() | nodes.UnaryOp() | nodes.Tuple() | nodes.Attribute() | nodes.Subscript():
                    pass
                case nodes.If() | nodes.Expr():
                    return "shown"
                case _:
                    return "used"
            below = parent
        del below
        return "used"

    def _outcome_of_name(self, name: str, made: nodes.Assign, evaluates: bool, depth: int) -> str:
        function = function_of(made)
        outcomes = {
            self._outcome(node, evaluates, depth + 1)
            for node in self.names.index_of(function).reads.get(name, ())
            if function_of(node) is function
        }
        if "used" in outcomes or not outcomes:
            return "used"
        return "returned" if "returned" in outcomes else "shown"


def _put(call: nodes.Call, value: nodes.NodeNG) -> Iterator[Store]:
    items = [value]
    if isinstance(value, (nodes.List, nodes.Tuple)):
        items = value.elts
    elif isinstance(value, nodes.Dict):
        items = [item for _, item in value.items]
    for item in items:
        yield Store(call, call.func.expr, item)


def _summands(value: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield what *value* adds up, also under a common factor: ``a`` and ``b`` of ``(a + b) / 2``."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, nodes.BinOp) and node.op in "+-":
            stack += [node.right, node.left]
        elif isinstance(node, nodes.BinOp) and node.op in "*/" and isinstance(node.left, nodes.BinOp):
            stack.append(node.left)
        else:
            yield node


def _is_multiple(node: nodes.NodeNG, text: str) -> bool:
    """Return whether *node* is the variable *text* or a multiple of it."""
    if isinstance(node, nodes.BinOp) and node.op in "*/":
        return text in (node.left.as_string(), node.right.as_string())
    return bool(node.as_string() == text)


def _carriers(value: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the parts of *value* whose graph it carries: names and attributes in its arithmetic."""
    stack = [value]
    while stack:
        node = stack.pop()
        match node:
            case nodes.BinOp():
                stack += [node.left, node.right]
            case nodes.UnaryOp():
                stack.append(node.operand)
            case nodes.Call(func=nodes.Attribute(attrname=name)) if name in KEEPERS:
                stack.append(node.func.expr)
            case nodes.Name() | nodes.Attribute() | nodes.Call() | nodes.Subscript():
                yield node


def _is_named(value: nodes.NodeNG) -> bool:
    return any(isinstance(part, (nodes.Name, nodes.Attribute)) for part in _carriers(value))


def _meanings(name: nodes.Name) -> set[nodes.NodeNG]:
    return {node for node in scopes.definitions(name, name.name) if isinstance(node, nodes.AssignName)}


def _started(start: nodes.NodeNG) -> list[nodes.Name]:
    """Return the names that are back-propagated from *start*: itself, what it was rescaled from, its summands."""
    found = [node for node in _carriers(start) if isinstance(node, nodes.Name)]
    for node in found[:]:
        for definition in _meanings(node):
            for given in given_to(definition):
                if isinstance(given, nodes.BinOp):
                    found += [name for name in _carriers(given) if isinstance(name, nodes.Name) and _is_result(name)]
    return found


def _is_result(name: nodes.Name) -> bool:
    """Return whether *name* holds what a call or arithmetic gave, rather than a setting."""
    return any(
        isinstance(given, (nodes.Call, nodes.BinOp, nodes.UnaryOp))
        for definition in _meanings(name)
        for given in given_to(definition)
    )


def _members(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the values among which a loop over ``parts.items()`` or ``parts.values()`` finds *node*."""
    for holder in _iterated(node):
        for held in _meanings(holder):
            for display in given_to(held):
                if isinstance(display, nodes.Dict):
                    yield from (value for _, value in display.items)


def _iterated(node: nodes.NodeNG) -> Iterator[nodes.Name]:
    """Yield the dictionaries over whose items a loop gives *node* its value."""
    for definition in _meanings(node) if isinstance(node, nodes.Name) else ():
        for iterated in given_to(definition):
            if isinstance(iterated, nodes.Call) and last_name(iterated.func) in ("items", "values"):
                if isinstance(iterated.func, nodes.Attribute) and isinstance(iterated.func.expr, nodes.Name):
                    yield iterated.func.expr


def _refers_to(statement: nodes.NodeNG, text: str) -> bool:
    """Return whether the right side of *statement* reads what *text* names, so that it continues it."""
    if isinstance(statement, nodes.AugAssign):
        return True
    value = getattr(statement, "value", None)
    if value is None:
        return not isinstance(statement, (nodes.Assign, nodes.AnnAssign, nodes.With, *LOOPS))
    reads = [node for node in value.nodes_of_class((nodes.Name, nodes.Attribute)) if node.as_string() == text]
    return any(not (isinstance(node.parent, nodes.Attribute) and node.parent.attrname == "detach") for node in reads)


def _is_empty(value: nodes.NodeNG | None) -> bool:
    match value:
        case nodes.Const() | nodes.List(elts=[]) | nodes.Dict(items=[]):
            return True
    return False


def _inside(node: nodes.NodeNG, frame: nodes.NodeNG) -> bool:
    return any(parent is frame for parent in ancestors(node))
