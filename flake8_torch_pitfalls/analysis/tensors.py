"""The forward value pass: what is known of each tensor, along the control flow of a function.

A state maps variables (``x``, ``self.h``) to facts and storages to the ops that keep them for a backward
still to come. Functions of the project are passed through for the facts of their arguments; calls of
modules take the facts of their forward, or of the model's stub.
"""
from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import devices, layout, operations, scopes, sizes
from flake8_torch_pitfalls.analysis.batches import LOADER, collates_by_default
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.datasets import moves_itself, sample
from flake8_torch_pitfalls.analysis.facts import Batches, Fact, Group, Placed, Tensor, either, join
from flake8_torch_pitfalls.analysis.flow import Point, evaluated, flow
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.modes import records_grad
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.layers import Trait, has
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.sizes import Size
from flake8_torch_pitfalls.analysis.symbols import SAME_OBJECT, SEQUENCES, WRAPPERS, Names
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    argument,
    class_of,
    constant,
    dotted,
    function_of,
    is_open,
    last_name,
)
from flake8_torch_pitfalls.analysis.values import (
    NOTHING,
    Class,
    Data,
    Function,
    Instance,
    Items,
    Many,
    Method,
    Symbol,
    Value,
    Values,
)

LARGEST_SCOPE = 3_000
PASSES_PER_FILE = 400
STEPS_PER_FILE = 4_000
CONTEXTS = 3
"""Calls with different arguments that a function is passed through for."""
DEEPEST = 4
ROUNDS = 4
_LEGACY_FACTORY = re.compile(r"torch\.(Float|Double|Half|Long|Int|Short|Byte|Bool|)Tensor")
RETURNS_MODULE = frozenset("train eval half float double bfloat16 type apply requires_grad_ share_memory".split())
TENSOR_METHODS = frozenset(
    "transpose permute t movedim moveaxis swapaxes swapdims mT expand expand_as unsqueeze contiguous view size topk "
    "narrow chunk unbind unfold masked_fill bmm detach softmax argmax clone eq flatten reshape view_as float half "
    "squeeze".split()
)
CONTAINERS = (nodes.List, nodes.Tuple, nodes.Dict, nodes.ListComp, nodes.DictComp)
MOVES = frozenset("to cuda cpu float half double long type contiguous requires_grad_".split())
"""Methods by which a parameter may be taken for a tensor where nothing speaks against it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Overwrite:
    """An in-place change at *node* of a tensor that the ops *saved_by* keep for their backward."""

    node: nodes.NodeNG
    saved_by: tuple[nodes.NodeNG, ...]


Memory = frozenset[nodes.NodeNG]
"""The expressions that may have allocated one tensor's memory: equal sets at two places mean one memory."""
Saved = dict[Memory, frozenset[nodes.NodeNG]]
"""Which ops keep which memory for their backward."""


@dataclasses.dataclass(frozen=True, slots=True)
class Clash:
    """An operation or call at *node* whose operands are on two devices.

    *stray* is what is on *device*, the other side on *other*; *module*: the other side is a module.
    *sometimes*: only on the paths that move the other side.
    """

    node: nodes.NodeNG
    stray: nodes.NodeNG | None
    device: str
    other: str
    module: bool = False
    sometimes: bool = False


@dataclasses.dataclass(slots=True)
class Pass:
    """What one run through a function found."""

    facts: dict[nodes.NodeNG, Fact | None]
    """The fact of each expression that was evaluated, joined over the paths to it."""
    overwrites: dict[nodes.NodeNG, Overwrite]
    views: dict[nodes.NodeNG, tuple[bool | None, str]]
    """For each view whether torch refuses it (None: unknown), and the operation to blame."""
    returned: Fact | None
    """What holds of the result, None if it is no tensor or unknown."""
    saved: Saved
    """What ops still keep for a backward when the scope is left."""
    callees: dict[nodes.NodeNG, Pass]
    """The passes through the project's functions that were called with recording on, by function."""
    clashes: dict[nodes.NodeNG, Clash] = dataclasses.field(default_factory=dict)
    leaving: dict[str, Fact | None] = dataclasses.field(default_factory=dict)
    """What the variables hold when the scope is left."""


class _State:
    """Variables and saved memory at one point."""

    __slots__ = ("saved", "variables")

    def __init__(self, variables: dict[str, Fact | None], saved: Saved) -> None:
        self.variables = variables
        self.saved = saved

    def copy(self) -> _State:
        return _State(dict(self.variables), dict(self.saved))

    def absorb(self, other: _State) -> bool:
        """Join *other* into this state; return whether that changed anything."""
        changed = False
        for name, fact in other.variables.items():
            if name not in self.variables:
                self.variables[name] = fact
                changed = True
            elif self.variables[name] != fact:
                joined = _merged(self.variables[name], fact)
                if joined != self.variables[name]:
                    self.variables[name] = joined
                    changed = True
        for memory, ops in other.saved.items():
            if not ops <= self.saved.get(memory, frozenset()):
                self.keep(memory, ops)
                changed = True
        return changed

    def keep(self, memory: Memory, ops: Iterable[nodes.NodeNG]) -> None:
        """Note that *ops* keep *memory* for their backward."""
        if memory:
            self.saved[memory] = self.saved.get(memory, frozenset()).union(ops)

    def renew(self, storage: nodes.NodeNG) -> None:
        """Forget what was kept of memory that *storage* allocated before: it allocates anew."""
        for memory in [memory for memory in self.saved if storage in memory]:
            del self.saved[memory]


def _merged(left: Fact | None, right: Fact | None) -> Fact | None:
    """Join over paths; ``total = 0`` before a loop that makes it a tensor does not count."""
    if left is None or right is None or isinstance(left, Size) != isinstance(right, Size):
        kept = right if left is None or isinstance(left, Size) else left
        if isinstance(kept, (Size, Placed, Batches)):
            return None
        return dataclasses.replace(kept, layout=None, device=None) if isinstance(kept, Tensor) else kept
    return join(left, right)


_Key = tuple[nodes.NodeNG, tuple[tuple[str, Fact], ...], object]
"""A scope, what its arguments are, and the class of its receiver."""


def _is_out_of_order(fact: Fact) -> bool:
    return isinstance(fact, Tensor) and fact.layout is not None and not any(f.contiguous for f in fact.layout.forms)


class Tensors:
    """Answers what is known of tensors in one linted file.

    *follows_shapes*: whether layouts are worked out as well, which costs a third more.
    """

    def __init__(self, names: Names, kinds: Kinds, follows_shapes: bool = False) -> None:
        self.names = names
        self.kinds = kinds
        self.follows_shapes = follows_shapes
        self._passes: dict[_Key, Pass | None] = {}
        self._open: list[_Key] = []
        self._contexts: collections.Counter[nodes.NodeNG] = collections.Counter()
        self._under_way: dict[nodes.NodeNG, _Evaluation] = {}
        self.steps = 0
        self._recording: dict[object, bool | None] = {}
        self._own_moves: dict[tuple[nodes.ClassDef, tuple[str, ...]], bool] = {}
        self._callers: dict[nodes.NodeNG, bool | None] = {}

    def of(self, scope: nodes.NodeNG) -> Pass | None:
        """Return the pass through *scope* with nothing known of its arguments; None for one too large."""
        return self._run(scope, (), None)

    def at(self, node: nodes.NodeNG) -> Fact | None:
        """Return what is known of the expression *node* where it stands."""
        done = self.of(function_of(node))
        return None if done is None else done.facts.get(node)

    def called(self, function: Function, arguments: dict[str, Fact | None]) -> Fact | None:
        """Return what *function* of the project returns for *arguments*."""
        done = self.through(function, arguments)
        return None if done is None else done.returned

    def through(self, function: Function, arguments: dict[str, Fact | None]) -> Pass | None:
        """Return the pass through *function* of the project for *arguments*; None for one too large."""
        given = tuple(sorted(((name, fact) for name, fact in arguments.items() if fact is not None), key=_first))
        return self._run(function.node, given, function.receiver)

    def out_of_order(self, scope: nodes.NodeNG) -> list[Pass]:
        """Return the passes made so far through *scope* for arguments that do not lie in memory in their order."""
        return [
            done
            for (run, given, _), done in self._passes.items()
            if run is scope and done is not None and any(_is_out_of_order(fact) for _, fact in given)
        ]

    def passes(self, scope: nodes.NodeNG) -> list[Pass]:
        """Return the passes through *scope*: with nothing known of its arguments, and for those seen so far."""
        self.of(scope)
        return [done for (run, *_), done in self._passes.items() if run is scope and done is not None]

    def visited(self) -> list[nodes.NodeNG]:
        """Return the functions of the linted file that a pass went through so far, in the order of the text."""
        found = {run: None for run, *_ in self._passes if run.root() is self.names.module}
        return sorted(found, key=lambda scope: (scope.lineno or 0, scope.col_offset or 0))

    def apart(self, scope: nodes.NodeNG) -> list[Clash]:
        """Return where *scope* mixes devices by itself, not because of stray tensors that it is given."""
        found = (
            done.clashes.values()
            for (run, given, _), done in list(self._passes.items())
            if run is scope and done is not None and _without_strays(dict(given)) == dict(given)
        )
        return list(dict.fromkeys(clash for clashes in found for clash in clashes))

    def outer(self, module: nodes.Module, name: str) -> Fact | None:
        """Return what the variable *name* of *module* holds: where its function is called, else at its end."""
        if (evaluation := self._under_way.get(module)) is not None:
            return evaluation.state.variables.get(name)
        done = self.of(module)
        return None if done is None else done.leaving.get(name)

    def moves_itself(self, cls: nodes.ClassDef, *methods: str) -> bool:
        """Return what ``datasets.moves_itself`` says; asked once for each class."""
        key = (cls, methods)
        if key not in self._own_moves:
            self._own_moves[key] = moves_itself(self.names, cls, *methods)
        return self._own_moves[key]

    def recording(self, node: nodes.NodeNG) -> bool | None:
        """Return whether gradients are recorded at *node*; asked once for each block."""
        block = next((above for above in ancestors(node) if isinstance(above, (nodes.With, *FUNCTIONS))), None)
        switched = "set_grad_enabled" in self.names.index_of(node).calls
        key = (block, node.fromlineno if switched else None)
        if key not in self._recording:
            self._recording[key] = None  # for recursion
            recorded = records_grad(self.names, node)
            self._recording[key] = self._as_called(function_of(node)) if recorded else recorded
        return self._recording[key]

    def _as_called(self, function: nodes.NodeNG) -> bool | None:
        """Return whether some caller in view has recording on, True where there is none."""
        if not isinstance(function, nodes.FunctionDef):
            return True
        if function not in self._callers:
            states = {self.recording(call) for call in self.names.call_sites(function)}
            self._callers[function] = True if True in states or not states else None if None in states else False
        return self._callers[function]

    def _is_too_far(self, scope: nodes.NodeNG) -> bool:
        """Return whether *scope* is in another file and so is the function that calls it.

        Following what other files do among themselves cost more than everything in the file at hand.
        """
        here = self.names.module
        return scope.root() is not here and any(calling.root() is not here for calling, *_ in self._open)

    def _run(
        self, scope: nodes.NodeNG, given: tuple[tuple[str, Fact], ...], receiver: Instance | None
    ) -> Pass | None:
        key = (scope, given, receiver.cls if receiver is not None else None)
        if key in self._passes:
            return self._passes[key]
        if key in self._open or len(self._open) >= DEEPEST or len(self._passes) >= PASSES_PER_FILE:
            return None
        if self.steps > STEPS_PER_FILE or self._is_too_far(scope):
            return None
        if given and self._contexts[scope] >= CONTEXTS:
            return self._run(scope, (), receiver)
        self._contexts[scope] += 1
        self._open.append(key)
        evaluation = _Evaluation(self, scope, dict(given), receiver)
        outer = self._under_way.get(scope)  # the same function for other arguments
        self._under_way[scope] = evaluation
        try:
            made = evaluation.run()
        finally:
            self._open.pop()
            if outer is None:
                del self._under_way[scope]
            else:
                self._under_way[scope] = outer
        self._passes[key] = made
        return made


def _nowhere(fact: Fact | None) -> Fact | None:
    """Return *fact* without its devices: whoever holds the module may have moved what it is made of."""
    match fact:
        case Placed():
            return None
        case Group(items, item):
            return Group(None if items is None else tuple(_nowhere(one) for one in items), _nowhere(item))
    return devices.placed(fact, None)


def _without_strays(given: Mapping[str, Fact | None]) -> dict[str, Fact | None]:
    """Return *given*, the arguments of a function, without the devices of tensors that may be astray.

    Those are the ones on the CPU, and all where the function is a method of a module on the CPU.
    """
    module = given.get("self")
    every = isinstance(module, Placed) and module.device == devices.CPU
    return {name: devices.forgotten(fact, every) for name, fact in given.items()}


class _Evaluation:
    """One run through a scope."""

    def __init__(
        self, tensors: Tensors, scope: nodes.NodeNG, given: dict[str, Fact], receiver: Instance | None
    ) -> None:
        self.tensors = tensors
        self.names = tensors.names
        self.kinds = tensors.kinds
        self.follows_shapes = tensors.follows_shapes
        self._bases: dict[tuple[nodes.NodeNG | str, tuple[int, ...]], Layout] = {}
        self.scope = scope
        self.given = given
        self.receiver = receiver
        self.facts: dict[nodes.NodeNG, Fact | None] = {}
        self.overwrites: dict[nodes.NodeNG, Overwrite] = {}
        self.views: dict[nodes.NodeNG, tuple[bool | None, str]] = {}
        self.clashes: dict[nodes.NodeNG, Clash] = {}
        self.latest: dict[nodes.NodeNG, Fact | None] = {}
        """The fact of each expression when it was last evaluated."""
        self.ranks: dict[nodes.NodeNG, set[int]] = {}
        """How many sizes the program unpacks from the shape of what came from outside."""
        self.returns: dict[nodes.NodeNG, Fact | None] = {}
        self.callees: dict[nodes.NodeNG, Pass] = {}
        self.state = _State({}, {})

    def run(self) -> Pass | None:
        graph = flow(self.scope)
        if len(graph.points) > LARGEST_SCOPE:
            return None
        order = _reverse_postorder(graph.entry)
        arriving = collections.Counter(id(edge.to) for point in order for edge in point.edges)
        before: dict[int, _State] = {id(graph.entry): _State(self._parameters(), {})}
        waiting = {id(graph.entry)}
        for _ in range(ROUNDS):
            for point in order:
                if id(point) not in waiting:
                    continue
                waiting.discard(id(point))
                moves_on = len(point.edges) == 1 and arriving[id(point.edges[0].to)] == 1
                self.state = before[id(point)].copy()
                self._point(point)
                self.tensors.steps += 1
                for edge in point.edges:
                    if edge.test is not None and self._decided(edge.test) not in (None, edge.taken):
                        continue
                    to = id(edge.to)
                    if to not in before:
                        before[to] = self.state if moves_on else self.state.copy()
                        waiting.add(to)
                    elif before[to].absorb(self.state):
                        waiting.add(to)
            if not waiting:
                break
        returned: Fact | None = None
        for number, fact in enumerate(self.returns.values()):
            returned = _merged(returned, fact) if number else fact
        last = before.get(id(graph.exit))
        saved = last.saved if last is not None else {}
        leaving = last.variables if last is not None else {}
        graph.close()
        return Pass(self.facts, self.overwrites, self.views, returned, saved, self.callees, self.clashes, leaving)

    def _decided(self, test: nodes.NodeNG) -> bool | None:
        """Return how a test of a value's type comes out where the value is a tensor, else None."""
        match test:
            case nodes.UnaryOp(op="not"):
                inner = self._decided(test.operand)
                return None if inner is None else not inner
            case nodes.Call(args=[nodes.Name() as tested, *rest]) if isinstance(
                self.state.variables.get(tested.name), Tensor
            ):
                symbol = self.names.symbol(test.func)
                if symbol == "torch.is_tensor":
                    return True
                if symbol == "hasattr" and rest:
                    return True if torch_model.member("torch.Tensor", str(constant(rest[0]))) else None
                if symbol == "isinstance" and rest:
                    return self._is_tensor_class(rest[0])
        return None

    def _is_tensor_class(self, node: nodes.NodeNG) -> bool | None:
        classes = node.elts if isinstance(node, nodes.Tuple) else [node]
        symbols = [self.names.symbol(cls) for cls in classes]
        if "torch.Tensor" in symbols:
            return True
        return False if all(symbol in scopes.BUILTINS for symbol in symbols) else None

    def _parameters(self) -> dict[str, Fact | None]:
        """Return what is known of the parameters: of those that get other values later, even if it is nothing."""
        known: dict[str, Fact | None] = dict(self.given)
        for name, found in getattr(self.scope, "locals", {}).items():
            if len(found) > 1 and isinstance(found[0].parent, nodes.Arguments) and name not in known:
                known[name] = self._annotated(found[0])
        return known

    def _annotated(self, parameter: nodes.AssignName) -> Fact | None:
        declared = self.names.annotated(scopes.annotation(self.scope, parameter.name))
        if any(self.names.is_a(value, "torch.Tensor") for value in declared):
            return Tensor(storage=frozenset({parameter}), layout=self._assumed(parameter))
        return None

    def _point(self, point: Point) -> None:
        node = evaluated(point)
        match node:
            case None:
                return
            case nodes.For():
                self._bind(node.target, self._element(self._known(node.iter)))
                self._assume_of_batch(node.target)
            case nodes.Assign():
                self._narrow(node)
                fact = self.fact(node.value)
                for target in node.targets:
                    self._bind(target, fact)
            case nodes.AnnAssign():
                if node.value is not None:
                    self._bind(node.target, self.fact(node.value))
            case nodes.AugAssign():
                self._augment(node)
            case nodes.Return():
                self.returns[node] = self.fact(node.value) if node.value is not None else None
            case nodes.Expr() | nodes.Await():
                self.fact(node.value)
            case nodes.Delete():
                for target in node.targets:
                    if (text := dotted(target)) is not None:
                        self.state.variables.pop(text, None)
            case nodes.Lambda() | nodes.Import() | nodes.ImportFrom() | nodes.Pass() | nodes.Global():
                return
            case nodes.Assert():
                self.fact(node.test)
            case nodes.Raise():
                return
            case _:
                self.fact(node)
        if isinstance(self.scope, nodes.Lambda) and node is getattr(self.scope, "body", None):
            self.returns[node] = self.fact(node)

    # -- assignments -------------------------------------------------------------------------------

    def _bind(self, target: nodes.NodeNG, fact: Fact | None) -> None:
        match target:
            case nodes.AssignName(name=name):
                self.state.renew(target)
                if isinstance(fact, Tensor) and not fact.storage:
                    fact = dataclasses.replace(fact, storage=frozenset({target}))
                self.state.variables[name] = fact
            case nodes.AssignAttr():
                text = _target_text(target)
                if text is not None:
                    self.state.variables[text] = fact
                if target.attrname == "data":
                    self.fact(target.expr)
                if target.attrname == "requires_grad" and isinstance(owner := self.fact(target.expr), Tensor):
                    self._track(target.expr, owner, constant(getattr(target.parent, "value", None)))
            case nodes.Tuple() | nodes.List():
                for number, element in enumerate(target.elts):
                    self._bind(element, self._item(fact, number))
            case nodes.Starred():
                self._bind(target.value, Group(None, self._element(fact)))
            case nodes.Subscript():
                base = self.fact(target.value)
                if isinstance(base, Tensor):
                    operands = [Operand("self", base)]
                    if isinstance(fact, Tensor):
                        operands.append(Operand("src", fact))
                    changed = self._operate("copy_", operands, target.parent)
                    self._rebind(target.value, changed)
                elif (text := dotted(target.value)) is not None:
                    held = base.any() if isinstance(base, Group) else None
                    self.state.variables[text] = Group(None, either(held, fact))

    def _augment(self, node: nodes.AugAssign) -> None:
        value = self.fact(node.value)
        self.clashes.pop(node, None)
        target = node.target
        if isinstance(target, nodes.Subscript):
            before = self.fact(target.value)
            self.facts[target] = before
        else:
            before = self._variable(target)
            self.facts[target] = before
        if isinstance(before, Tensor):
            operands = [Operand("self", before), Operand("other", value if isinstance(value, Tensor) else None)]
            after = self._operate(operations.OPERATORS.get(node.op[:-1], "add") + "_", operands, node)
            self._rebind(target.value if isinstance(target, nodes.Subscript) else target, after)
        elif isinstance(before, Group):
            self._rebind(target, Group(None, either(before.any(), self._element(value))))
        elif isinstance(value, Tensor):
            after = self._operate(operations.OPERATORS.get(node.op[:-1], "add"), [Operand("self", value)], node)
            self._rebind(target, after)
        else:
            self._rebind(target, None)

    def _rebind(self, target: nodes.NodeNG, fact: Fact | None) -> None:
        text = _target_text(target)
        if text is not None:
            self.state.variables[text] = fact

    # -- expressions -------------------------------------------------------------------------------

    def _known(self, node: nodes.NodeNG) -> Fact | None:
        return self.facts.get(node) if node in self.facts else self.fact(node)

    def fact(self, node: nodes.NodeNG | None) -> Fact | None:
        """Evaluate *node* in the current state."""
        if node is None:
            return None
        self.clashes.pop(node, None)
        found = self._evaluate(node)
        self.latest[node] = found
        self.facts[node] = _merged(self.facts[node], found) if node in self.facts else found
        return found

    def _evaluate(self, node: nodes.NodeNG) -> Fact | None:
        match node:
            case nodes.Name():
                return self._variable(node)
            case nodes.Const(value=int() as value) if not isinstance(value, bool):
                return sizes.number(value)
            case nodes.Attribute():
                return self._attribute(node)
            case nodes.Call():
                return self._call(node)
            case nodes.BinOp():
                return self._binary(node)
            case nodes.UnaryOp():
                operand = self.fact(node.operand)
                if isinstance(operand, Size) and node.op == "-":
                    return Size(-operand.value, operand.unknowns)
                if isinstance(operand, Tensor) and node.op in ("-", "~"):
                    return self._operate("neg" if node.op == "-" else "bitwise_not", [Operand("self", operand)], node)
                return None
            case nodes.Compare():
                facts = [self.fact(node.left), *(self.fact(right) for _, right in node.ops)]
                if any(isinstance(fact, Tensor) for fact in facts) and node.ops[0][0] not in ("is", "is not", "in"):
                    places = [node.left, *(right for _, right in node.ops)]
                    operands = [Operand("", f if isinstance(f, Tensor) else None, at) for f, at in zip(facts, places)]
                    self._check_devices("eq", operands, node)
                    where = {operand.fact.device for operand in operands if operand.fact is not None}
                    return Tensor(
                        graph=False,
                        storage=frozenset({node}),
                        device=where.pop() if len(where) == 1 else None,
                        layout=layout.after("eq", operands, node, self),
                    )
                return None
            case nodes.Subscript():
                return self._subscript(node)
            case nodes.IfExp():
                self.fact(node.test)
                outcome = self._decided(node.test)
                if outcome is not None:
                    return self.fact(node.body if outcome else node.orelse)
                return _merged(self.fact(node.body), self.fact(node.orelse))
            case nodes.BoolOp():
                facts = [self.fact(value) for value in node.values]
                return facts[-1] if len(set(facts)) == 1 else None
            case nodes.NamedExpr():
                fact = self.fact(node.value)
                self._bind(node.target, fact)
                return fact
            case nodes.Await() | nodes.Starred():
                return self.fact(node.value)
            case nodes.Tuple() | nodes.List() | nodes.Set():
                facts = [self.fact(element) for element in node.elts]
                if any(isinstance(element, nodes.Starred) for element in node.elts):
                    item = None
                    for element, fact in zip(node.elts, facts):
                        item = either(item, self._element(fact) if isinstance(element, nodes.Starred) else fact)
                    return Group(None, item)
                return Group(tuple(facts))
            case nodes.Dict():
                item = None
                for _, value in node.items:
                    item = either(item, self.fact(value))
                return Group(None, item)
            case nodes.ListComp() | nodes.SetComp() | nodes.GeneratorExp():
                self._comprehend(node.generators)
                return Group(None, self.fact(node.elt))
            case nodes.DictComp():
                self._comprehend(node.generators)
                return Group(None, self.fact(node.value))
            case nodes.JoinedStr() | nodes.FormattedValue() | nodes.Slice():
                for child in node.get_children():
                    self.fact(child)
                return None
        return None

    def _comprehend(self, generators: Iterable[nodes.Comprehension]) -> None:
        for generator in generators:
            self._bind(generator.target, self._element(self.fact(generator.iter)))
            for condition in generator.ifs:
                self.fact(condition)

    def _variable(self, node: nodes.NodeNG) -> Fact | None:
        text = _target_text(node)
        if text is not None and text in self.state.variables:
            return self.state.variables[text]
        if isinstance(node, (nodes.AssignName, nodes.AssignAttr)):
            return self._from_values(node) if isinstance(node, nodes.AssignAttr) else None
        if isinstance(node, nodes.Name) and self._is_of_the_text(node):
            return None
        fact = self._from_values(node)
        if fact is None and isinstance(node, nodes.Name):
            fact = self._from_module_level(node)
        if self.follows_shapes and isinstance(fact, Tensor) and fact.layout is None:
            if (assumed := self._from_outside(node)) is not None:
                return dataclasses.replace(fact, layout=assumed.layout)
        return fact

    def _is_of_the_text(self, node: nodes.Name) -> bool:
        """Return whether *node* is the object of a method, or something imported or defined: no tensor."""
        if node.name == "self":
            return True
        found = scopes.definitions(node, node.name)
        return bool(found) and isinstance(found[0], (nodes.Import, nodes.ImportFrom, nodes.FunctionDef, nodes.ClassDef))

    def _from_values(self, node: nodes.NodeNG) -> Fact | None:
        """Return what names and annotations say of a variable that this scope did not assign."""
        if isinstance(node, (nodes.Attribute, nodes.AssignAttr)):
            if (held := self._set_elsewhere(node)) is not None:
                return held
            if isinstance(node, nodes.AssignAttr):
                return None
        values = [value for value in self._declared(node) if value != NOTHING]
        if any(self.names.is_a(value, "torch.Tensor") is False for value in values):
            return None
        for value in values:
            if self.names.is_a(value, "torch.nn.Parameter"):
                made = getattr(value, "made_at", None)
                return _parameter(made or node, made, self._base(self._origin(node) or node))
            if self.names.is_a(value, "torch.Tensor"):
                return self._own_tensor(node) or Tensor()
        return None

    def _declared(self, node: nodes.NodeNG) -> Values:
        """Return what *node* stands for; of a parameter only what is declared, for callers hand over facts."""
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            if len(found) == 1 and isinstance(arguments := found[0].parent, nodes.Arguments):
                return self.names.annotated(scopes.annotation(arguments.parent, node.name))
        return self.names.values(node)

    def _set_elsewhere(self, node: nodes.NodeNG) -> Fact | None:
        """Return what other methods put into an attribute of ``self``."""
        if not isinstance(node.expr, nodes.Name):
            return None
        kept = [
            fact
            for value in self.names.values(node.expr)
            if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef)
            for store in self.names.stores(value.cls, node.attrname)
            if isinstance(store, nodes.AssignAttr) and isinstance(store.parent, nodes.Assign)
            if function_of(store) is not self.scope and (fact := self._put_there(store.parent.value)) is not None
        ]
        found = kept[0] if kept else None
        for fact in kept[1:]:
            found = join(found, fact)
        if isinstance(found, Placed):
            return self._moved_elsewhere(node) or (None if found.device == devices.CPU else found)
        return _nowhere(found) if self._is_of_module(node) else found

    def _put_there(self, value: nodes.NodeNG) -> Fact | None:
        """Return what *value*, in another function, is: most are told without a pass through that function."""
        values = self.names.values(value)
        is_call = isinstance(value, nodes.Call)
        moves = is_call and last_name(value.func) in devices.MOVES | RETURNS_MODULE
        if is_call and not moves and not _names_device(value):
            if all(self.names.is_a(one, "torch.nn.Module") for one in values):
                return Placed(devices.CPU)
        if moves or isinstance(value, CONTAINERS) or self.follows_shapes and isinstance(value, nodes.BinOp):
            return self.tensors.at(value)
        if any(self.names.is_a(one, "torch.Tensor", "torch.nn.Module", LOADER) for one in values):
            return self.tensors.at(value)
        return Group() if any(isinstance(one, Data) and isinstance(one.node, CONTAINERS) for one in values) else None

    def _moved_elsewhere(self, node: nodes.NodeNG) -> Fact | None:
        """Return what ``self.net.to(device)`` in another method says of the module ``self.net``."""
        text = _target_text(node)
        calls = self.names.index_of(node).calls
        found = [
            self.tensors.at(call)
            for name in sorted(devices.MOVES)
            for call in calls.get(name, ())
            if dotted(getattr(call.func, "expr", None)) == text
            and function_of(call) is not self.scope
            and class_of(call) is class_of(self.scope)
        ]
        if not found:
            return None
        return found[0] if len(set(found)) == 1 and isinstance(found[0], Placed) else Placed(None)

    def _is_of_module(self, node: nodes.NodeNG) -> bool:
        return any(self.names.is_a(value, "torch.nn.Module") is not False for value in self.names.values(node.expr))

    def _attribute(self, node: nodes.Attribute) -> Fact | None:
        text = dotted(node)
        if text is not None and text in self.state.variables:
            return self.state.variables[text]
        base = self.fact(node.expr)
        if node.attrname == "shape":
            return self._shape(node.expr)
        if base is None and node.attrname in ("T", "mT"):
            base = self._from_outside(node.expr)
        if isinstance(base, Tensor):
            match node.attrname:
                case "data":
                    return dataclasses.replace(base, graph=False, leaf=False)
                case "grad":
                    return Tensor(graph=False, storage=frozenset({node}), device=base.device, layout=base.layout)
                case "T" | "mT" | "H" | "mH" | "real" | "imag":
                    return self._operate(node.attrname, [Operand("self", base)], node)
                case "loss" | "logits" | "last_hidden_state":  # a module's output that was taken for one tensor
                    return Tensor(graph=base.graph, storage=frozenset({node}))
            return None
        if isinstance(base, Placed):
            return self._part_of_module(node, base)
        if isinstance(base, Group):
            if node.attrname in ("values", "indices") and base.items is not None and len(base.items) == 2:
                return base.items[node.attrname == "indices"]
            return base.any() if node.attrname in ("logits", "values", "indices", "loss", "mean", "probs") else None
        return self._from_values(node)

    def _subscript(self, node: nodes.Subscript) -> Fact | None:
        text = dotted(node)
        if text is not None and text in self.state.variables:
            return self.state.variables[text]
        base = self.fact(node.value)
        key = self.fact(node.slice)
        if base is None and isinstance(node.slice, nodes.Tuple):
            base = self._from_outside(node.value)
        if (tensor := _measured(node.value)) is not None and isinstance(number := constant(node.slice), int):
            return self._size_of(tensor, number)
        if isinstance(base, (Placed, Batches)):
            return base if isinstance(base, Placed) else None
        if isinstance(base, Tensor):
            name = "index" if isinstance(key, Tensor) or isinstance(node.slice, nodes.List) else "select"
            return self._operate(name, [Operand("self", base)], node)
        if isinstance(base, Group):
            number = constant(node.slice)
            if isinstance(node.slice, nodes.Slice):
                return self._part(base, node.slice)
            return self._item(base, number) if isinstance(number, int) else self._element(base)
        return self._from_values(node) if base is None else None

    def _binary(self, node: nodes.BinOp) -> Fact | None:
        left, right = self.fact(node.left), self.fact(node.right)
        if isinstance(left, Size) or isinstance(right, Size):
            if (size := self._calculated(node, left, right)) is not None:
                return size
            left, right = _no_size(left), _no_size(right)
        if isinstance(left, Group) or isinstance(right, Group):
            if isinstance(left, Group) and isinstance(right, Group) and node.op == "+":
                if left.items is not None and right.items is not None:
                    return Group(left.items + right.items)
            item = either(
                left.any() if isinstance(left, Group) else None, right.any() if isinstance(right, Group) else None
            )
            return Group(None, item) if not isinstance(left, Tensor) and not isinstance(right, Tensor) else None
        if not isinstance(left, Tensor) and not isinstance(right, Tensor):
            return None
        operands = [
            Operand("self", left if isinstance(left, Tensor) else None, node.left),
            Operand("other", right if isinstance(right, Tensor) else None, node.right),
        ]
        return self._operate(operations.OPERATORS.get(node.op, "add"), operands, node)

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, call: nodes.Call) -> Fact | None:
        receiver = self.fact(call.func.expr) if isinstance(call.func, nodes.Attribute) else None
        arguments = [self.fact(argument) for argument in call.args]
        keywords = {keyword.arg: self.fact(keyword.value) for keyword in call.keywords or () if keyword.arg}
        name = last_name(call.func)
        if isinstance(out := keywords.get("out"), Tensor):
            self._overwrite(out, call)
        if name in ("backward", "manual_backward"):
            if not any(k.arg == "retain_graph" for k in call.keywords or ()):
                self.state.saved.clear()
            self._started(call)
            return None
        if isinstance(receiver, Tensor) and isinstance(call.func, nodes.Attribute):
            return self._method(call, call.func.attrname, receiver, arguments, keywords)
        if _no_size(receiver) is None and isinstance(call.func, nodes.Attribute) and self._may_be_of_tensor(call):
            if (assumed := self._from_outside(call.func.expr)) is not None:
                return self._method(call, call.func.attrname, assumed, arguments, keywords)
            if name == "size":
                return self._measure(call)
        if isinstance(receiver, Group) and isinstance(call.func, nodes.Attribute):
            return self._group_method(call, call.func, receiver, arguments)
        if isinstance(call.func, nodes.Attribute) and (placed := self._module_method(call, call.func, receiver)):
            return placed
        if isinstance(call.func, nodes.Attribute) and name in ("append", "extend", "insert") and receiver is None:
            text = dotted(call.func.expr)
            if text in self.state.variables and arguments:
                self.state.variables[text] = Group(None, arguments[-1])
            return None
        values = self.names.values(call.func)
        before = self.state.saved
        fact: Fact | None = None
        outcomes = []
        for number, value in enumerate(values):
            self.state.saved = dict(before) if len(values) > 1 else before
            result = self._called(value, call, arguments, keywords)
            outcomes.append(self.state.saved)
            fact = _merged(fact, result) if number else result
        self.state.saved = _saved_by_all(outcomes)
        return fact

    def _may_be_of_tensor(self, call: nodes.Call) -> bool:
        """Return whether *call* of a method shows that it is a tensor's."""
        if last_name(call.func) in TENSOR_METHODS:
            return True
        formats = self.follows_shapes and argument(call, None, "memory_format") is not None
        return formats and self.kinds.of(call.func.expr, "module") is not True

    def _called(
        self, value: Value, call: nodes.Call, arguments: Sequence[Fact | None], keywords: dict[str, Fact | None]
    ) -> Fact | None:
        """Return what *call* gives where it calls *value*."""
        match value:
            case Symbol(symbol):
                return self._function(call, symbol, arguments, keywords)
            case Method():
                return self._from_model(call)
            case Function():
                return self._project_function(value, call, arguments, keywords, self._owner(value, call.func))
            case Instance() if self.names.is_a(value, "torch.nn.Module"):
                placed = self._held_module(call.func)
                if placed is not None and placed.made is not None and value.cls == "torch.nn.Module":
                    value = placed.made
                if placed is not None and placed.device == devices.CPU and not self._stays_on_cpu(value):
                    placed = None
                result = self._module(value, call, arguments, keywords, placed)
                if placed is not None and placed.device is not None and not self._has_own_moves(value):
                    return devices.placed(result, placed.device)
                return result
            case Class():
                return self._new_module(value, call)
        return self._unknown_call(call)

    def _started(self, call: nodes.Call) -> None:
        """Conclude that the tensor from which *call* goes backward carries a graph."""
        start = call.func.expr if isinstance(call.func, nodes.Attribute) else None
        first = call.args[0] if call.args else None
        if isinstance(start, nodes.Call) and last_name(start.func) == "scale" and start.args:
            start = start.args[0]
        elif "loss" in (last_name(first) or "").lower():
            start = first
        if isinstance(start, nodes.Name):
            known = self.state.variables.get(start.name)
            if known is None:
                self.state.variables[start.name] = Tensor(graph=True)
            elif isinstance(known, Tensor) and known.graph is None:
                self.state.variables[start.name] = dataclasses.replace(known, graph=True)

    def _unknown_call(self, call: nodes.Call) -> Fact | None:
        if self.kinds.of(call.func, "module"):
            return Tensor(graph=self._recorded(call, True), storage=frozenset({call}))
        return None

    def _method(
        self,
        call: nodes.Call,
        name: str,
        receiver: Tensor,
        arguments: Sequence[Fact | None],
        keywords: dict[str, Fact | None],
    ) -> Fact | None:
        if name == "size":
            return self._measure(call)
        if name in ("item", "tolist", "numpy", "dim", "numel", "stride", "is_contiguous", "data_ptr"):
            return None
        if name == "requires_grad_":
            return self._track(call.func.expr, receiver, constant(call.args[0]) if call.args else True)
        operands = [Operand("self", receiver), *_operands(call.args, arguments)]
        operands += [Operand(key, fact if isinstance(fact, Tensor) else None) for key, fact in keywords.items()]
        result = self._operate(name, operands, call)
        if name.endswith("_") and isinstance(result, Tensor):
            self._rebind(call.func.expr, result)
        return result

    def _track(self, node: nodes.NodeNG, tensor: Tensor, wanted: object) -> Tensor:
        """Record that the *tensor* that *node* names is a leaf that requires grad as *wanted* says."""
        changed = dataclasses.replace(
            tensor, graph=True if wanted is True else None if wanted is ... else False, leaf=wanted is True
        )
        self._rebind(node, changed)
        return changed

    def _group_method(
        self, call: nodes.Call, func: nodes.Attribute, receiver: Group, arguments: Sequence[Fact | None]
    ) -> Fact | None:
        match func.attrname:
            case "append" | "add" | "appendleft" if arguments:
                self._rebind(func.expr, Group(None, either(receiver.any(), arguments[0])))
            case "extend" if arguments:
                self._rebind(func.expr, Group(None, either(receiver.any(), self._element(arguments[0]))))
            case "clear":
                self._rebind(func.expr, Group())
            case "items":
                return Group(None, Group((None, receiver.any())))
            case "values" | "copy":
                return Group(None, receiver.any())
            case "pop" | "get":
                return self._element(receiver)
            case "log_prob" | "rsample" | "entropy" | "cdf" | "icdf":
                return self._fresh(receiver.any(), call)
            case "sample" | "sample_n":
                return Tensor(graph=False, storage=frozenset({call}))
        return None

    def _fresh(self, fact: Fact | None, call: nodes.Call) -> Fact | None:
        return dataclasses.replace(fact, storage=frozenset({call})) if isinstance(fact, Tensor) else None

    def _function(
        self, call: nodes.Call, symbol: str, arguments: Sequence[Fact | None], keywords: dict[str, Fact | None]
    ) -> Fact | None:
        if symbol in ("sum", "max", "min") and arguments:
            item = self._element(arguments[0])
            return self._operate("add", [Operand("self", item)], call) if isinstance(item, Tensor) else None
        if symbol in ("list", "tuple", "reversed", "sorted", "iter", "set") and arguments:
            return Group(None, self._element(arguments[0]))
        if symbol == "zip":
            return Group(None, Group(tuple(self._element(fact) for fact in arguments)))
        if symbol == "enumerate" and arguments:
            return Group(None, Group((sizes.unknown(call), self._element(arguments[0]))))
        if symbol == "next" and arguments:
            return self._element(arguments[0])
        if symbol in ("copy.copy", "copy.deepcopy") and arguments:
            return arguments[0]
        if symbol in SAME_OBJECT and arguments and isinstance(arguments[0], Placed):
            return arguments[0]
        if symbol in SEQUENCES and arguments and isinstance(arguments[0], (Batches, Group)):
            return Group(None, self._element(arguments[0]))
        if symbol == "len" and call.args:
            return self._size_of(call.args[0], 0)
        if symbol == "int" and arguments and isinstance(arguments[0], Size):
            return arguments[0]
        if symbol == "range":
            return Group(None, sizes.unknown(call))
        if symbol in ("float", "int", "bool"):
            return None
        if not torch_model.modelled(symbol):
            return None
        if arguments and arguments[0] is None and (assumed := self._from_outside(call.args[0])) is not None:
            arguments = [assumed, *arguments[1:]]
        first = arguments[0] if arguments else None
        if torch_model.kind(symbol) == "class":
            if symbol.startswith("torch.distributions."):
                return Group(None, self._of_distribution(call, [*arguments, *keywords.values()]))
            if symbol == "torch.nn.Parameter":
                return _parameter(call, call, first.layout if isinstance(first, Tensor) else None)
            return self._new_object(call, symbol, arguments)
        if operations.is_factory(symbol):
            return operations.made(symbol, call, self)
        operands = []
        if isinstance(first, Group):  # torch.cat([a, b]), torch.stack(losses)
            members = first.items if first.items is not None else (first.item,)
            operands = [Operand("tensors", member) for member in members if isinstance(member, Tensor)]
        operands += _operands(call.args, arguments)
        operands += [Operand(key, fact if isinstance(fact, Tensor) else None) for key, fact in keywords.items()]
        if not any(operand.fact is not None for operand in operands):
            result = self._from_model(call)
            if isinstance(result, Tensor):
                result = dataclasses.replace(result, layout=layout.after(symbol, operands, call, self))
        else:
            result = self._operate(symbol, operands, call)
        if isinstance(result, Tensor) and constant(argument(call, None, "requires_grad")) is True:
            return dataclasses.replace(result, graph=True, leaf=True)  # of zeros_like(x, requires_grad=True)
        return result

    def _of_distribution(self, call: nodes.Call, parameters: Sequence[Fact | None]) -> Fact | None:
        """Return what a distribution with *parameters* gives: its densities carry their graph."""
        graph: bool | None = None
        for fact in parameters:
            held = fact.any() if isinstance(fact, Group) else fact
            if isinstance(held, Tensor) and held.graph:
                graph = True
        return Tensor(graph=self._recorded(call, graph), storage=frozenset({call}))

    def _from_model(self, call: nodes.Call) -> Fact | None:
        """Return what the model's annotation says of the result of *call*."""
        for value in self.names.values(call):
            if self.names.is_a(value, "torch.Tensor"):
                return Tensor(storage=frozenset({call}))
            if self.names.is_a(value, "torch.nn.Module") and isinstance(call.func, nodes.Name | nodes.Attribute):
                return Placed(devices.CPU) if self.names.symbol(call.func) else None
        return None

    def _project_function(
        self,
        function: Function,
        call: nodes.Call,
        arguments: Sequence[Fact | None],
        keywords: dict[str, Fact | None],
        receiver: Placed | None = None,
    ) -> Fact | None:
        bound = _bound(function, arguments, keywords)
        if receiver is not None and receiver.device is not None:
            bound["self"] = receiver
        done = self.tensors.through(function, bound)
        if done is None:
            return self._from_model(call)
        self._blame_arguments(function, bound, done, call)
        result = self._own_result(done.returned, [*arguments, *keywords.values()], call)
        recording = self.tensors.recording(call)
        if recording is not False:
            self.callees[function.node] = done
            self._take_over(done, function, call, result)
        if isinstance(result, Tensor):
            return dataclasses.replace(result, graph=self._recorded(call, result.graph))
        if result is None and not done.facts:  # else it is known to return no tensor
            return self._from_model(call)
        return result

    def _own_result(self, fact: Fact | None, arguments: Sequence[Fact | None], call: nodes.Call) -> Fact | None:
        """Return *fact*, a callee's result, with the memory that the callee allocated counted as that of *call*."""
        self.state.renew(call)
        fact = devices.returned(fact)
        if isinstance(fact, Group):
            return Group(
                None if fact.items is None else tuple(_without_memory(item) for item in fact.items),
                _without_memory(fact.item),
            )
        if not isinstance(fact, Tensor):
            return fact if isinstance(fact, (Placed, Batches)) else None
        given = {storage for argument in arguments if isinstance(argument, Tensor) for storage in argument.storage}
        memory = {storage if storage in given else call for storage in fact.storage}
        return dataclasses.replace(fact, storage=frozenset(memory))

    def _take_over(self, done: Pass, function: Function, call: nodes.Call, result: Fact | None) -> None:
        """Note what a callee keeps for backward of the tensors it was given and of its result."""
        given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        for parameter in [*function.node.args.posonlyargs, *(function.node.args.args or [])]:
            node = given.get(parameter.name)
            fact = self.facts.get(node) if node is not None else None
            if isinstance(fact, Tensor):
                if done.saved.get(fact.storage):
                    self.state.keep(fact.storage, (call,))
            elif node is not None and done.saved.get(frozenset({parameter})):
                if (own := self._own_tensor(node)) is not None:
                    self.state.keep(own.storage, (call,))
        if isinstance(result, Tensor) and isinstance(done.returned, Tensor):
            if done.saved.get(done.returned.storage):
                self.state.keep(result.storage, (call,))

    def _module(
        self,
        module: Instance,
        call: nodes.Call,
        arguments: Sequence[Fact | None],
        keywords: dict[str, Fact | None],
        placed: Placed | None = None,
    ) -> Fact | None:
        operands = [*_operands(call.args, arguments)]
        operands += [Operand(key, fact if isinstance(fact, Tensor) else None) for key, fact in keywords.items()]
        if isinstance(module.cls, nodes.ClassDef):
            forward = self.names.method(module.cls, "forward")
            if forward is not None:
                receiver = None if self.tensors.moves_itself(module.cls, "__init__") else placed
                return self._project_function(Function(forward, module), call, arguments, keywords, receiver)
            bases = [base for base in self.names.mro(module.cls) if isinstance(base, str)]
            if "torch.nn.Sequential" in bases:
                self._check_inputs(module, call, arguments, placed)
                return self._sequential(module, operands, call)
            if any(_measures(base) for base in bases):
                return Tensor(storage=frozenset({call}))
            return Tensor(graph=self._recorded(call, True), storage=frozenset({call}))
        self._check_inputs(module, call, [*arguments, *keywords.values()], placed)
        if module.cls == "torch.nn.Sequential":
            return self._sequential(module, operands, call)
        return self._modelled_module(module, self._adopted(call, operands), call)

    def _adopted(self, call: nodes.Call, operands: list[Operand]) -> list[Operand]:
        """Return *operands*, the first one known as a tensor of its own: a layer takes nothing else."""
        if not operands or operands[0].fact is not None or not call.args:
            return operands
        fact = self._own_tensor(call.args[0])
        return operands if fact is None else [dataclasses.replace(operands[0], fact=fact), *operands[1:]]

    def _own_tensor(self, node: nodes.NodeNG) -> Tensor | None:
        """Take the variable *node*, of which nothing is known, for a tensor that nothing else holds."""
        if not isinstance(node, nodes.Name):
            return None
        definitions = scopes.definitions(node, node.name)
        if len(definitions) != 1 or not isinstance(definitions[0], nodes.AssignName):
            return None
        outside = self._from_outside(node)
        made = Tensor(storage=frozenset({definitions[0]}), layout=outside.layout if outside is not None else None)
        self.state.variables[node.name] = made
        return made

    def _sequential(self, module: Instance, operands: list[Operand], call: nodes.Call) -> Fact | None:
        members = self._members(module)
        if members is None:
            return Tensor(graph=self._recorded(call, True), storage=frozenset({call}))
        operands = self._adopted(call, operands)
        fact: Fact | None = operands[0].fact if operands else None
        for number, member in enumerate(members):
            values = self.names.values(member)
            value = values[0] if len(values) == 1 else None
            place = call if number == len(members) - 1 else member
            if not isinstance(value, Instance):
                fact = Tensor(graph=self._recorded(call, True), storage=frozenset({place}))
                continue
            inner = [Operand("self", fact if isinstance(fact, Tensor) else Tensor())]
            if isinstance(value.cls, str) and value.cls != "torch.nn.Sequential":
                fact = self._modelled_module(value, inner, place, at=call)
            else:
                fact = self._module(value, call, [inner[0].fact], {})
        return fact

    def _members(self, module: Instance) -> list[nodes.NodeNG] | None:
        """Return the arguments of ``nn.Sequential(...)``, None where the text does not list them."""
        made = module.made_at
        if not isinstance(made, nodes.Call):
            return None
        if isinstance(module.cls, nodes.ClassDef):
            made = self._super_init(module.cls)
        if made is None or not made.args or made.keywords:
            return None
        if any(isinstance(argument, (nodes.Starred, nodes.Dict)) for argument in made.args):
            return None
        if len(made.args) == 1 and not any(
            self.names.is_a(value, "torch.nn.Module") for value in self.names.values(made.args[0])
        ):
            return None  # an OrderedDict
        return list(made.args)

    def _super_init(self, owner: nodes.ClassDef) -> nodes.Call | None:
        """Return the call of ``super().__init__(…)`` of a subclass of Sequential."""
        for call in self.names.index_of(owner).calls.get("__init__", ()):
            if function_of(call).parent is owner and isinstance(call.func, nodes.Attribute):
                if isinstance(call.func.expr, nodes.Call) and last_name(call.func.expr.func) == "super":
                    return call
        return None

    def _modelled_module(
        self, module: Instance, operands: list[Operand], node: nodes.NodeNG, at: nodes.NodeNG | None = None
    ) -> Fact | None:
        cls = str(module.cls)
        if _measures(cls):
            return Tensor(storage=frozenset({node}))
        name = operations.op_of_module(cls)
        if name is not None:
            if operations.has_parameters(cls):
                operands = [*operands[:1], Operand("weight", Tensor(graph=True, leaf=True)), *operands[1:]]
            result = self._operate(name + "_" * works_in_place(module), operands, node, at=at)
            return self._as_made(module, name, operands, result) if self.follows_shapes else result
        item = Tensor(graph=self._recorded(at or node, True), storage=frozenset({node}))
        types = torch_model.returned(torch_model.member(cls, "forward") or "")
        if types and types[0].name == "tuple":
            if cls == "torch.nn.MultiheadAttention" and operands and (query := operands[0].fact) is not None:
                attended = layout.attended(query.layout, module.made_at)
                return Group((dataclasses.replace(item, layout=attended), item))
            output, state = self._recurrent_layouts(module, operands, node)
            held: Fact = dataclasses.replace(item, layout=state)
            if cls.endswith("LSTM"):
                held = Group((held, held))
            return Group((dataclasses.replace(item, layout=output), *(held for _ in types[0].args[1:])))
        if cls.endswith("Loss"):
            return dataclasses.replace(item, graph=self._graph_of(operands, at or node))
        if cls.startswith("torch.nn.Transformer") and operands and (first := operands[0].fact) is not None:
            return dataclasses.replace(item, layout=layout.attended(first.layout, module.made_at))
        return item

    def _as_made(self, module: Instance, name: str, operands: list[Operand], result: Fact | None) -> Fact | None:
        """Return *result* of a layer, which is the op *name*, with the sizes that the layer was made for."""
        if not isinstance(result, Tensor) or not isinstance(module.made_at, nodes.Call) or is_open(module.made_at):
            return result
        first = operands[0].fact if operands else None
        known = result.layout
        if name == "flatten" and first is not None and first.layout is not None:
            start = self._setting(module.made_at, 0, "start_dim", 1)
            end = self._setting(module.made_at, 1, "end_dim", -1)
            if start is not None and end is not None:
                known = layout.flattened(first.layout, start, end)
        elif name in layout.WIDTH_OF_LAYER and known is not None:
            width = self._setting(module.made_at, *layout.WIDTH_OF_LAYER[name], None)
            known = known if width is None else layout.of_layer(known, name, width)
        return dataclasses.replace(result, layout=known)

    def _setting(self, made: nodes.Call, index: int, name: str, default: int | None) -> int | None:
        """Return the integer that a layer was made with, *default* if none was given, None if it is not known."""
        if (given := argument(made, index, name)) is None:
            return default
        found = constants(self.names, given) or set()
        [number] = found if len(found) == 1 else [None]
        return number if type(number) is int else None

    def _recurrent_layouts(
        self, module: Instance, operands: list[Operand], node: nodes.NodeNG
    ) -> tuple[Layout | None, Layout | None]:
        """Return the layouts of output and state of a recurrent layer for a tensor, no packed sequence."""
        first = operands[0].fact if operands else None
        if first is None or not isinstance(module.made_at, nodes.Call):
            return None, None
        if str(module.cls).rpartition(".")[2] not in layout.RECURRENT:
            return None, None
        return layout.recurrent(first.layout, module.made_at, node)

    # -- operations --------------------------------------------------------------------------------

    def _recorded(self, node: nodes.NodeNG, graph: bool | None) -> bool | None:
        """Return *graph* as it comes out where gradients may be off."""
        state = self.tensors.recording(node)
        if state is False:
            return False
        return graph if state or graph is False else None

    def _graph_of(self, operands: Sequence[Operand], node: nodes.NodeNG) -> bool | None:
        graphs = [operand.fact.graph for operand in operands if operand.fact is not None]
        graph = True if True in graphs else None if None in graphs or not graphs else False
        return self._recorded(node, graph)

    def _operate(
        self, name: str, operands: list[Operand], node: nodes.NodeNG, at: nodes.NodeNG | None = None
    ) -> Fact | None:
        """Apply the op *name* and keep books: what it saves, and what it overwrites."""
        graph = self._graph_of(operands, at or node)
        done = operations.apply(name, operands, node, graph, self)
        self._check_devices(name.rpartition(".")[2].removesuffix("_"), operands, node)
        if name.rpartition(".")[2] in ("view", "view_as"):
            self.views[node] = layout.refused(name, operands, node, self)
        first = operands[0].fact if operands else None
        if done.in_place and first is not None:
            self._overwrite(first, node)
        for storage in done.made:
            self.state.renew(storage)
        for memory in done.saved:
            self.state.keep(memory, (node,))
        return done.result

    def _overwrite(self, tensor: Tensor, node: nodes.NodeNG) -> None:
        users = self._users(tensor.storage) - {node}
        if users:
            ordered = tuple(sorted(users, key=lambda op: (op.lineno or 0, op.col_offset or 0)))
            self.overwrites[node] = Overwrite(node, ordered)

    # -- devices -----------------------------------------------------------------------------------

    def device(self, node: nodes.NodeNG | None) -> str | None:
        """Return the device that *node* names, or that the tensor *node* is on."""
        match self.latest.get(node):
            case Tensor(device=where) | Placed(device=where):
                return where
        if isinstance(node, nodes.Attribute) and node.attrname == "device":
            held = self.latest.get(node.expr)
            if isinstance(held, (Tensor, Placed)) and held.device is not None:
                return held.device
            if self._is_parameter(node.expr):
                module = self.given.get("self")
                if isinstance(module, Placed):
                    return module.device
                return devices.FOLLOWED  # whoever writes x.device means to follow x to any device
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign):
                value = found[0].parent.value
                if isinstance(value, nodes.Attribute) and value.attrname == "device" and value in self.latest:
                    return self.device(value)
        return devices.named(self.names, node)

    def _is_parameter(self, node: nodes.NodeNG) -> bool:
        if not isinstance(node, nodes.Name) or node.name == "self":
            return False
        found = scopes.definitions(node, node.name)
        return len(found) == 1 and isinstance(found[0].parent, nodes.Arguments)

    def _check_devices(self, name: str, operands: Sequence[Operand], node: nodes.NodeNG) -> None:
        """Note that the op *name* at *node* raises, if its operands are on two devices."""
        if name not in devices.NEED_ONE_DEVICE:
            return
        number_allowed = name in devices.ELEMENTWISE
        known = [
            operand
            for operand in operands
            if operand.fact is not None
            and operand.fact.device is not None
            and (not number_allowed or operand.fact.device != devices.CPU or devices.has_dimensions(operand.fact))
        ]
        self._note_clash(node, [(operand.node, operand.fact) for operand in known if operand.fact is not None])

    def _note_clash(self, node: nodes.NodeNG, known: Sequence[tuple[nodes.NodeNG | None, Tensor]]) -> None:
        for number, (place, fact) in enumerate(known):
            for other_place, other in known[:number]:
                if devices.differ(fact.device, other.device):
                    if fact.device != devices.CPU and other.device == devices.CPU:
                        place, fact, other = other_place, other, fact
                    self.clashes[node] = Clash(node, place, fact.device or "", other.device or "")
                    return

    def _check_inputs(
        self, module: Instance, call: nodes.Call, arguments: Sequence[Fact | None], placed: Placed | None
    ) -> None:
        """Note that a layer of torch raises, if it and one of its inputs are on two devices."""
        places = [*call.args, *(keyword.value for keyword in call.keywords or () if keyword.arg)]
        given = devices.tensors_in(list(zip(places, arguments)))
        if str(module.cls).endswith("Loss"):
            given += self._weights(module, call.func, placed)
            self._note_clash(call, [(place, fact) for place, fact in given if fact.device is not None])
            return
        if placed is None or placed.device is None or placed.moves_inputs:
            return
        for place, fact in given:
            if devices.differ(fact.device, placed.device) and has(self.names, module, Trait.PARAMETERS):
                where = fact.device or ""
                self.clashes[call] = Clash(call, place, where, placed.device, True, placed.sometimes)
                return

    def _weights(
        self, loss: Instance, func: nodes.NodeNG, placed: Placed | None
    ) -> list[tuple[nodes.NodeNG, Tensor]]:
        """Return the tensors that *loss*, called as *func*, was made with; they move with it."""
        made = loss.made_at
        if not isinstance(made, nodes.Call):
            return []
        if placed is None:
            if not isinstance(func, nodes.Attribute) or self._is_of_module(func) or self._moved_elsewhere(func):
                return []
        elif placed.device is None:
            return []
        given = [argument(made, None, name) for name in ("weight", "pos_weight")]
        moved = placed.device if placed is not None and placed.device != devices.CPU else None
        return [(node, Tensor(device=moved or self.device_at(node))) for node in given if node is not None]

    def _blame_arguments(
        self, function: Function, bound: dict[str, Fact | None], done: Pass, call: nodes.Call
    ) -> None:
        """Note a clash at *call* if it is the tensors given there that meet another device in the callee."""
        if not done.clashes:
            return
        neutral = self.tensors.through(function, _without_strays(bound))
        if neutral is None:
            return
        caused = [clash for node, clash in done.clashes.items() if node not in neutral.clashes]
        if not caused:
            return
        clash = next((clash for clash in caused if clash.module), caused[0])
        matched = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        strays = [
            place
            for name, place in matched.items()
            if isinstance(fact := bound.get(name), Tensor) and fact.device == clash.device
        ]
        self.clashes[call] = dataclasses.replace(
            clash, node=call, stray=strays[0] if strays else None, module=isinstance(bound.get("self"), Placed)
        )

    def _assume_of_batch(self, target: nodes.NodeNG) -> None:
        """Take the tensors that a loop over a loader gives for contiguous, each with a storage of its own."""
        for name in target.nodes_of_class(nodes.AssignName):
            fact = self.state.variables.get(name.name)
            if isinstance(fact, Tensor) and not fact.storage and fact.device is not None:
                self.state.variables[name.name] = dataclasses.replace(
                    fact, storage=frozenset({name}), layout=self._assumed(name)
                )

    # -- modules and loaders -----------------------------------------------------------------------

    def _from_module_level(self, node: nodes.Name) -> Fact | None:
        """Return what a global variable holds, a module or a loader."""
        found = scopes.definitions(node, node.name)
        if not found or function_of(node) is node.root() or not all(
            isinstance(one, nodes.AssignName) and one.scope() is node.root() for one in found
        ):
            return None
        fact = self.tensors.outer(node.root(), node.name)
        return fact if isinstance(fact, (Placed, Batches)) else None

    def _held_module(self, func: nodes.NodeNG) -> Placed | None:
        """Return where the module *func* is that is called."""
        fact = self.fact(func)
        return fact if isinstance(fact, Placed) else None

    def _owner(self, method: Function, func: nodes.NodeNG) -> Placed | None:
        """Return where the module is whose *method* is called as *func*, if its parts move with it."""
        held = self.latest.get(func.expr) if isinstance(func, nodes.Attribute) else None
        owner = method.receiver.cls if method.receiver is not None else None
        if not isinstance(held, Placed) or not isinstance(owner, nodes.ClassDef):
            return None
        return None if self.tensors.moves_itself(owner, "__init__") else held

    def _new_module(self, cls: Class, call: nodes.Call) -> Placed | None:
        if self.names.derives(cls.node, "torch.nn.Module") is not True:
            return None
        moved = self.tensors.moves_itself(cls.node, "__init__") or _names_device(call)
        return Placed(None if moved else devices.CPU, made=Instance(cls.node, call))

    def _new_object(self, call: nodes.Call, symbol: str, arguments: Sequence[Fact | None]) -> Fact | None:
        """Return what is known of a new object of a class of torch: a module or a loader."""
        if symbol == LOADER:
            return self._batches(call)
        if symbol == "torch.autograd.Variable":
            given = arguments[0] if len(arguments) == 1 and not call.keywords else None
            return dataclasses.replace(given, graph=False, leaf=False) if isinstance(given, Tensor) else None
        if symbol in WRAPPERS:
            inner = arguments[0] if arguments else None
            return Placed(inner.device if isinstance(inner, Placed) else None, moves_inputs=True)
        if _LEGACY_FACTORY.fullmatch(symbol):
            return Tensor(storage=frozenset({call}), device=devices.CPU)
        if "torch.nn.Module" not in torch_model.ancestors(symbol):
            return None
        named = argument(call, None, "device")
        if named is not None:
            return Placed(self.device(named), made=Instance(symbol, call))
        mixed = is_open(call) or any(isinstance(one, Placed) and one.device != devices.CPU for one in arguments)
        return Placed(None if mixed else devices.CPU, made=Instance(symbol, call))

    def _module_method(self, call: nodes.Call, func: nodes.Attribute, receiver: Fact | None) -> Placed | None:
        """Return what a method of a module that returns the module itself leaves of it."""
        if func.attrname in devices.MOVES:
            if not isinstance(receiver, Placed):
                if receiver is not None or self.kinds.inferred(func.expr, "module") is not True:
                    return None
                receiver = Placed(None)
            where = operations.moved(call, receiver.device, self)
            made = dataclasses.replace(receiver, device=where, sometimes=False)
            if dotted(func.expr) is not None:
                self._rebind(func.expr, made)
            return made
        return receiver if isinstance(receiver, Placed) and func.attrname in RETURNS_MODULE else None

    def _part_of_module(self, node: nodes.Attribute, whole: Placed) -> Fact | None:
        """Return what is known of ``self.layer`` and ``self.weight`` where ``self`` is a module on a device."""
        for value in self.names.values(node):
            if self.names.is_a(value, "torch.nn.Module"):
                return whole
            if self.names.is_a(value, "torch.nn.Parameter"):
                return devices.placed(self._from_values(node), whole.device)
        return _nowhere(self._from_values(node))

    def _stays_on_cpu(self, module: Instance) -> bool:
        """Return whether *module*, which was not moved, has something that is on the CPU therefore."""
        return str(module.cls).endswith("Loss") or has(self.names, module, Trait.PARAMETERS) is True

    def _has_own_moves(self, module: Instance) -> bool:
        """Return whether *module* of the project moves tensors or itself, so that its caller need not."""
        return isinstance(module.cls, nodes.ClassDef) and self.tensors.moves_itself(module.cls)

    def _batches(self, call: nodes.Call) -> Batches | None:
        if not collates_by_default(self.names, call):
            return None
        found = sample(self.names, argument(call, 0, "dataset"), self)
        return None if found is None else Batches(found)

    def device_at(self, node: nodes.NodeNG) -> str | None:
        """Return the device of the tensor *node*, which may stand in another function."""
        fact = self.fact(node) if function_of(node) is self.scope else self.tensors.at(node)
        return fact.device if isinstance(fact, Tensor) else None

    def layout_at(self, node: nodes.NodeNG) -> Layout | None:
        """Return the layout of the tensor *node*, which may stand in another function; a number has no dimensions."""
        if not self.follows_shapes:
            return None
        if layout.is_number(node):
            return layout.NUMBER
        fact = self.fact(node) if function_of(node) is self.scope else self.tensors.at(node)
        return fact.layout if isinstance(fact, Tensor) else None

    # -- sizes -------------------------------------------------------------------------------------

    def size(self, node: nodes.NodeNG) -> Size | None:
        """Return the number that *node* is where the program needs one."""
        match self.latest.get(node):
            case Size() as size:
                return size
            case Tensor() | Group():
                return None
        if isinstance(node, (nodes.Const, nodes.Tuple, nodes.List, nodes.JoinedStr)):
            return None
        if isinstance(node, (nodes.Name, nodes.Attribute)):
            values = self.names.values(node)
            literals = [constant(value.node) for value in values if isinstance(value, Data)]
            if len(values) == 1 and literals and type(literals[0]) is int:
                return sizes.number(literals[0])
            if not all(type(literal) is int for literal in literals) or any(
                isinstance(value, (Symbol, Class, Function, Items, Many)) for value in values
            ):
                return None
        return sizes.unknown(self._origin(node) or node)

    def integer(self, node: nodes.NodeNG) -> Size | None:
        """Return the number that *node* is, None for what may be something else."""
        found = self.latest.get(node)
        return found if isinstance(found, Size) else None

    def sequence(self, node: nodes.NodeNG) -> tuple[Size, ...] | None:
        """Return the numbers in the tuple or list *node*."""
        if isinstance(node, (nodes.Tuple, nodes.List)) and not any(isinstance(e, nodes.Starred) for e in node.elts):
            found = [self.size(element) for element in node.elts]
        else:
            held = self.latest.get(node)
            if not isinstance(held, Group) or held.items is None:
                return None
            found = [item if isinstance(item, Size) else None for item in held.items]
        return tuple(size for size in found if size is not None) if None not in found else None

    def _origin(self, node: nodes.NodeNG) -> nodes.NodeNG | str | None:
        """Return what identifies the value of a variable or attribute, None if it may have changed."""
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            return found[0] if len(found) == 1 else None
        text = dotted(node)
        if text is None or text in self.state.variables:
            return None
        return f"{getattr(class_of(self.scope), 'name', '')}:{text}"

    def _from_outside(self, node: nodes.NodeNG) -> Tensor | None:
        """Return what to assume of the tensor *node* if it is a parameter or comes from a loop's iterable."""
        if not isinstance(node, nodes.Name) or function_of(node) is not self.scope:
            return None
        origin = self._origin(node)
        if not isinstance(origin, nodes.AssignName) or not self._is_from_outside(origin, DEEPEST):
            return None
        return Tensor(layout=self._assumed(origin))

    def _is_from_outside(self, origin: nodes.NodeNG, depth: int) -> bool:
        """Return whether *origin* is bound to a parameter, an item of one or of an iterable, or to one moved."""
        parent = origin.parent
        if isinstance(parent, nodes.Arguments):
            return parent.parent is self.scope and origin.name not in ("self", "cls")
        if isinstance(parent, (nodes.Tuple, nodes.List)):
            parent = parent.parent
        if isinstance(parent, (nodes.For, nodes.Comprehension)):
            return True
        if not isinstance(parent, nodes.Assign) or depth == 0:
            return False
        value = parent.value
        if isinstance(value, nodes.Call) and isinstance(value.func, nodes.Attribute) and last_name(value.func) in MOVES:
            value = value.func.expr
        elif isinstance(value, nodes.BinOp) and isinstance(value.right, nodes.Const):
            value = value.left
        elif isinstance(value, nodes.Subscript) and isinstance(value.slice, nodes.Const):
            value = value.value
        if not isinstance(value, nodes.Name):
            return False
        before = scopes.definitions(value, value.name)
        return len(before) == 1 and self._is_from_outside(before[0], depth - 1)

    def _assumed(self, origin: nodes.NodeNG) -> Layout | None:
        return self._base(origin, tuple(sorted(self.ranks.get(origin, layout.RANKS))))

    def _base(self, origin: nodes.NodeNG | str, ranks: tuple[int, ...] = tuple(layout.RANKS)) -> Layout | None:
        """Return the layout of a tensor that comes from outside."""
        if not self.follows_shapes:
            return None
        key = (origin, ranks)
        if key not in self._bases:
            self._bases[key] = layout.base(origin, ranks)
        return self._bases[key]

    def _narrow(self, node: nodes.Assign) -> None:
        """Take from ``b, t, d = x.shape`` how many dimensions *x* has."""
        tensor = _measured(node.value) if self.follows_shapes else None
        if tensor is None or not isinstance(node.targets[0], nodes.Tuple):
            return
        targets = node.targets[0].elts
        if any(isinstance(target, nodes.Starred) for target in targets):
            return
        found = self.fact(tensor)
        if isinstance(found, Tensor) and found.layout is not None:
            self._rebind(tensor, dataclasses.replace(found, layout=layout.of_rank(found.layout, len(targets))))
        elif isinstance(origin := self._origin(tensor), nodes.AssignName):
            self.ranks.setdefault(origin, set()).add(len(targets))

    def _layout_of(self, node: nodes.NodeNG) -> Layout | None:
        """Return the layout of the tensor *node*; the sizes in it may be used even if *node* is no tensor."""
        found = self.latest.get(node)
        if isinstance(found, Tensor) and found.layout is not None:
            return found.layout
        if isinstance(node, nodes.Name) and isinstance(origin := self._origin(node), nodes.AssignName):
            return self._assumed(origin)
        return None

    def _shape(self, tensor: nodes.NodeNG) -> Fact | None:
        known = self._layout_of(tensor)
        return Group(known.only.sizes) if known is not None and known.only is not None else None

    def _size_of(self, tensor: nodes.NodeNG, index: int) -> Size | None:
        known = self._layout_of(tensor)
        return layout.size_at(known, index) if known is not None else None

    def _measure(self, call: nodes.Call) -> Fact | None:
        """Return what ``x.size()`` or ``x.size(dim)`` gives."""
        tensor = call.func.expr
        if (node := argument(call, 0, "dim")) is None:
            return self._shape(tensor)
        index = self.latest.get(node)
        known = index.known if isinstance(index, Size) else None
        return self._size_of(tensor, known) if known is not None else None

    def _calculated(self, node: nodes.BinOp, left: Fact | None, right: Fact | None) -> Size | None:
        """Return the number that ``h * d`` is if one side is known to be a number, and neither a tensor."""
        one = self.size(node.left) if left is None else left
        other = self.size(node.right) if right is None else right
        if not isinstance(one, Size) or not isinstance(other, Size):
            return None
        return sizes.calculated(node.op, one, other)

    def _part(self, group: Group, key: nodes.Slice) -> Group:
        """Return the items of *group* that a slice takes."""
        bounds = [None if bound is None else constant(bound) for bound in (key.lower, key.upper, key.step)]
        if group.items is None or not all(bound is None or isinstance(bound, int) for bound in bounds):
            return Group(None, group.any())
        return Group(group.items[slice(*bounds)])  # type: ignore[arg-type]

    def _users(self, memory: Memory) -> frozenset[nodes.NodeNG]:
        """Return the ops that keep *memory*, whichever of its alternatives it is."""
        alternatives = [self.state.saved.get(frozenset({storage}), frozenset()) for storage in memory]
        if memory and all(alternatives):
            return frozenset[nodes.NodeNG]().union(*alternatives)
        return self.state.saved.get(memory, frozenset())

    # -- containers --------------------------------------------------------------------------------

    def _element(self, fact: Fact | None) -> Fact | None:
        if isinstance(fact, Group):  # which of the items is not known, nor whose memory it is
            held = fact.any()
            return dataclasses.replace(held, storage=frozenset()) if isinstance(held, Tensor) else held
        if isinstance(fact, Batches):
            return fact.batch
        if isinstance(fact, Placed):
            return fact
        if isinstance(fact, Tensor):
            return dataclasses.replace(fact, leaf=False, layout=layout.item(fact.layout))
        return None

    def _item(self, fact: Fact | None, number: int) -> Fact | None:
        if isinstance(fact, Group) and fact.items is not None:
            return fact.items[number] if -len(fact.items) <= number < len(fact.items) else None
        return self._element(fact)


def _parameter(node: nodes.NodeNG, made: nodes.NodeNG | None, known: Layout | None) -> Tensor:
    """Return the fact of a parameter that *node* stands for, *made* by a call if that is in view."""
    given = argument(made, 1, "requires_grad") if isinstance(made, nodes.Call) else None
    tracked = True if given is None else constant(given)
    graph = tracked if isinstance(tracked, bool) else None
    return Tensor(graph=graph, leaf=graph is True, storage=frozenset({node}), layout=known)


def _names_device(call: nodes.Call) -> bool:
    """Return whether *call* hands a device to a constructor, which may put the module there."""
    given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
    words = [keyword.arg or "" for keyword in call.keywords or ()] + [last_name(node) or "" for node in given]
    return is_open(call) or any("dev" in word or "cuda" in word or "gpu" in word for word in words)


def _measures(cls: str) -> bool:
    """Return whether the class is a metric, whose results are numbers to look at."""
    return cls.startswith(("torchmetrics.", "ignite.metrics."))


def works_in_place(module: Instance) -> bool:
    """Return whether *module*, one of torch's, was made with ``inplace=True``."""
    if not isinstance(module.made_at, nodes.Call):
        return False
    for number, parameter in enumerate(torch_model.parameters(str(module.cls))):
        if parameter.name == "inplace":
            return constant(argument(module.made_at, number, "inplace")) is True
    return False


def _saved_by_all(outcomes: Sequence[Saved]) -> Saved:
    """Return what is kept whichever of several callees ran: a change of it fails for certain."""
    common = outcomes[0]
    for other in outcomes[1:]:
        common = {memory: ops & other[memory] for memory, ops in common.items() if memory in other}
    return {memory: ops for memory, ops in common.items() if ops}


def _without_memory(fact: Fact | None) -> Fact | None:
    return dataclasses.replace(fact, storage=frozenset()) if isinstance(fact, Tensor) else fact


def _first(pair: tuple[str, Fact]) -> str:
    return pair[0]


def _measured(node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return ``x`` of ``x.shape`` and ``x.size()``."""
    if isinstance(node, nodes.Attribute) and node.attrname == "shape":
        return node.expr
    if isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname == "size":
        return node.func.expr if not node.args and not node.keywords else None
    return None


def _no_size(fact: Fact | None) -> Fact | None:
    return None if isinstance(fact, Size) else fact


def _operands(args: Sequence[nodes.NodeNG], facts: Sequence[Fact | None]) -> list[Operand]:
    return [Operand("", fact if isinstance(fact, Tensor) else None, node) for node, fact in zip(args, facts)]


def _bound(
    function: Function, arguments: Sequence[Fact | None], keywords: dict[str, Fact | None]
) -> dict[str, Fact | None]:
    args = function.node.args
    names = [a.name for a in [*args.posonlyargs, *(args.args or [])]]
    if function.receiver is not None:
        names = names[1:]
    return {**dict(zip(names, arguments)), **keywords}


def _target_text(node: nodes.NodeNG) -> str | None:
    match node:
        case nodes.AssignName(name=name):
            return str(name)
        case nodes.AssignAttr():
            base = dotted(node.expr)
            return None if base is None else f"{base}.{node.attrname}"
    return dotted(node)


def _reverse_postorder(entry: Point) -> list[Point]:
    seen = {id(entry)}
    order: list[Point] = []
    stack: list[tuple[Point, int]] = [(entry, 0)]
    while stack:
        point, number = stack.pop()
        if number < len(point.edges):
            stack.append((point, number + 1))
            to = point.edges[number].to
            if id(to) not in seen:
                seen.add(id(to))
                stack.append((to, 0))
        else:
            order.append(point)
    order.reverse()
    return order
