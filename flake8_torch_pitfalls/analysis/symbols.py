"""From an expression to what it stands for: names, attributes and calls, through the whole project.

Names are followed through scopes, imports (also of the project's other files), assignments, unpacking,
containers, ``self`` attributes set in another method, factories, annotations and callers. What torch's
functions return is read from the model. Whatever cannot be followed is ``UNKNOWN``.
"""
from __future__ import annotations

import contextlib
import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import narrowing, scopes
from flake8_torch_pitfalls.analysis.project import Project
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    Index,
    argument,
    class_of,
    constant,
    decorator_names,
    dotted,
    function_of,
    is_open,
    last_name,
    self_name,
)
from flake8_torch_pitfalls.analysis.values import (
    NOTHING,
    TENSOR,
    UNKNOWN,
    Class,
    Data,
    Function,
    Instance,
    Items,
    Many,
    Method,
    Namespace,
    Symbol,
    Unknown,
    Value,
    Values,
)

DEEPEST = 40
CALL_SITES = 8
ALTERNATIVES = 12
STEPS = 400

SAME_OBJECT = {
    "torch.compile", "torch.jit.script", "torch.jit.trace", "torch.compiler.disable", "copy.copy",
    "accelerate.Accelerator.prepare_model", "accelerate.Accelerator.unwrap_model",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm", "torch.nn.utils.parametrizations.weight_norm",
    "torch.nn.utils.parametrizations.spectral_norm", "torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm",
}  # fmt: skip
WRAPPERS = (
    "torch.nn.parallel.DataParallel",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.distributed.fsdp.FullyShardedDataParallel",
)
SEQUENCES = {"list", "tuple", "set", "frozenset", "iter", "reversed", "sorted", "collections.deque", "tqdm.tqdm",
             "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.rich.tqdm", "itertools.cycle", "itertools.islice",
             "rich.progress.track"}  # fmt: skip


@dataclasses.dataclass
class Frame:
    """The call that is being followed into a function of the project."""

    function: nodes.NodeNG
    given: dict[str, nodes.NodeNG]
    receiver: Instance | None
    outer: Frame | None
    consulted: dict[str, Values] = dataclasses.field(default_factory=dict)
    """The arguments that the result was found to depend on."""
    memo: dict[nodes.NodeNG, Values] = dataclasses.field(default_factory=dict)


class Names:
    """Answers what expressions stand for, in one linted file and the modules it imports.

    Answers are kept, so that a question costs its price once.
    """

    def __init__(self, module: nodes.Module, project: Project, declared: Mapping[str, str]) -> None:
        """*declared* are classes of third parties, and for each the class of torch's that it derives from."""
        self.module = module
        self.project = project
        self._declared = declared
        self._memo: dict[nodes.NodeNG, Values] = {}
        self._returns: dict[object, Values] = {}
        self._sites: dict[nodes.FunctionDef, list[nodes.Call]] = {}
        self._depends: dict[object, tuple[str, ...]] = {}
        """The parameters that a function's result depends on, by function and receiver."""
        self._mro: dict[nodes.ClassDef, tuple[nodes.ClassDef | str | None, ...]] = {}
        self._open: set[object] = set()
        self._contents: list[nodes.Call] = []
        self._cut = 0
        self._steps = 0
        self._frame: Frame | None = None
        self._frames = 0

    # -- questions ---------------------------------------------------------------------------------

    def values(self, node: nodes.NodeNG | None) -> Values:
        """Return what *node*, an expression, may stand for."""
        if node is None:
            return (UNKNOWN,)
        if not self._open:
            self._steps = 0
        return self._values(node) or (UNKNOWN,)

    def frame(self, function: Function, call: nodes.Call, outer: Frame | None) -> Frame:
        """Return *call* of *function* of the project, made inside *outer*, to look into: see ``within``."""
        given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        return Frame(function.node, given, function.receiver, outer)

    @contextlib.contextmanager
    def within(self, frame: Frame | None) -> Iterator[None]:
        """Answer, as long as the context lasts, for just the call that *frame* stands for."""
        outer, self._frame = self._frame, frame
        try:
            yield
        finally:
            self._frame = outer

    def symbol(self, node: nodes.NodeNG | None) -> str | None:
        """Return the public dotted name of the thing outside the project that *node* always is."""
        found = self.values(node)
        if len(found) == 1:
            match found[0]:
                case Symbol(name) | Method(name):
                    return name
        return None

    def known(self, node: nodes.NodeNG | None) -> list[Value]:
        """Return the values of *node* without ``None`` and the unknown."""
        return [value for value in self.values(node) if value != NOTHING and not isinstance(value, Unknown)]

    def callee(self, call: nodes.Call) -> list[Function]:
        """Return the functions of the project that *call* may run: methods, ``__init__``, ``forward`` too."""
        found = []
        for value in self.values(call.func):
            match value:
                case Function():
                    found.append(value)
                case Class(node):
                    made = Instance(node, call)
                    if (method := self.method(node, "__init__")) is not None:
                        found.append(Function(method, made))
                case Instance(nodes.ClassDef() as node):
                    for name in ("__call__", "forward"):
                        if (method := self.method(node, name)) is not None:
                            found.append(Function(method, value))
                            break
        return found

    def unwrapped(self, wrapper: Instance) -> list[Value]:
        """Return what *wrapper*, of ``DataParallel`` or the like, may hold, seen through wrappers in wrappers."""
        found: list[Value] = []
        seen: set[Value] = {wrapper}
        waiting: list[Value] = [wrapper]
        while waiting:
            value = waiting.pop()
            if isinstance(value, Instance) and value.cls in WRAPPERS and isinstance(value.made_at, nodes.Call):
                inner = [one for one in self._values(argument(value.made_at, 0, "module")) if one not in seen]
                seen.update(inner)
                waiting += reversed(inner)
            else:
                found.append(value)
        return found

    def elements(self, value: Value) -> Values:
        """Return what iterating over *value* gives."""
        return _unique(self._elements(value))

    def content(self, container: nodes.NodeNG) -> Values:
        """Return what *container*, an expression, holds, with what the same function or class puts in later."""
        return _unique(self._content(container, None))

    def stored(self, target: nodes.AssignAttr) -> Values:
        """Return the values that the assignment to *target* gives it."""
        return _unique(self._assigned(target))

    def index_of(self, node: nodes.NodeNG) -> Index:
        """Return the index of the module that *node* stands in."""
        found: Index = node.root().index_of(node)
        return found

    # -- classes -----------------------------------------------------------------------------------

    def mro(self, node: nodes.ClassDef) -> tuple[nodes.ClassDef | str | None, ...]:
        """Return *node* and its bases, nearest first: ClassDefs of the project, names of others.

        None stands for a base that could not be followed. Depth first; a class comes once.
        """
        if node in self._mro:
            return self._mro[node]
        self._mro[node] = (node, None)  # for a class that inherits from itself
        found: dict[nodes.ClassDef | str | None, None] = {node: None}
        for base in node.bases:
            if isinstance(base, nodes.Subscript):  # Generic[T], Dataset[int]
                base = base.value
            for value in self.values(base):
                match value:
                    case Class(above):
                        found.update(dict.fromkeys(self.mro(above)))
                    case Symbol(name):
                        found.update(dict.fromkeys(self._ancestors(name)))
                    case _:
                        found[None] = None
        self._mro[node] = tuple(found)
        return self._mro[node]

    def _ancestors(self, name: str) -> tuple[str, ...]:
        """Return the class *name* from outside the project, and its bases as far as they are known."""
        if name in self._declared:
            return (name, *torch_model.ancestors(self._declared[name]))
        return torch_model.ancestors(name) if torch_model.modelled(name) else (name,)

    def _is_class(self, name: str) -> bool:
        return name in self._declared or torch_model.kind(name) == "class"

    def is_a(self, value: Value, *names: str) -> bool | None:
        """Return whether *value* is an object of one of the classes *names* or below; None if unknown."""
        match value:
            case Instance(str() as name):
                return not set(names).isdisjoint(self._ancestors(name))
            case Instance(nodes.ClassDef() as node):
                return self.derives(node, *names)
            case Unknown():
                return None
        return False

    def derives(self, node: nodes.ClassDef, *names: str) -> bool | None:
        """Return whether the class *node* has one of *names* among its bases; None if unknown."""
        bases = self.mro(node)
        if not set(names).isdisjoint(base for base in bases if isinstance(base, str)):
            return True
        open_ended = any(
            base is None or (isinstance(base, str) and not _closed(base)) for base in bases
        )
        return None if open_ended else False

    def method(self, node: nodes.ClassDef, name: str) -> nodes.FunctionDef | None:
        """Return the method *name* of class *node* as the project defines it, in a base too."""
        for base in self.mro(node):
            if isinstance(base, nodes.ClassDef):
                found = base.locals.get(name, ())
                if found and isinstance(found[-1], nodes.FunctionDef):
                    return found[-1]
            elif base is None or torch_model.member(base, name):
                return None
        return None

    def stores(self, node: nodes.ClassDef, name: str) -> Iterator[nodes.NodeNG]:
        """Yield where ``self.name`` is given a value in class *node* and its bases: targets and calls."""
        for base in self.mro(node):
            if isinstance(base, nodes.ClassDef):
                index = self.index_of(base)
                for target in index.stores_in[base].get(name, ()) if base in index.stores_in else ():
                    if self._is_self(target.expr, base):
                        yield target
                for register in ("register_buffer", "register_parameter", "add_module", "register_module"):
                    for call in index.calls.get(register, ()):
                        if constant(argument(call, 0, "name")) == name and isinstance(call.func, nodes.Attribute):
                            if self._is_self(call.func.expr, base):
                                yield call

    def _is_self(self, node: nodes.NodeNG, owner: nodes.ClassDef) -> bool:
        if not isinstance(node, nodes.Name) or class_of(node) is not owner:
            return False
        function: nodes.NodeNG = function_of(node)
        while isinstance(function, FUNCTIONS):
            if node.name in function.locals:
                return bool(self_name(function) == node.name)
            function = function_of(function)
        return False

    # -- expressions -------------------------------------------------------------------------------

    def _values(self, node: nodes.NodeNG) -> Values:
        """Return the values of *node*; none for one whose evaluation is under way, further out."""
        frame = self._frame
        if frame is not None and not self._in_frame(node):
            frame = None
        memo = self._memo if frame is None else frame.memo
        if node in memo:
            return memo[node]
        key = (node, id(frame))
        if key in self._open:
            self._cut += 1
            return ()
        self._steps += 1
        if len(self._open) > DEEPEST or self._steps > STEPS:
            self._cut += 1
            return (UNKNOWN,)
        before = self._cut
        self._open.add(key)
        outer, self._frame = self._frame, frame
        try:
            found = tuple(dict.fromkeys(self._evaluate(node)))
        finally:
            self._open.discard(key)
            self._frame = outer
        if self._cut == before or not self._open or frame is not None:
            memo[node] = found
        return found

    def _in_frame(self, node: nodes.NodeNG) -> bool:
        assert self._frame is not None
        return function_of(node) is self._frame.function

    def _evaluate(self, node: nodes.NodeNG) -> Iterable[Value]:
        match node:
            case nodes.Name():
                return self._name(node, node.name)
            case nodes.Attribute():
                return [found for value in self._values(node.expr) for found in self._attribute(value, node.attrname)]
            case nodes.Call():
                return self._call(node)
            case nodes.Subscript():
                return self._subscript(node)
            case nodes.AssignName() | nodes.AssignAttr():
                return self._assigned(node)
            case nodes.IfExp():
                return (*self._values(node.body), *self._values(node.orelse))
            case nodes.BoolOp():
                return [value for operand in node.values for value in self._values(operand)]
            case nodes.NamedExpr() | nodes.Await() | nodes.Starred():
                return self._values(node.value)
            case nodes.BinOp():
                return self._operation(self._values(node.left), self._values(node.right), node)
            case nodes.UnaryOp():
                if node.op == "not":
                    return (UNKNOWN,)
                return self._operation(self._values(node.operand), (), node)
            case nodes.Compare() if node.ops[0][0] not in ("is", "is not", "in", "not in"):
                return self._operation(self._values(node.left), self._values(node.ops[0][1]), node)
            case nodes.Lambda() if not isinstance(node, nodes.FunctionDef):
                return (Function(node),)
            case nodes.Const():
                return (NOTHING,) if node.value is None else (Data(node),)
            case (
                nodes.List() | nodes.Tuple() | nodes.Set() | nodes.Dict() | nodes.ListComp() | nodes.SetComp()
                | nodes.DictComp() | nodes.GeneratorExp() | nodes.JoinedStr()
            ):  # fmt: skip
                return (Data(node),)
        return (UNKNOWN,)

    def _operation(self, left: Values, right: Values, node: nodes.NodeNG) -> Iterable[Value]:
        if any(self.is_a(value, "torch.Tensor") for value in (*left, *right)):
            lists = any(_is_container(value) for value in left) and any(_is_container(value) for value in right)
            return (TENSOR, UNKNOWN) if lists else (TENSOR,)
        if isinstance(node, nodes.BinOp) and node.op in "+*":  # lists joined and repeated
            items = [item for value in (*left, *right) if _is_container(value) for item in self._elements(value)]
            if items:
                return (Many(tuple(items)),)
        if isinstance(node, nodes.BinOp) and node.op == "|":  # unions of classes
            return [value for value in (*left, *right) if isinstance(value, (Class, Symbol))] or (UNKNOWN,)
        return (UNKNOWN,)

    # -- names -------------------------------------------------------------------------------------

    def _name(self, node: nodes.NodeNG, name: str) -> Iterable[Value]:
        found: list[Value] = []
        definitions = scopes.definitions(node, name)
        tested = isinstance(node, nodes.Name) and narrowing.is_tested(self.index_of(node), node)
        for definition in definitions[:ALTERNATIVES]:
            values = self._defined(definition, name)
            found.extend(self._narrowed(values, node, definition, definitions) if tested else values)
        if definitions:
            return found
        return self._star_imported(node.root(), name) or self._builtin(name)

    def _narrowed(
        self, values: Iterable[Value], use: nodes.Name, definition: nodes.NodeNG, definitions: list[nodes.NodeNG]
    ) -> list[Value]:
        """Return those of *values* that the tests on the way from *definition* to *use* let through."""
        questions = list(narrowing.refuted(use, definition, definitions))
        return [value for value in values if not any(self._affirms(value, question) for question in questions)]

    def _affirms(self, value: Value, question: nodes.Call) -> bool:
        """Return whether *value* surely answers *question*, a call of ``isinstance`` or ``hasattr``, with yes."""
        if not isinstance(value, Instance):
            return False
        asked = question.args[1]
        if question.func.name == "hasattr":
            attribute = constant(asked)
            return isinstance(attribute, str) and UNKNOWN not in self._attribute(value, attribute)
        for cls in asked.elts if isinstance(asked, nodes.Tuple) else [asked]:
            for one in self._values(cls):
                if isinstance(one, Symbol) and self.is_a(value, one.name):
                    return True
                if isinstance(one, Class) and isinstance(value.cls, nodes.ClassDef) and one.node in self.mro(value.cls):
                    return True
        return False

    def _builtin(self, name: str) -> Values:
        if name == "super":
            return (Symbol("super"),)
        return (Symbol(name),) if name in scopes.BUILTINS else (UNKNOWN,)

    def _star_imported(self, module: nodes.Module, name: str) -> Values:
        for statement in module.star_imports:
            found = self._from_module(module, statement, name)
            if found != (UNKNOWN,) and not (
                isinstance(found[0], Symbol)
                and not (torch_model.modelled(found[0].name) and torch_model.kind(found[0].name))
            ):
                return found
        return ()

    def _defined(self, node: nodes.NodeNG, name: str) -> Iterable[Value]:
        match node:
            case nodes.FunctionDef():
                return self._function(node)
            case nodes.ClassDef():
                return (Class(node),)
            case nodes.Import():
                for imported, alias in node.names:
                    if (alias or imported.partition(".")[0]) == name or imported == name:
                        return (self._module(node.root(), imported if alias else imported.partition(".")[0]),)
            case nodes.ImportFrom():
                for imported, alias in node.names:
                    if (alias or imported) == name:
                        return self._from_module(node.root(), node, imported)
            case nodes.AssignName(parent=nodes.Arguments()):
                return self._parameter(node.parent.parent, name)
            case nodes.AssignName() | nodes.AssignAttr():
                return self._values(node)
            case nodes.Call():  # register_buffer(name, value) and the like
                return self._values(node.args[1]) if len(node.args) > 1 else (UNKNOWN,)
        return (UNKNOWN,)

    def _function(self, node: nodes.FunctionDef) -> Iterable[Value]:
        return (Function(node),)

    def _module(self, importer: nodes.Module, name: str) -> Value:
        module = self.project.imported(importer, name, 0)
        return Namespace(module) if module is not None else Symbol(torch_model.canonical(name))

    def _from_module(self, importer: nodes.Module, node: nodes.ImportFrom, name: str) -> Values:
        level = node.level or 0
        module = self.project.imported(importer, node.modname, level)
        if module is None:
            return (UNKNOWN,) if level else (Symbol(torch_model.canonical(f"{node.modname}.{name}")),)
        return self._member_of(module, name)

    def _member_of(self, module: nodes.Module, name: str) -> Values:
        key = (module, name)
        if key in self._open or len(self._open) > DEEPEST:
            self._cut += 1
            return (UNKNOWN,)
        self._open.add(key)
        try:
            definitions = module.locals.get(name, ())
            if definitions:
                return _unique(value for node in definitions[-ALTERNATIVES:] for value in self._defined(node, name))
            if module.package and (below := self.project.imported(module, name, 1)) is not None:
                return (Namespace(below),)
            return self._star_imported(module, name) or (UNKNOWN,)
        finally:
            self._open.discard(key)

    # -- assignments -------------------------------------------------------------------------------

    def _assigned(self, target: nodes.NodeNG) -> Iterable[Value]:
        """Return the values that an assignment gives to *target*, a name or attribute in it."""
        path: list[int | slice] = []
        node, parent = target, target.parent
        while isinstance(parent, (nodes.Tuple, nodes.List, nodes.Starred)):
            if isinstance(parent, nodes.Starred):
                path.append(slice(None))
            else:
                path.append(parent.elts.index(node))
            node, parent = parent, parent.parent
        path.reverse()
        match parent:
            case nodes.Assign():
                return self._unpack(self._values(parent.value), path)
            case nodes.AnnAssign():
                found = self._values(parent.value) if parent.value is not None else (UNKNOWN,)
                if UNKNOWN in found or found == (NOTHING,):
                    return self.annotated(parent.annotation) or found
                return found
            case nodes.AugAssign():
                return self._operation(self._values(parent.value), self._values_before(parent), parent)
            case nodes.For() | nodes.Comprehension():
                items = [item for value in self._values(parent.iter) for item in self._elements(value)]
                return self._unpack(tuple(items), path)
            case nodes.With():
                for context, bound in parent.items:
                    if bound is node:
                        return self._unpack(self._values(context), path)
            case nodes.NamedExpr():
                return self._values(parent.value)
        return (UNKNOWN,)

    def _values_before(self, statement: nodes.AugAssign) -> Values:
        target = statement.target
        if isinstance(target, nodes.AssignName):
            found = [
                value
                for definition in scopes.definitions(target, target.name)
                if definition.statement() is not statement
                for value in self._defined(definition, target.name)
            ]
            return tuple(found)
        return ()

    def _unpack(self, values: Values, path: list[int | slice]) -> Values:
        for step in path:
            values = _unique(item for value in values for item in self._item(value, step))
        return values

    def _item(self, value: Value, step: int | slice) -> Iterable[Value]:
        if isinstance(step, slice):
            return (Many(tuple(self._elements(value))),)
        match value:
            case Items(items):
                return items[step] if -len(items) <= step < len(items) else (UNKNOWN,)
            case Data(nodes.Tuple() | nodes.List() as node):
                if not any(isinstance(element, nodes.Starred) for element in node.elts):
                    return self._values(node.elts[step]) if -len(node.elts) <= step < len(node.elts) else (UNKNOWN,)
        return self._elements(value)

    def _elements(self, value: Value) -> Iterable[Value]:
        """Return what iterating over *value* gives; nothing for one that holds itself."""
        key = ("elements", value)
        if key in self._open:
            self._cut += 1
            return ()
        self._open.add(key)
        try:
            return list(self._elements_of(value))
        finally:
            self._open.discard(key)

    def _elements_of(self, value: Value) -> Iterable[Value]:
        match value:
            case Items(items):
                return [found for item in items for found in item]
            case Many(item):
                return item or (UNKNOWN,)
            case Data(nodes.Tuple() | nodes.List() | nodes.Set() as node):
                found: list[Value] = []
                for element in node.elts[:ALTERNATIVES]:
                    if isinstance(element, nodes.Starred):
                        found += [item for above in self._values(element.value) for item in self._elements(above)]
                    else:
                        found += self._values(element)
                return found
            case Data(nodes.ListComp() | nodes.SetComp() | nodes.GeneratorExp() as node):
                return self._values(node.elt)
            case Instance(cls, nodes.Call() as call) if self.is_a(value, "torch.nn.ModuleList", "torch.nn.Sequential"):
                if not isinstance(cls, str):
                    return (UNKNOWN,)
                found = [item for arg in call.args[:ALTERNATIVES] for item in self._values(arg)]
                if cls == "torch.nn.ModuleList":
                    found = [item for above in found for item in self._elements(above)]
                return found or (UNKNOWN,)
            case Instance() if self.is_a(value, "torch.Tensor"):
                return (TENSOR,)
            case Instance(str() as cls):
                for type_ in torch_model.returned(torch_model.member(cls, "__iter__") or ""):
                    return self._typed((type_,), value, None)
        return (UNKNOWN,)

    # -- parameters --------------------------------------------------------------------------------

    def _parameter(self, function: nodes.FunctionDef | nodes.Lambda, name: str) -> Iterable[Value]:
        frame = self._frame
        here = frame is not None and frame.function is function
        if isinstance(function, nodes.FunctionDef) and self_name(function) == name:
            owner = function.parent
            if "classmethod" in decorator_names(function) or function.name in ("__new__", "__init_subclass__"):
                return (Class(owner),)
            if here and frame is not None and frame.receiver is not None:
                return (frame.receiver,)
            return (Instance(owner),)
        if here and frame is not None:
            if name in frame.given:
                passed = self._argument(frame, name)
                if UNKNOWN in passed:
                    declared = self.annotated(scopes.annotation(function, name))
                    return (*(value for value in passed if value != UNKNOWN), *declared) if declared else passed
                return passed
            frame.consulted[name] = ()
            if (left_out := scopes.default(function, name)) is not None:
                return self._values(left_out)
        if name in (function.args.vararg, function.args.kwarg):
            return (UNKNOWN,)
        annotation = scopes.annotation(function, name)
        if annotation is not None and (found := self.annotated(annotation)):
            return found
        if isinstance(function, nodes.FunctionDef):
            passed = tuple(self._passed(function, name))
            if passed:
                return passed
        default = scopes.default(function, name)
        if default is not None:
            return (*(value for value in self._values(default) if value != NOTHING), UNKNOWN)
        return (UNKNOWN,)

    def _argument(self, frame: Frame, name: str) -> Values:
        """Return what the call that *frame* stands for passes as *name*."""
        if name not in frame.consulted:
            inner, self._frame = self._frame, frame.outer
            try:
                frame.consulted[name] = self._values(frame.given[name])
            finally:
                self._frame = inner
        return frame.consulted[name]

    def call_sites(self, function: nodes.FunctionDef) -> list[nodes.Call]:
        """Return the calls of *function* in the linted file, a few more than are used."""
        if function in self._sites:
            return self._sites[function]
        before = self._cut
        found = list(itertools.islice(self._find_call_sites(function), CALL_SITES + 1))
        if self._cut == before:
            self._sites[function] = found
        return found

    def _find_call_sites(self, function: nodes.FunctionDef) -> Iterator[nodes.Call]:
        names = [function.name]
        if function.name == "__init__" and isinstance(function.parent, nodes.ClassDef):
            names = [function.parent.name, "__init__", "cls"]
            names += [alias for alias in self._subclasses(function.parent)]
        elif function.name == "__call__" and isinstance(function.parent, nodes.ClassDef):
            names += self._variables_of(function.parent)
        for name in dict.fromkeys(names):
            for call in self.module.index.calls.get(name, ())[: 4 * CALL_SITES]:
                if function_of(call) is function and name != function.name:
                    continue
                if any(found.node is function for found in self.callee(call)):
                    yield call

    def _subclasses(self, node: nodes.ClassDef) -> Iterator[str]:
        for other in self.module.index.of(nodes.ClassDef):
            if other is not node and any(last_name(base) == node.name for base in other.bases):
                yield other.name

    def _variables_of(self, node: nodes.ClassDef) -> Iterator[str]:
        """Yield the last names of what the linted file assigns objects of the class *node* to."""
        for name in (node.name, *self._subclasses(node)):
            for call in self.module.index.calls.get(name, ()):
                for target in call.parent.targets if isinstance(call.parent, nodes.Assign) else ():
                    match target:
                        case nodes.AssignName(name=variable) | nodes.AssignAttr(attrname=variable):
                            yield variable

    def _passed(self, function: nodes.FunctionDef, name: str) -> Iterator[Value]:
        key = (function, name)
        if key in self._open:
            return
        self._open.add(key)
        try:
            for number, call in enumerate(self.call_sites(function)):
                if number == CALL_SITES:
                    yield UNKNOWN
                    return
                given = scopes.match_arguments(function, call, bound=self._is_bound(function, call)).get(name)
                if given is not None:
                    yield from self._values(given)
                else:
                    left_out = scopes.default(function, name)
                    if left_out is not None:
                        yield from self._values(left_out)
                    if left_out is None or is_open(call):
                        yield UNKNOWN
            if function.root() is not self.module and self.call_sites(function):
                yield UNKNOWN  # its own file, and others, may call it too
        finally:
            self._open.discard(key)

    def _is_bound(self, function: nodes.FunctionDef, call: nodes.Call) -> bool:
        """Return whether *call* leaves out the first parameter, because an object or class supplies it."""
        if self_name(function) is None:
            return False
        return not any(value.node is function and value.receiver is None for value in self.callee(call)) or (
            "classmethod" in decorator_names(function)
        )

    # -- annotations -------------------------------------------------------------------------------

    def annotated(self, node: nodes.NodeNG | None) -> Values:
        """Return what a parameter or variable annotated with *node* holds; () if it says nothing."""
        match node:
            case nodes.Const(value=str() as text):
                try:
                    expression = scopes.expression(text, node)
                except (SyntaxError, ValueError):
                    return ()
                return self.annotated(expression)
            case nodes.BinOp(op="|"):
                return self._annotated_union((node.left, node.right))
            case nodes.Tuple():
                return _unique(value for element in node.elts for value in self.annotated(element))
            case nodes.Subscript():
                return self._annotated_generic(node)
            case nodes.Name() | nodes.Attribute():
                found: list[Value] = []
                for value in self._values(node):
                    match value:
                        case Class(cls):
                            found.append(Instance(cls))
                        case Symbol(name) if self._is_class(name):
                            found.append(Instance(name))
                return tuple(found)
        return ()

    def _annotated_generic(self, node: nodes.Subscript) -> Values:
        name = last_name(node.value)
        if name in ("Optional", "Union"):
            return self._annotated_union(node.slice.elts if isinstance(node.slice, nodes.Tuple) else (node.slice,))
        if name in ("Annotated", "Final", "ClassVar"):
            inner = node.slice
            return self.annotated(inner.elts[0] if isinstance(inner, nodes.Tuple) and inner.elts else inner)
        if name in ("list", "List", "Sequence", "Iterable", "Iterator", "Set", "set", "Collection", "Generator"):
            inner = node.slice
            return (Many(self.annotated(inner.elts[0] if isinstance(inner, nodes.Tuple) and inner.elts else inner)),)
        if name in ("tuple", "Tuple") and isinstance(node.slice, nodes.Tuple):
            items = [self.annotated(element) or (UNKNOWN,) for element in node.slice.elts]
            return (Items(tuple(items)),)
        if name in ("dict", "Dict", "Mapping", "Literal", "Callable", "Type", "type"):
            return ()
        return self.annotated(node.value)  # DataLoader[int], Dataset[Tensor]

    def _annotated_union(self, members: Iterable[nodes.NodeNG]) -> Values:
        """Return what a union of *members* holds: one that says nothing may be anything, unless it is ``None``."""
        found: list[Value] = []
        for member in members:
            found += self.annotated(member) or (() if constant(member) is None else (UNKNOWN,))
        return () if set(found) <= {UNKNOWN} else _unique(found)

    # -- attributes --------------------------------------------------------------------------------

    def _attribute(self, value: Value, name: str) -> Iterable[Value]:
        match value:
            case Symbol(above):
                if above == "super":
                    return (UNKNOWN,)
                return (Symbol(torch_model.canonical(f"{above}.{name}")),) if above != "None" else ()
            case Namespace(module):
                return self._member_of(module, name)
            case Class(node):
                return self._class_attribute(node, name, None)
            case Instance(nodes.ClassDef() as node):
                return self._instance_attribute(value, node, name)
            case Instance(str() as cls):
                return self._modelled_attribute(value, cls, name)
            case Function(node, None) if name in ("forward", "backward", "apply"):
                return (UNKNOWN,)
        return (UNKNOWN,)

    def _instance_attribute(self, value: Instance, node: nodes.ClassDef, name: str) -> Iterable[Value]:
        found: list[Value] = []
        stores = list(self.stores(node, name))
        for target in stores[:ALTERNATIVES]:
            found.extend(self._defined(target, name))
        if found and found != [NOTHING] and set(found) != {UNKNOWN}:
            return found
        inherited = list(self._class_attribute(node, name, value))
        if inherited and inherited != [UNKNOWN]:
            return inherited
        overridden = [one for target in stores[:ALTERNATIVES] for one in self._stored_for(value, target)]
        if set(overridden) - {UNKNOWN, NOTHING}:
            return overridden
        below = self._set_below(node, name)
        return below or found or inherited or (UNKNOWN,)

    def _stored_for(self, value: Instance, target: nodes.NodeNG) -> Values:
        """Return what a base's ``self.head = self.make_head()`` stores for *value*, whose class overrides that."""
        made = getattr(target.parent, "value", None)
        if class_of(target) is value.cls or not isinstance(made, nodes.Call) or made.args or made.keywords:
            return ()
        with self.within(Frame(function_of(target), {}, value, None)):
            return self._values(made)

    def _set_below(self, node: nodes.ClassDef, name: str) -> list[Value]:
        """Return what subclasses of *node* in the linted file put under *name*: the template pattern."""
        found: list[Value] = []
        for other in self.module.index.of(nodes.ClassDef):
            if other is not node and node in self.mro(other):
                for target in self.index_of(other).stores.get(name, ()):
                    if self._is_self(target.expr, other):
                        found.extend(self._defined(target, name))
        return found

    def _class_attribute(self, node: nodes.ClassDef, name: str, receiver: Instance | None) -> Iterable[Value]:
        for base in self.mro(node):
            match base:
                case nodes.ClassDef():
                    definitions = base.locals.get(name, ())
                    if definitions:
                        return self._from_class(definitions, name, receiver)
                case str():
                    if (member := torch_model.member(base, name)) is not None:
                        return self._modelled_member(member, receiver or Instance(node))
                case None:
                    return (UNKNOWN,)
        return (UNKNOWN,)

    def _from_class(
        self, definitions: Iterable[nodes.NodeNG], name: str, receiver: Instance | None
    ) -> Iterable[Value]:
        found: list[Value] = []
        for definition in definitions:
            if isinstance(definition, nodes.FunctionDef):
                decorators = decorator_names(definition)
                if decorators & {"property", "cached_property", "lazy_property"}:
                    found += self._called(Function(definition, receiver), None)
                elif "staticmethod" in decorators:
                    found.append(Function(definition))
                elif not decorators & {"setter", "overload"}:
                    found.append(Function(definition, receiver))
            else:
                found += self._defined(definition, name)
        return found or (UNKNOWN,)

    def _modelled_attribute(self, value: Instance, cls: str, name: str) -> Iterable[Value]:
        if cls in WRAPPERS and name in ("module", "_orig_mod") and isinstance(value.made_at, nodes.Call):
            return self._values(argument(value.made_at, 0, "module"))
        member = torch_model.member(self._declared.get(cls, cls), name)
        if member is None:
            return (UNKNOWN,)
        return self._modelled_member(member, value)

    def _modelled_member(self, member: str, receiver: Instance) -> Iterable[Value]:
        if torch_model.kind(member) == "function":
            return (Method(member, receiver),)
        return self._typed(torch_model.attribute_type(member), receiver, None)

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, call: nodes.Call) -> Iterable[Value]:
        found: list[Value] = []
        for value in self._values(call.func):
            match value:
                case Symbol(name):
                    found += self._called_symbol(name, call)
                case Class(node):
                    found.append(Instance(node, call))
                case Function():
                    found += self._called(value, call)
                case Method(name, receiver):
                    found += self._called_method(name, receiver, call)
                case Instance():
                    found += self._called_instance(value, call)
                case _:
                    found += self._container_method(call)
        return found

    def _called_symbol(self, name: str, call: nodes.Call) -> Iterable[Value]:
        first = call.args[0] if call.args else None
        if name in SAME_OBJECT and first is not None:
            return self._values(first)
        if name == "copy.deepcopy" and first is not None:
            return [
                Instance(value.cls, call) if isinstance(value, Instance) else value for value in self._values(first)
            ]
        if name == "functools.partial" and first is not None:
            return self._values(first)
        if name in ("getattr", "next", "enumerate", "zip", "range", "type") or name in SEQUENCES:
            return self._called_builtin(name, call)
        if name == "super":
            return self._super(call)
        if self._is_class(name):
            return (Instance(name, call),)
        if not torch_model.modelled(name):
            return (UNKNOWN,)
        return self._typed(self._returned(name, call), self._made_by_class(name, call), call)

    def _made_by_class(self, name: str, call: nodes.Call) -> Instance | None:
        """Return what a class method, ``from_pretrained``, makes: an object of the class that *call* names."""
        if not isinstance(call.func, nodes.Attribute) or not torch_model.is_class_method(name):
            return None
        for value in self._values(call.func.expr):
            match value:
                case Class(node):
                    return Instance(node, call)
                case Symbol(owner) if self._is_class(owner):
                    return Instance(owner, call)
        return None

    def _returned(self, name: str, call: nodes.Call) -> tuple[torch_model.Type, ...]:
        keywords = frozenset(keyword.arg for keyword in call.keywords or () if keyword.arg)
        return torch_model.returned(name, len(call.args), keywords)

    def _super(self, call: nodes.Call) -> Iterable[Value]:
        """``super()``: the object, looked up from the first base on. Only one base in the project is followed."""
        owner = class_of(call)
        if owner is None:
            return (UNKNOWN,)
        bases = self.mro(owner)[1:]
        if bases and isinstance(bases[0], nodes.ClassDef):
            return (Instance(bases[0]),)
        if bases and isinstance(bases[0], str) and torch_model.modelled(bases[0]):
            return (Instance(bases[0]),)
        return (UNKNOWN,)

    def _called_builtin(self, name: str, call: nodes.Call) -> Iterable[Value]:
        args = call.args
        if name == "range":
            return (Many((UNKNOWN,)),)
        if name == "getattr":
            attribute = constant(argument(call, 1, None))
            if not isinstance(attribute, str):
                return (UNKNOWN,)
            return [found for value in self._values(args[0]) for found in self._attribute(value, attribute)]
        if not args:
            return (UNKNOWN,)
        if name == "type":
            classes: list[Value] = []
            for value in self._values(args[0]):
                match value:
                    case Instance(nodes.ClassDef() as node):
                        classes.append(Class(node))
                    case Instance(str() as cls):
                        classes.append(Symbol(cls))
            return classes or (UNKNOWN,)
        items = tuple(item for value in self._values(args[0]) for item in self._elements(value))
        if name == "next":
            return items or (UNKNOWN,)
        if name == "enumerate":
            return (Many((Items(((UNKNOWN,), items)),)),)
        if name == "zip":
            columns = [tuple(item for value in self._values(arg) for item in self._elements(value)) for arg in args]
            return (Many((Items(tuple(columns)),)),)
        return (Many(items),)

    def _container_method(self, call: nodes.Call) -> Iterable[Value]:
        """Return what ``items``, ``values``, ``get`` and ``pop`` of a dictionary or list give."""
        if not isinstance(call.func, nodes.Attribute):
            return (UNKNOWN,)
        name, container = call.func.attrname, call.func.expr
        if name not in ("items", "values", "get", "pop", "setdefault"):
            return (UNKNOWN,)
        if name in ("get", "pop", "setdefault"):
            found = self._content(container, call.args[0] if call.args else None)
            default = self._values(call.args[1]) if len(call.args) > 1 else ()
            return [*found, *(value for value in default if value != NOTHING)] or (UNKNOWN,)
        values = tuple(self._content(container, None))
        if not values:
            return (UNKNOWN,)
        return (Many((Items(((UNKNOWN,), values)),) if name == "items" else values),)

    def _called_method(self, name: str, receiver: Instance, call: nodes.Call) -> Iterable[Value]:
        short = name.rpartition(".")[2]
        if short == "prepare" and self.is_a(receiver, "accelerate.Accelerator"):
            items = tuple(self._values(arg) for arg in call.args)
            return items[0] if len(items) == 1 else (Items(items),)
        if short == "setup" and name.startswith("lightning"):
            items = tuple(self._values(arg) for arg in call.args)
            return items[0] if len(items) == 1 else (Items(items),)
        return self._typed(self._returned(name, call), receiver, call)

    def _called_instance(self, value: Instance, call: nodes.Call) -> Iterable[Value]:
        if isinstance(value.cls, nodes.ClassDef):
            for name in ("__call__", "forward"):
                if (method := self.method(value.cls, name)) is not None:
                    return self._called(Function(method, value), call)
            names = [base for base in self.mro(value.cls) if isinstance(base, str)]
        else:
            if value.cls in WRAPPERS and isinstance(value.made_at, nodes.Call):
                return [
                    found
                    for one in self.unwrapped(value)
                    if isinstance(one, Instance)
                    for found in self._called_instance(one, call)
                ]
            names = [value.cls]
        for cls in names:
            for method_name in ("forward", "__call__"):
                if (member := torch_model.member(cls, method_name)) is not None and (
                    found := self._typed(self._returned(member, call), value, call)
                ) != (UNKNOWN,):
                    return found
        return (UNKNOWN,)

    def _called(self, function: Function, call: nodes.Call | None) -> Values:
        """Return what *function* of the project returns for the arguments of *call*."""
        node = function.node
        if isinstance(node, nodes.FunctionDef) and "abstractmethod" in decorator_names(node):
            return self.annotated(node.returns) or (UNKNOWN,)
        if isinstance(node, nodes.FunctionDef) and "contextmanager" in decorator_names(node):
            return (UNKNOWN,)
        if self._frames >= 3 or self._is_too_far(node):
            declared = self.annotated(node.returns) if isinstance(node, nodes.FunctionDef) else ()
            return declared or (UNKNOWN,)
        given = {} if call is None else scopes.match_arguments(node, call, bound=function.receiver is not None)
        frame = Frame(node, given, function.receiver, self._frame)
        known = (node, function.receiver)
        if known in self._depends:
            key = (known, tuple(self._consult(frame, name) for name in self._depends[known]))
            if key in self._returns:
                return self._returns[key]
        if known in self._open or len(self._open) > DEEPEST:
            self._cut += 1
            return ()
        before = self._cut
        self._frame = frame
        self._open.add(known)
        self._frames += 1
        try:
            found = _unique(self._results(node))
        finally:
            self._frames -= 1
            self._open.discard(known)
            self._frame = frame.outer
        if self._cut == before or not self._open:
            depends = tuple(dict.fromkeys((*self._depends.get(known, ()), *frame.consulted)))
            self._depends[known] = depends
            self._returns[known, tuple(self._consult(frame, name) for name in depends)] = found
        return found

    def _is_too_far(self, function: nodes.NodeNG) -> bool:
        """Return whether *function* is in another file, and so is the function that calls it.

        What other files do among themselves is not followed: it cost more than the file at hand.
        """
        calling = self._frame.function if self._frame is not None else None
        return calling is not None and calling.root() is not self.module and function.root() is not self.module

    def _consult(self, frame: Frame, name: str) -> Values | None:
        return self._argument(frame, name) if name in frame.given else None

    def _results(self, node: nodes.FunctionDef | nodes.Lambda) -> Iterable[Value]:
        if not isinstance(node, nodes.FunctionDef):
            return self._values(node.body)
        index = self.index_of(node)
        if node in index.yields:
            items = [v for y in index.yields[node] if isinstance(y, nodes.Yield) for v in self._values_or_none(y.value)]
            return (Many(tuple(items)),)
        found = [value for statement in index.returns.get(node, ()) for value in self._values_or_none(statement.value)]
        if not found:
            return (NOTHING,)
        if UNKNOWN in found and (declared := self.annotated(node.returns)):
            return [*(value for value in found if value != UNKNOWN), *declared]
        return found

    def _values_or_none(self, node: nodes.NodeNG | None) -> Values:
        return (NOTHING,) if node is None else self._values(node)

    def _typed(
        self, types: Iterable[torch_model.Type], receiver: Instance | None, call: nodes.Call | None
    ) -> Values:
        """Return the values that the model's *types* describe."""
        found: list[Value] = []
        for type_ in types:
            match type_.name:
                case "Self":
                    found.append(receiver or UNKNOWN)
                case "None":
                    found.append(NOTHING)
                case "tuple" if type_.args and type_.args[-1].name != "...":
                    found.append(Items(tuple(self._typed((arg,), receiver, call) for arg in type_.args)))
                case "list" | "iterator" | "tuple":
                    found.append(Many(self._typed(type_.args[:1], receiver, call)))
                case name if torch_model.modelled(name):
                    found.append(Instance(name, call if name != "torch.Tensor" else None))
                case _:
                    found.append(UNKNOWN)
        return tuple(found) or (UNKNOWN,)

    # -- containers --------------------------------------------------------------------------------

    def _subscript(self, node: nodes.Subscript) -> Iterable[Value]:
        key = node.slice
        values = self._values(node.value)
        for value in values:
            if self.is_a(value, "torch.Tensor"):
                return (TENSOR, UNKNOWN) if UNKNOWN in values else (TENSOR,)
            if isinstance(key, nodes.Slice) and _is_container(value):
                return (Many(tuple(self._elements(value))),)
        return self._content(node.value, key) or (UNKNOWN,)

    def _content(self, container: nodes.NodeNG, key: nodes.NodeNG | None) -> list[Value]:
        """Return what stands under *key* (None: anywhere) in *container*."""
        wanted = constant(key) if key is not None else ...
        found: list[Value] = []
        for value in self._values(container):
            match value:
                case Data(nodes.Dict() as node):
                    for name, item in node.items:
                        if wanted is ... or constant(name) == wanted:
                            found += self._values(item)
                case Data(nodes.DictComp() as node):
                    found += self._values(node.value)
                case Data(nodes.List() | nodes.Tuple()) | Items() if isinstance(wanted, int):
                    found += self._item(value, wanted)
                case Instance() if self.is_a(value, "torch.nn.ModuleDict") and isinstance(value.made_at, nodes.Call):
                    if value.made_at.args and value.made_at not in self._contents:
                        self._contents.append(value.made_at)  # for self.d = ModuleDict(self.d)
                        found += self._content(value.made_at.args[0], key)
                        self._contents.pop()
                case Data() | Many() | Items() | Instance():
                    if not isinstance(key, nodes.Slice):
                        found += self._elements(value)
        found += self._put_later(container, wanted)
        return found if found != [UNKNOWN] else []

    def _put_later(self, container: nodes.NodeNG, wanted: object) -> Iterator[Value]:
        """Yield what ``c[key] = …`` and ``c.append(…)`` put into *container* in the same function or class."""
        text = dotted(container)
        if text is None:
            return
        owner = class_of(container) if text.startswith("self.") else function_of(container)
        find_owner = class_of if text.startswith("self.") else function_of
        index = self.index_of(container)
        for target in index.items.get(text, ())[:ALTERNATIVES]:
            if wanted is ... or constant(target.slice) in (wanted, ...):
                if find_owner(target) is owner and isinstance(target.parent, nodes.Assign):
                    yield from self._values(target.parent.value)
        for call in index.filled.get(text, ())[:ALTERNATIVES]:
            if call.func.attrname == "append" and call.args and find_owner(call) is owner:
                yield from self._values(call.args[0])


def _closed(name: str) -> bool:
    """Return whether all bases of the class *name* are known."""
    return torch_model.modelled(name) or name in scopes.BUILTINS or name.partition(".")[0] in scopes.CLOSED


def _is_container(value: Value) -> bool:
    return isinstance(value, (Many, Items)) or (
        isinstance(value, Data) and isinstance(value.node, (nodes.List, nodes.Tuple, nodes.ListComp))
    )


def _unique(values: Iterable[Value]) -> Values:
    return tuple(dict.fromkeys(values)) or (UNKNOWN,)
