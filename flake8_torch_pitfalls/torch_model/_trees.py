"""The stubs as astroid trees, each definition built when it is first asked for.

A stub module is a real :class:`astroid.nodes.Module` whose table of names builds on demand; so are the
bodies of its classes, since Tensor alone has 650 methods and a program needs a handful. astroid
ignores annotations, so the functions here answer a call from theirs.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from astroid import bases, nodes
from astroid.builder import AstroidBuilder
from astroid.context import CallContext, InferenceContext, copy_context
from astroid.exceptions import AstroidError, AstroidImportError
from astroid.inference_tip import inference_tip
from astroid.manager import AstroidManager
from astroid.nodes.scoped_nodes import builtin_lookup
from astroid.typing import InferenceResult
from astroid.util import Uninferable

from flake8_torch_pitfalls.torch_model import _index
from flake8_torch_pitfalls.torch_model._index import Definition
from flake8_torch_pitfalls.torch_model._resolve import canonical, definition
from flake8_torch_pitfalls.torch_model._signatures import Type, attribute_type, returned
from flake8_torch_pitfalls.torch_model.names import modelled, stub_files


class _LazyLocals(dict[str, list[Any]]):
    """A table of names whose nodes are built on first use."""

    def __init__(
        self, names: Callable[[], Iterable[str]], build: Callable[[str], list[nodes.NodeNG]]
    ) -> None:
        super().__init__()
        self._names = names
        self._build = build

    def __missing__(self, name: str) -> list[Any]:
        built = self._build(name)
        if not built:
            raise KeyError(name)
        self[name] = built
        return built

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and bool(self.get(name)))

    def get(self, name: str, default: Any = None, /) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*super().__iter__(), *self._names()]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def keys(self) -> Any:
        return list(self)

    def values(self) -> Any:
        return [self[name] for name in self]

    def items(self) -> Any:
        return [(name, self[name]) for name in self]


class _StubModule(nodes.Module):  # type: ignore[misc]  # astroid is not marked as typed
    """A module of the model; nothing in it ever leads to an installed package."""

    def accept(self, visitor: Any) -> Any:
        return visitor.visit_module(self)

    def scope_lookup(self, node: Any, name: str, offset: int = 0) -> tuple[nodes.LocalsDictNodeNG, list[Any]]:
        """Look a name up whatever its line: the order of a stub's definitions means nothing."""
        if name in self.locals:
            return self, list(self.locals[name])
        scope, found = builtin_lookup("tuple" if name == "NamedTuple" else name)
        return scope, list(found)

    def import_module(
        self, modname: str, relative_only: bool = False, level: int | None = None, use_cache: bool = True
    ) -> nodes.Module:
        name = f"{self.name}.{modname}" if relative_only else modname
        module = AstroidManager().astroid_cache.get(name)
        if not isinstance(module, _StubModule):
            raise AstroidImportError("{modname} is not in the model.", modname=name)
        return module


class _StubFunction(nodes.FunctionDef):  # type: ignore[misc]
    """A function of the model: a call gives what the annotation of the fitting overload says."""

    def accept(self, visitor: Any) -> Any:
        return visitor.visit_functiondef(self)

    def infer_call_result(
        self, caller: Any, context: InferenceContext | None = None
    ) -> Iterator[InferenceResult]:
        bound = context.boundnode if context else None
        if self.name == "__call__" and isinstance(bound, bases.Instance):
            yield from _forward(bound, caller, context)
            return
        yield from instances(returned(self.qname(), *_form(caller)), bound)


def _forward(
    called: bases.Instance, caller: Any, context: InferenceContext | None
) -> Iterator[InferenceResult]:
    """A module that is called gives what its ``forward`` gives, also where a subclass defines that."""
    try:
        methods = list(called.igetattr("forward"))
    except AstroidError:
        methods = []
    for method in methods:
        if not isinstance(method, bases.BoundMethod):
            continue
        fresh = copy_context(context)
        if isinstance(caller, nodes.Call):
            fresh.callcontext = CallContext(caller.args, caller.keywords, callee=method)
        yield from method.infer_call_result(caller, fresh)
    if not methods:
        yield Uninferable


def _form(caller: Any) -> tuple[int, frozenset[str], frozenset[int]]:
    """Return what of a call decides between overloads, see :func:`returned`."""
    if not isinstance(caller, nodes.Call):
        return 0, frozenset(), frozenset()
    integers = {place for place, each in enumerate(caller.args) if _is_integer(each)}
    keywords = {each.arg for each in caller.keywords if each.arg}
    return len(caller.args), frozenset(keywords), frozenset(integers)


def _is_integer(node: nodes.NodeNG) -> bool:
    if isinstance(node, nodes.UnaryOp):
        node = node.operand
    return isinstance(node, nodes.Const) and type(node.value) is int


def instances(alternatives: tuple[Type, ...], bound: Any = None) -> Iterator[InferenceResult]:
    """Return inferred values of the given types; *bound* is what ``Self`` stands for.

    Where something else is possible None is left out: code that uses an optional value has checked it.
    """
    useful = [each for each in alternatives if each.name != "None"] or alternatives
    if not useful:
        yield Uninferable
    for each in useful:
        yield _instance(each, bound)


def _instance(kind: Type, bound: Any) -> InferenceResult:
    if kind.name == "Self" and bound is not None:
        me: InferenceResult = bound.instantiate_class() if isinstance(bound, nodes.ClassDef) else bound
        return me
    if kind.name == "None":
        return nodes.Const(None)
    if kind.name == "tuple" and kind.args and kind.args[-1].name != "...":
        return _tuple(kind, bound)
    if kind.name in ("list", "iterator", "tuple") and kind.args:
        # Of unknown length: one element stands for all, which is what a loop over it asks for.
        return nodes.List.from_elements([_element(kind.args[0], bound)])
    if kind.name in ("int", "float", "bool", "str", "dict", "list"):
        tree: Any = AstroidManager().builtins_module[kind.name]
    else:
        tree = lookup(kind.name) if "." in kind.name else None
    return tree.instantiate_class() if isinstance(tree, nodes.ClassDef) else Uninferable


def _element(kind: Type, bound: Any) -> InferenceResult:
    if kind.name == "union":
        return next(instances(kind.args, bound))
    return _instance(kind, bound)


class _NamedTuple(nodes.Tuple):  # type: ignore[misc]
    """A tuple whose elements have names too, such as the values and indices of ``max(dim)``."""

    def accept(self, visitor: Any) -> Any:
        return visitor.visit_tuple(self)

    fields: tuple[str, ...] = ()

    def getattr(self, name: str, context: InferenceContext | None = None, lookupclass: bool = True) -> Any:
        if name in self.fields:
            return [self.elts[self.fields.index(name)]]
        return super().getattr(name, context, lookupclass)


def _tuple(kind: Type, bound: Any) -> nodes.Tuple:
    made = _NamedTuple.from_elements([_element(each, bound) for each in kind.args])
    made.fields = kind.fields
    return made


def _build(parent: nodes.LocalsDictNodeNG, found: Definition) -> list[nodes.NodeNG]:
    """Build the nodes of one definition of *parent*'s own; overloads share the first one's."""
    (node, *_) = _parse(parent, found)
    if isinstance(node, nodes.ClassDef):
        _index_body(node, found)
    elif isinstance(node, nodes.AssignName):
        inference_tip(_infer_attribute)(node)
    return [node]


def _parse(parent: Any, found: Definition) -> list[nodes.NodeNG]:
    """Parse all overloads of a definition into nodes of *parent*."""
    source = "\n".join(found.sources)
    if found.kind == "class":
        source = f"{source.partition(':')[0]}: ..."
    elif found.kind == "value":
        source += " = ..."  # astroid passes over an annotation without a value
    name = found.name.rpartition(".")[2]
    if "." in found.name:
        source = f"class _:\n{source}"
    module = AstroidBuilder(AstroidManager(), apply_transforms=False).string_build(source, _SCRATCH)
    del AstroidManager().astroid_cache[_SCRATCH]
    scope: Any = module["_"] if "." in found.name else module
    built = scope.locals[name]
    for node in built:
        node.statement().parent = parent
        if isinstance(node, nodes.FunctionDef):
            node.__class__ = _StubFunction
    return list(built)


_SCRATCH = "flake8_torch_pitfalls.torch_model.scratch"


def _index_body(node: nodes.ClassDef, found: Definition) -> None:
    """Give a class the members its stub lists, unbuilt."""
    own = _index.members(found)
    implicit = dict(node.locals)

    def build(name: str) -> list[nodes.NodeNG]:
        target = own.get(name)
        if target is None:
            return []
        if target.kind == "reference":
            return _nodes(target.target)
        return _build(node, target)

    table = _LazyLocals(own.keys, build)
    table.update(implicit)
    node.locals = table


def _infer_attribute(node: Any, context: InferenceContext | None = None) -> Iterator[InferenceResult]:
    scope = node.scope()
    return instances(attribute_type(f"{scope.qname()}.{node.name}"))


def _module(name: str) -> _StubModule:
    """Return the module *name* with nothing in it built; without a stub, what its package re-exports."""
    path = stub_files().get(name)
    package = path is None or path.name == "__init__.pyi"
    module = _StubModule(name, file=str(path) if path else None, package=package)
    module.doc_node = None

    def names() -> Iterable[str]:
        return _index.definitions(name) if path else ()

    def build(wanted: str) -> list[nodes.NodeNG]:
        own = _index.definitions(name).get(wanted) if path else None
        if own is not None and own.kind not in ("reference", "module"):
            return _build(module, own)
        dotted = f"{name}.{wanted}"
        return _nodes(canonical(dotted)) if definition(dotted) else []

    module.locals = module.globals = _LazyLocals(names, build)
    return module


def _nodes(dotted: str) -> list[nodes.NodeNG]:
    """Return the nodes of a canonical name, which stand where it is defined."""
    found = definition(dotted)
    if found is None:
        return []
    module = _stub_modules()[found.module]
    if not found.name:
        return [module]
    owner, _, name = found.name.rpartition(".")
    scope: Any = module.locals[owner][0] if owner else module
    return list(scope.locals.get(name, []))


def _stub_modules() -> dict[str, _StubModule]:
    manager = AstroidManager()
    if "builtins" not in manager.astroid_cache:
        AstroidBuilder(manager)
    return _modules(manager.builtins_module)


@functools.lru_cache(maxsize=1)
def _modules(builtins: nodes.Module) -> dict[str, _StubModule]:
    """Return all modules; anew when astroid has rebuilt the builtins that the built ones refer to."""
    return {name: _module(name) for name in stub_files()}


def seed(imports: Iterable[str] = ()) -> None:
    modules = _stub_modules()
    cache = AstroidManager().astroid_cache
    cache.update(modules)
    for dotted in imports:
        parts = dotted.split(".")
        for length in range(2, len(parts) + 1):
            name = ".".join(parts[:length])
            if modelled(name) and not isinstance(cache.get(name), _StubModule):
                cache[name] = _module(name)


def lookup(dotted: str) -> Any:
    try:
        return next(iter(_nodes(dotted)), None)
    except (AstroidError, KeyError, RecursionError):
        return None


def overloads(dotted: str) -> tuple[nodes.FunctionDef, ...]:
    first = lookup(dotted)
    found = definition(dotted)
    if found is None or not isinstance(first, nodes.FunctionDef):
        return ()
    return tuple(node for node in _parse(first.parent, found) if isinstance(node, nodes.FunctionDef))
