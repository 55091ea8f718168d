"""Whether a value still carries the graph of what it was computed from, and if not, where it was cut off.

A value is traced back through operations, variables, containers, losses and functions of the project. What
cannot be followed is unknown, and an unknown in a computation leaves its result unknown.
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.batches import is_of_batch
from flake8_torch_pitfalls.analysis.calls import constant_of
from flake8_torch_pitfalls.analysis.layers import Trait, has
from flake8_torch_pitfalls.analysis.lineage import PUTS, Lineage, given_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import SEQUENCES, Names
from flake8_torch_pitfalls.analysis.tree import (
    Index,
    ancestors,
    argument,
    class_of,
    constant,
    dotted,
    function_of,
    is_open,
    last_name,
    text_of,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance, Method, Symbol, Unknown, Value

DEEPEST = 30
STEPS = 300
CALLS_DEEP = 3

NUMBERS = frozenset(("item", "tolist", "numpy"))
"""Methods that turn a tensor into numbers."""
FLAT = frozenset("round floor ceil trunc sign".split())
"""Operations whose gradient is zero everywhere."""
_DETACHING = frozenset(("detach", "detach_"))
_TO_INTEGERS = frozenset("long int bool byte short".split())
_COPIES = frozenset(("torch.tensor", "torch.from_numpy", "torch.autograd.Variable"))
"""Functions whose result has no graph, whatever they are given."""
_COPIES_OF_LISTS = frozenset(("torch.as_tensor", "torch.asarray"))
"""Functions that keep the graph of a tensor and lose that of a list of tensors."""
_LEGACY = re.compile(r"torch\.(cuda\.)?(Float|Double|Half|Long|Int)?Tensor")
_PLAIN_NUMBERS = frozenset(("float", "int", "bool"))
_PLAIN_RESULTS = frozenset(("len", "range", "str", "isinstance", "type", "enumerate", "id", "print"))
_PASSING = frozenset("sum abs max min round list tuple sorted reversed zip set iter next pow dict".split())
_WRAPS_ITERABLES = SEQUENCES | {"enumerate", "zip"}
_NUMERIC_PACKAGES = frozenset(("numpy", "math", "sklearn", "scipy", "statistics"))
_RANDOM = frozenset("rand randn randint randperm rand_like randn_like randint_like normal bernoulli".split())
_MAKERS = re.compile(r"(zeros|ones|full|empty|eye|arange|linspace|logspace)(_like)?")
_SORTS = frozenset(("max", "min", "topk", "sort", "median", "mode", "kthvalue"))
"""Operations that return values and indices."""
_CLASS_LOSSES = re.compile(r"cross_entropy|CrossEntropy|nll_loss|NLLLoss|BCE|margin|Margin|ctc_loss|CTCLoss")
_LOSS = re.compile(r"\.(\w+_loss|\w*(cross_entropy|kl_div)\w*|\w+Loss)$")
_NAMES_TARGET = re.compile(r"(^|_)(y|targets?|tgt|labels?|lbls?|gt|truth|real|trg|true)($|_|\d)", re.IGNORECASE)
_HOLDS_SETTINGS = re.compile(r"(^|_)(args?|opts?|options|cfg|conf|config|hparams|hps|flags)$", re.IGNORECASE)
_ASKS_FOR_GRADIENT = frozenset(("grad", "retain_grad", "register_hook"))


@dataclasses.dataclass(frozen=True, slots=True)
class Cut:
    """The expression or call *node* that takes *lost* out of its graph; *how*: as the text says it.

    *sure*: what was lost is known to have carried a graph.
    """

    node: nodes.NodeNG
    how: str
    lost: nodes.NodeNG | None
    sure: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Traced:
    """What is known of a value: whether it carries a graph (None: unknown), and if not, where it was cut off.

    *leaf*: nothing but a sum or a mean was done to it since it was made, or told to require a gradient.
    *switched*: it, or something it is computed from, was told to require a gradient after it was cut off.
    """

    graph: bool | None
    cuts: tuple[Cut, ...] = ()
    leaf: bool = True
    switched: bool = False


PLAIN = Traced(False)
ALIVE = Traced(True)
UNKNOWN = Traced(None)
_REDUCES = frozenset("sum mean squeeze view reshape to cuda cpu float double requires_grad_ type".split())

_Arguments = Mapping[str, Traced]


class Cuts:
    """Answers where values of one linted file lose their graph."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = source.names
        self.lineage = Lineage(source.names)
        self._known: dict[nodes.NodeNG, Traced] = {}
        self._open: set[nodes.NodeNG] = set()
        self._given: _Arguments | None = None
        self._calls = 0
        self._steps = 0

    def of(self, node: nodes.NodeNG) -> Traced:
        """Return what is known of the value of *node*."""
        if node in self._known and self._given is None:
            return self._known[node]
        if node in self._open:
            return PLAIN  # a value computed from its own previous one: the others decide
        self._steps = self._steps + 1 if self._open else 0
        if len(self._open) > DEEPEST or self._steps > STEPS:
            return UNKNOWN
        self._open.add(node)
        try:
            found = self._by_mode(node, self._trace(node))
        finally:
            self._open.discard(node)
        if self._given is None and not self._open:
            self._known[node] = found
        return found

    def _by_mode(self, node: nodes.NodeNG, found: Traced) -> Traced:
        """Return *found*, the result of *node*, as it is where recording may be off."""
        if found.graph and isinstance(node, (nodes.Call, nodes.BinOp)) and not _makes_leaf(node):
            if self.source.tensors.recording(node) is False:
                return Traced(False, (Cut(node, "no_grad", node, True),))
        return found

    def _trace(self, node: nodes.NodeNG) -> Traced:
        match node:
            case nodes.Const() | nodes.JoinedStr():
                return PLAIN
            case nodes.Name():
                return self._name(node)
            case nodes.AssignName():
                return self._defined(node, node.name)
            case nodes.Attribute() | nodes.AssignAttr():
                return self._attribute(node)
            case nodes.Call():
                return self._call(node)
            case nodes.BinOp():
                return self._combined((node.left, node.right))
            case nodes.UnaryOp():
                return PLAIN if node.op == "not" else self._combined((node.operand,))
            case nodes.Compare():
                return self._cut(node, "a comparison", node.left)
            case nodes.Subscript():
                return self._subscript(node)
            case nodes.IfExp():
                return self._combined((node.body, node.orelse))
            case nodes.List() | nodes.Tuple() | nodes.Set():
                return self._combined(node.elts)
            case nodes.BoolOp():
                return self._combined(node.values)
            case nodes.Dict():
                return self._combined(value for _, value in node.items)
            case nodes.ListComp() | nodes.GeneratorExp() | nodes.SetComp():
                return self.of(node.elt)
            case nodes.Starred() | nodes.Await() | nodes.NamedExpr():
                return self.of(node.value)
        return UNKNOWN

    def _combined(self, given: Iterable[nodes.NodeNG]) -> Traced:
        """Return what is known of something computed from all of *given*."""
        found: list[Traced] = []
        for node in given:
            if (one := self.of(node)).graph is not False:
                return one
            found.append(one)
        cuts = dict.fromkeys(cut for one in found for cut in one.cuts)
        with_cuts = [one for one in found if one.cuts]
        return Traced(
            False,
            tuple(cuts),
            leaf=len(with_cuts) == 1 and with_cuts[0].leaf,
            switched=any(one.switched for one in found),
        )

    def _cut(self, node: nodes.NodeNG, how: str, lost: nodes.NodeNG | None) -> Traced:
        """Return what is known of *node*, which takes *lost* out of its graph."""
        before = self.of(lost) if lost is not None else UNKNOWN
        if before.graph is False:
            return before
        return Traced(False, (Cut(node, how, lost, before.graph is True),))

    # -- variables ---------------------------------------------------------------------------------

    def _name(self, node: nodes.Name) -> Traced:
        found = self._defined(node, node.name)
        if found.graph is None and self._is_parameter(node):
            return ALIVE
        if found.graph is not False or not self._is_switched_on(node):
            return found
        if self._is_gradient_wanted(node.name, node):
            return ALIVE
        return dataclasses.replace(found, switched=True)

    def _is_parameter(self, node: nodes.NodeNG) -> bool:
        return any(self.names.is_a(value, "torch.nn.Parameter") for value in self.names.values(node))

    def _defined(self, use: nodes.NodeNG, name: str) -> Traced:
        definitions = scopes.definitions(use, name)
        if not definitions:
            return UNKNOWN
        if is_of_batch(self.names, use):
            return PLAIN
        found: list[Traced] = []
        for definition in definitions:
            if not isinstance(definition, nodes.AssignName):
                return UNKNOWN
            if (one := self._definition(definition)).graph is not False:
                return one
            found.append(one)
        return Traced(
            False,
            tuple(dict.fromkeys(cut for one in found for cut in one.cuts)),
            leaf=all(one.leaf for one in found),
            switched=any(one.switched for one in found),
        )

    def _definition(self, definition: nodes.AssignName) -> Traced:
        if is_parameter(definition):
            if self._given is not None and definition.name in self._given:
                return self._given[definition.name]
            usual = scopes.default(definition.parent.parent, definition.name)
            return PLAIN if _NAMES_TARGET.search(definition.name) or isinstance(constant(usual), float) else UNKNOWN
        if (indices := self._as_indices(definition)) is not None:
            return indices
        sources = list(given_to(definition))
        if not sources:
            return UNKNOWN
        loop = next(above for above in ancestors(definition) if not isinstance(above, (nodes.Tuple, nodes.List)))
        if isinstance(loop, (nodes.For, nodes.Comprehension)) and self._gives_data(loop.iter):
            return PLAIN
        sources += self.lineage.put_into(definition.name, function_of(definition))
        return self._combined(sources)

    def _gives_data(self, iterable: nodes.NodeNG) -> bool:
        """Return whether iterating over *iterable* gives numbers or batches, which nothing was computed from."""
        if isinstance(iterable, nodes.Call) and iterable.args:
            symbol = self.names.symbol(iterable.func)
            return symbol == "range" or symbol in _WRAPS_ITERABLES and self._gives_data(iterable.args[0])
        return "loader" in (last_name(iterable) or "").lower() or bool(self.source.kinds.of(iterable, "loader"))

    def _as_indices(self, definition: nodes.AssignName) -> Traced | None:
        """Return what is known of ``i`` in ``_, i = torch.max(x, 1)``."""
        target = definition.parent
        if not isinstance(target, nodes.Tuple) or len(target.elts) != 2 or target.elts[1] is not definition:
            return None
        value = getattr(target.parent, "value", None)
        return self._indices(value, value) if isinstance(target.parent, nodes.Assign) else None

    def _indices(self, call: nodes.NodeNG | None, node: nodes.NodeNG | None) -> Traced | None:
        """Return what is known of the indices *node* that *call* returns, None if it returns none."""
        if not isinstance(call, nodes.Call) or node is None or (name := last_name(call.func)) not in _SORTS:
            return None
        if self.names.symbol(call.func) == f"torch.{name}":
            return self._cut(node, f"the indices of '{name}'", argument(call, 0, "input"))
        if isinstance(call.func, nodes.Attribute) and (call.args or call.keywords):
            return self._cut(node, f"the indices of '{name}'", call.func.expr)
        return None

    def _attribute(self, node: nodes.NodeNG) -> Traced:
        name, text = node.attrname, dotted(node) or ""
        if isinstance(node, nodes.Attribute) and name == "data" and self._is_tensor(node.expr):
            return self._cut(node, "'.data'", node.expr)
        if name in ("grad", "shape", "device", "dtype"):
            return PLAIN
        if name == "indices" and isinstance(node.expr, nodes.Call):
            return self._indices(node.expr, node) or UNKNOWN
        if self._is_parameter(node):
            return ALIVE
        if _is_setting(node) or all(isinstance(constant_of(value), (int, float)) for value in self.names.values(node)):
            return PLAIN
        function = function_of(node)
        stores = [
            target for target in self.names.index_of(node).stores.get(name, ())
            if dotted(target.expr) == dotted(node.expr) and target is not node
        ]  # fmt: skip
        targets = [target for target in stores if function_of(target) is function]
        if not targets and text == f"self.{name}" and (owner := class_of(node)) is not None:
            targets = [target for target in stores if class_of(target) is owner]
        if not text or not targets:
            return self.of(node.expr) if name in ("T", "mT", "loss", "logits", "values") else UNKNOWN
        sources = [source for target in targets for source in given_to(target)]
        if not sources:
            return UNKNOWN
        found = self._combined([*sources, *self.lineage.put_into(text, function)])
        if found.graph is False and self._is_attribute_wanted(node):
            return ALIVE
        return found

    def _is_attribute_wanted(self, node: nodes.NodeNG) -> bool:
        """Return whether the attribute *node* is optimized, or its gradient read, anywhere in its class."""
        text, owner = dotted(node), class_of(node)
        return self._asks_for_gradient(
            use for use in self.source.index.attributes.get(node.attrname, ())
            if dotted(use) == text and class_of(use) is owner
        )  # fmt: skip

    def _is_tensor(self, node: nodes.NodeNG) -> bool:
        if any(self.names.is_a(value, "torch.Tensor") for value in self.names.values(node)):
            return True
        return "loss" in (last_name(node) or "").lower() or self.of(node).graph is not None

    def _subscript(self, node: nodes.Subscript) -> Traced:
        if constant(node.slice) == 1 and (indices := self._indices(node.value, node)) is not None:
            return indices
        return self.of(node.value)

    # -- leaves that are told to require a gradient ------------------------------------------------

    def _is_switched_on(self, node: nodes.Name) -> bool:
        """Return whether the function of *node* has it require a gradient by a statement."""
        index, function = self.source.index, function_of(node)
        switches = [
            *(target.expr for target in index.stores.get("requires_grad", ())
              if constant(getattr(target.parent, "value", None)) is True),
            *(call.func.expr for call in index.calls.get("requires_grad_", ()) if isinstance(call.func, nodes.Attribute)
              and isinstance(call.parent, nodes.Expr)),
        ]  # fmt: skip
        return any(dotted(one) == node.name and function_of(one) is function for one in switches)

    def _is_gradient_wanted(self, name: str, place: nodes.NodeNG) -> bool:
        """Return whether the variable *name* of the function of *place* is optimized, or its gradient read."""
        function = function_of(place)
        return self._asks_for_gradient(
            use for use in self.source.index.within(function, nodes.Name)
            if use.name == name and function_of(use) is function
        )  # fmt: skip

    def _asks_for_gradient(self, uses: Iterable[nodes.NodeNG]) -> bool:
        """Return whether one of *uses* of a leaf hands it to an optimizer or to others, or reads its gradient."""
        for use in uses:
            parent = use.parent
            while isinstance(parent, (nodes.List, nodes.Tuple, nodes.Dict, nodes.Keyword)):
                parent = parent.parent
            match parent:
                case nodes.Attribute(attrname=attribute) if attribute in _ASKS_FOR_GRADIENT:
                    return True
                case nodes.Call(func=func) if use is not func:
                    if (self.names.symbol(func) or "").startswith(("torch.optim.", "torch.autograd.grad")):
                        return True
                    if "optim" in (last_name(func) or "").lower():
                        return True
                case nodes.Return() | nodes.Yield():
                    return True
                case nodes.Assign(targets=[nodes.AssignAttr(), *_]):
                    return True
        return False

    def _fresh(self, call: nodes.Call, cut: Traced) -> Traced:
        """Return what is known of a tensor that *call* makes to require a gradient, from what was *cut* off."""
        target = call.parent.targets[0] if isinstance(call.parent, nodes.Assign) else None
        if isinstance(target, nodes.AssignName) and self._is_gradient_wanted(target.name, call):
            return ALIVE
        if isinstance(target, nodes.AssignAttr) or isinstance(call.parent, nodes.Return) and self._given is None:
            return ALIVE
        if isinstance(call.parent, nodes.Call) and last_name(call.parent.func) in PUTS:
            return ALIVE
        if isinstance(call.parent, (nodes.ListComp, nodes.DictComp)):
            return ALIVE
        return Traced(False, cut.cuts, leaf=True, switched=True)

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, call: nodes.Call) -> Traced:
        name = last_name(call.func)
        if isinstance(call.func, nodes.Attribute):
            receiver = call.func.expr
            if name in NUMBERS | _DETACHING and not call.args:
                return self._cut(call, f"'.{name}()'", receiver)
            if name == "requires_grad_":
                before = self.of(receiver)
                return before if before.graph is not False else self._fresh(call, before)
        found: list[Traced] = []
        for value in self.names.values(call.func):
            if (one := self._called(call, name or "", value)).graph is not False:
                return one
            found.append(one)
        return Traced(
            False,
            tuple(dict.fromkeys(cut for one in found for cut in one.cuts)),
            leaf=all(one.leaf for one in found),
            switched=any(one.switched for one in found),
        )

    def _called(self, call: nodes.Call, name: str, value: Value) -> Traced:
        match value:
            case Symbol() | Method() if is_open(call):
                return UNKNOWN
            case Symbol(symbol):
                return self._symbol(call, symbol)
            case Method(method) if method.startswith("torch.Tensor."):
                return self._tensor_method(call, name)
            case Function():
                return self._function(call, value)
            case Instance():
                return self._object(call, value)
            case Unknown():
                if self.source.kinds.of(call.func, "module") and self._is_layer(call.func):
                    return ALIVE
                if isinstance(call.func, nodes.Attribute) and torch_model.member("torch.Tensor", name):
                    return self._tensor_method(call, name)
        return UNKNOWN

    def _tensor_method(self, call: nodes.Call, name: str) -> Traced:
        receiver = call.func.expr
        op = torch_model.op(name)
        if name in _TO_INTEGERS or op is not None and not op.differentiable and not op.in_place:
            return self._cut(call, f"'.{name}()'", receiver)
        return self._result(call, name, (receiver, *_tensors_among(call)))

    def _result(self, call: nodes.Call, name: str, operands: Iterable[nodes.NodeNG]) -> Traced:
        """Return what is known of what the op *name* computes from *operands*."""
        found = self._combined(operands)
        if found.graph and name in FLAT:
            return Traced(False, (Cut(call, f"'{name}()'", None, True),), leaf=False, switched=True)
        return dataclasses.replace(found, leaf=False) if name not in _REDUCES else found

    def _symbol(self, call: nodes.Call, symbol: str) -> Traced:
        first = call.args[0] if call.args else None
        short = symbol.rpartition(".")[2]
        if symbol in _COPIES or _LEGACY.fullmatch(symbol) and isinstance(first, _LISTS) or (
            symbol in _COPIES_OF_LISTS and isinstance(first, _LISTS)
        ):  # fmt: skip
            return self._copied(call, first)
        if symbol in _PLAIN_NUMBERS:
            return self._cut(call, f"'{symbol}()'", first)
        if symbol in _PLAIN_RESULTS:
            return PLAIN
        if symbol in _PASSING:
            return self._combined(call.args)
        if symbol.partition(".")[0] in _NUMERIC_PACKAGES:
            traced = [self.of(given) for given in call.args]
            graphs = {one.graph for one in traced}
            if graphs <= {False}:
                return Traced(False, tuple(dict.fromkeys(cut for one in traced for cut in one.cuts)))
            return self._cut(call, f"'{short}()'", first)
        if symbol.startswith("torch.") and (short in _RANDOM or _MAKERS.fullmatch(short)):
            return self._made(call, short)
        if _LOSS.search(symbol):
            return self._loss(call, symbol)
        op = torch_model.op(symbol) if symbol.startswith("torch.") else None
        if op is None or not torch_model.modelled(symbol):
            return UNKNOWN
        if not op.differentiable and not op.in_place:
            return self._cut(call, f"'{short}()'", first)
        return self._result(call, short, _tensors_among(call))

    def _made(self, call: nodes.Call, short: str) -> Traced:
        """Return what is known of the tensor that a factory makes of sizes and constants."""
        if constant(argument(call, None, "requires_grad")) is not True:
            return PLAIN
        return self._fresh(call, PLAIN) if short.startswith("zeros") else ALIVE

    def _copied(self, call: nodes.Call, data: nodes.NodeNG | None) -> Traced:
        """Return what is known of a copy that has no graph, whatever *data* carries."""
        lost = data if data is not None else argument(call, None, "data")
        if lost is None:
            return UNKNOWN
        cut = self._cut(call, f"'{text_of(call.func)}()'", lost)
        if constant(argument(call, None, "requires_grad")) is True:
            return self._fresh(call, cut)
        return cut

    def _loss(self, call: nodes.Call, symbol: str) -> Traced:
        """Return what is known of one of torch's losses: nobody trains its target, if nothing is known of it."""
        given = argument(call, 0, "input")
        if given is None:
            return UNKNOWN
        found = self.of(given)
        if found.graph is not False:
            return found
        for target in _tensors_among(call)[1:]:
            graph = self.of(target).graph
            if graph or graph is None and not self._is_target(target, symbol):
                return ALIVE if graph else UNKNOWN
        return dataclasses.replace(found, leaf=False)

    def _is_target(self, node: nodes.NodeNG, symbol: str) -> bool:
        if _CLASS_LOSSES.search(symbol):
            return True
        name = next((one.name for one in walk(node) if isinstance(one, nodes.Name)), "")
        return _NAMES_TARGET.search(name) is not None

    def _object(self, call: nodes.Call, value: Instance) -> Traced:
        """Return what is known of the result of calling *value*, a module."""
        if not self.names.is_a(value, "torch.nn.Module"):
            return UNKNOWN
        if isinstance(value.cls, str) and _LOSS.search(value.cls):
            return self._loss(call, value.cls)
        if isinstance(value.cls, nodes.ClassDef):
            forward = self.names.method(value.cls, "forward")
            found = self._function(call, Function(forward, value)) if forward is not None else UNKNOWN
            if found.graph is not None:
                return found
        parameters = has(self.names, value, Trait.PARAMETERS)
        if parameters is False and isinstance(value.cls, str) and call.args and not is_open(call):
            return self._combined(_tensors_among(call))
        return ALIVE if parameters or value.cls == "torch.nn.Module" and self._is_layer(call.func) else UNKNOWN

    def _is_layer(self, func: nodes.NodeNG) -> bool:
        """Return whether *func*, some module, may not be a method of a module out of view instead."""
        return not isinstance(func, nodes.Attribute) or all(
            not isinstance(owner, Instance) or owner.cls != "torch.nn.Module" for owner in self.names.values(func.expr)
        )

    def _function(self, call: nodes.Call, function: Function) -> Traced:
        """Return what is known of the result of *call* of a function of the project."""
        node = function.node
        if self._calls >= CALLS_DEEP or node in self._open:
            return UNKNOWN
        if isinstance(node, nodes.Lambda) and not isinstance(node, nodes.FunctionDef):
            results = [node.body]
        else:
            index = self.names.index_of(node)
            if index.yields.get(node):
                return UNKNOWN
            results = [result.value for result in index.returns.get(node, ()) if result.value is not None]
        if not results:
            return UNKNOWN
        matched = scopes.match_arguments(node, call, bound=function.receiver is not None)
        given = {name: self.of(value) for name, value in matched.items()}
        before, self._given = self._given, given
        self._calls += 1
        self._open.add(node)
        try:
            return self._combined(results)
        finally:
            self._given = before
            self._calls -= 1
            self._open.discard(node)

    def returned(self, function: nodes.FunctionDef) -> Traced:
        """Return what is known of the result of *function*, whatever it is given."""
        results = [result.value for result in self.source.index.returns.get(function, ()) if result.value is not None]
        if not results or self.source.index.yields.get(function):
            return UNKNOWN
        before, self._given = self._given, {}
        try:
            return self._combined(results)
        finally:
            self._given = before

    # -- sums --------------------------------------------------------------------------------------

    def terms(self, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
        """Yield the summands of the value of *node*, through variables, in the order of the text."""
        found = dict.fromkeys(self._summands(node, set()))
        yield from sorted(found, key=lambda term: (term.fromlineno or 0, term.col_offset or 0))

    def _summands(self, node: nodes.NodeNG, seen: set[nodes.NodeNG]) -> Iterator[nodes.NodeNG]:
        if node in seen:
            return
        seen.add(node)
        match node:
            case nodes.BinOp(op="+" | "-"):
                yield from self._summands(node.left, seen)
                yield from self._summands(node.right, seen)
            case nodes.Name() | nodes.AssignName():
                for definition in scopes.definitions(node, node.name):
                    match definition.parent:
                        case nodes.Assign(targets=[only]) if only is definition:
                            yield from self._summands(definition.parent.value, seen)
                        case nodes.AugAssign(op="+=" | "-="):
                            yield from self._summands(definition.parent.value, seen)
                            yield from self._summands(definition, seen)
            case _:
                yield node


def is_loss(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* surely computes one of torch's losses."""
    found = [
        value.name if isinstance(value, Symbol) else getattr(value, "cls", None) for value in names.values(call.func)
    ]
    return bool(found) and all(isinstance(one, str) and _LOSS.search(one) for one in found)


def freezes(index: Index) -> bool:
    """Return whether something in the file switches gradients off, of parameters perhaps."""
    given = [getattr(target.parent, "value", None) for target in index.stores.get("requires_grad", ())]
    given += [call.args[0] for call in index.calls.get("requires_grad_", ()) if call.args]
    return any(constant(node) is not True for node in given)


_LISTS = (nodes.List, nodes.Tuple, nodes.ListComp, nodes.GeneratorExp)


def _tensors_among(call: nodes.Call) -> list[nodes.NodeNG]:
    """Return what *call* is given, without options."""
    given = [*call.args, *(keyword.value for keyword in call.keywords or () if keyword.arg not in _OPTIONS)]
    return [node for node in given if not isinstance(node, nodes.Const) and not _is_option(node)]


_OPTIONS = frozenset("dim axis keepdim reduction dtype device size ignore_index out label_smoothing".split())


def _is_setting(node: nodes.NodeNG) -> bool:
    """Return whether *node* is an option of the program: ``args.weight``, ``self.config.beta``."""
    return isinstance(node, nodes.Attribute) and _HOLDS_SETTINGS.search(last_name(node.expr) or "") is not None


def _makes_leaf(node: nodes.NodeNG) -> bool:
    """Return whether *node* makes a leaf that requires a gradient, which it does in any mode."""
    if not isinstance(node, nodes.Call):
        return False
    return last_name(node.func) in ("requires_grad_", "Parameter") or argument(node, None, "requires_grad") is not None


def _is_option(node: nodes.NodeNG) -> bool:
    """Return whether *node* names a dtype or device: ``torch.float32``, ``device``, ``x.shape``."""
    name = last_name(node) or ""
    return "device" in name or name in ("shape", "dtype") or (dotted(node) or "").startswith("torch.")
