"""A module whose base is not initialised cannot hold modules, parameters or buffers.

## What happens
`nn.Module.__init__` makes the tables in which a module keeps what is assigned to it. Before that, assigning a
module or parameter, or registering a buffer, raises `AttributeError`:
`cannot assign module before Module.__init__() call`. A class that assigns only numbers is built without an error;
then calling it, `eval()`, `to()` and `parameters()` raise. `super(nn.Module, self).__init__()` looks the method up
*behind* `nn.Module`, so it does not initialise anything either.

## What to write
`super().__init__()` as the first statement of `__init__`.

## Silent
- Numbers, tensors and other plain attributes before the call.
- `nn.Module.__init__(self)`, the `__init__` of any base, and helpers of the class that call it.
- Classes with a metaclass, a `__new__` or a `__setattr__` of their own, which may do it for you.
- Dataclasses whose fields are no modules, and whose `__post_init__` calls it.

## Where it is reported
At the first assignment that raises, where the call comes later; at `__init__` where there is no call.

## Known limits
A call of a base's `__init__` counts for the class, whatever that base does in it.

## Sources
- `torch.nn.Module` in PyTorch's documentation: "an `__init__()` call to the parent class must be made before
  assignment on the child".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, decorator_names, function_of, is_super, last_name, self_name
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Module", "nn", "__init__", "__post_init__"}

MODULE = "torch.nn.Module"
TAKES_OVER = ("__new__", "__setattr__", "__init_subclass__")
REGISTERING = ("register_buffer", "register_parameter", "add_module", "register_module")
HARMLESS = ("super", "setattr", "hasattr", "getattr")
"""Builtins that are given ``self`` and do not initialise it."""
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Yield the modules that are used before, or without, the initialisation of their base."""
    for cls in source.index.of(nodes.ClassDef):
        if source.names.derives(cls, MODULE) is True and not _is_taken_over(source, cls):
            init = "__init__"
            if "dataclass" in decorator_names(cls) and init not in cls.locals:
                init = "__post_init__"
                yield from _fields(source, cls)
            constructor = cls.locals.get(init, [None])[-1]
            if isinstance(constructor, nodes.FunctionDef):
                yield from _constructor(source, cls, constructor)


def _is_taken_over(source: Source, cls: nodes.ClassDef) -> bool:
    """Return whether a metaclass, or a method of the project's, may initialise the module by itself."""
    return any(
        isinstance(base, nodes.ClassDef)
        and (base._metaclass is not None or any(name in base.locals for name in TAKES_OVER))
        for base in source.names.mro(cls)
    )


def _fields(source: Source, cls: nodes.ClassDef) -> Iterator[Finding]:
    """Yield the first field of a dataclass that its generated ``__init__`` cannot assign."""
    for statement in cls.body:
        match statement:
            case nodes.AnnAssign(target=nodes.AssignName(name=name), value=None, annotation=annotation):
                declared = source.names.annotated(annotation)
                if all(_is_registered(source, value) for value in declared) and not _is_class_variable(annotation):
                    if declared:
                        text = f"the dataclass assigns '{name}' before 'super().__init__()', which raises"
                        yield Finding(statement, f"{text}; write an '__init__' for '{cls.name}'")
                        return


def _is_class_variable(annotation: nodes.NodeNG) -> bool:
    return isinstance(annotation, nodes.Subscript) and last_name(annotation.value) == "ClassVar"


def _constructor(source: Source, cls: nodes.ClassDef, init: nodes.FunctionDef) -> Iterator[Finding]:
    owner = f"'{cls.name}.{init.name}'"
    calls = list(_initialisations(source, init))
    if not calls and not _hands_self_on(source, cls, init, 0):
        first = next(_assignments(source, cls, init), None)
        if first is not None or (_has_forward(source, cls) and not _refuses(init)):
            what = first[1] if first is not None else "using the module"
            yield Finding(init, f"{owner} does not call 'super().__init__()': {what} raises; call it first")
    elif calls:
        start = min((call.fromlineno, call.col_offset) for call in calls)
        for node, what in _assignments(source, cls, init):
            if (node.fromlineno, node.col_offset) < start and function_of(node) is init:
                yield Finding(node, f"{what} before 'super().__init__()' raises; call that first")
                return


# -- what initialises ------------------------------------------------------------------------------


def _initialisations(source: Source, function: nodes.FunctionDef) -> Iterator[nodes.Call]:
    """Yield the calls in *function* that may initialise the base."""
    index = source.names.index_of(function)
    for call in index.calls_in.get(function, ()):
        if last_name(call.func) == "__init__" and not _skips_module(source, call):
            yield call


def _skips_module(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* is ``super(nn.Module, self).__init__()``, which runs what comes after it."""
    match call.func:
        case nodes.Attribute(expr=nodes.Call(func=nodes.Name(name="super"), args=[start, *_])):
            return source.names.symbol(start) == MODULE
    return False


def _hands_self_on(source: Source, cls: nodes.ClassDef, function: nodes.FunctionDef, depth: int) -> bool:
    """Return whether *function* runs something, given ``self``, that may call the base's ``__init__``."""
    name = self_name(function)
    for call in source.names.index_of(function).calls_in.get(function, ()):
        if last_name(call.func) == "__init__":
            continue
        if any(isinstance(arg, nodes.Name) and arg.name == name for arg in call.args):
            if not isinstance(call.func, nodes.Name) or call.func.name not in HARMLESS:
                return True
        if (method := _own_method(source, cls, call, name)) is not None and depth < _DEEPEST:
            if any(_initialisations(source, method)) or _hands_self_on(source, cls, method, depth + 1):
                return True
        elif isinstance(call.func, nodes.Attribute) and is_super(call.func.expr):
            return True  # super().setup(): out of sight
    return False


def _own_method(
    source: Source, cls: nodes.ClassDef, call: nodes.Call, name: str | None
) -> nodes.FunctionDef | None:
    """Return the method of the project that *call*, ``self.method(…)``, runs."""
    if isinstance(call.func, nodes.Attribute) and isinstance(call.func.expr, nodes.Name):
        if call.func.expr.name == name:
            return source.names.method(cls, call.func.attrname)
    return None


# -- what needs it ---------------------------------------------------------------------------------


def _assignments(
    source: Source, cls: nodes.ClassDef, function: nodes.FunctionDef, depth: int = 0
) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield what registers something on ``self`` in *function* and in methods it calls, and words for it."""
    index = source.names.index_of(function)
    me = self_name(function)
    found: list[nodes.NodeNG] = [
        target
        for targets in index.stores_in.get(class_of(function), {}).values()
        for target in targets
        if function_of(target) is function and isinstance(target.expr, nodes.Name) and target.expr.name == me
    ]
    found += index.calls_in.get(function, ())
    for node in sorted(found, key=lambda node: (node.fromlineno or 0, node.col_offset or 0)):
        if isinstance(node, nodes.AssignAttr):
            values = source.names.stored(node)
            if values and all(_is_registered(source, value) for value in values):
                yield node, f"assigning '{me}.{node.attrname}'"
        elif isinstance(node.func, nodes.Attribute) and node.func.attrname in REGISTERING:
            if isinstance(node.func.expr, nodes.Name) and node.func.expr.name == me:
                yield node, f"'{me}.{node.func.attrname}()'"
        elif depth < _DEEPEST and (method := _own_method(source, cls, node, me)) is not None:
            if method is not function:
                yield from _assignments(source, cls, method, depth + 1)


def _is_registered(source: Source, value: object) -> bool:
    return isinstance(value, Instance) and source.names.is_a(value, MODULE, "torch.nn.Parameter") is True


def _has_forward(source: Source, cls: nodes.ClassDef) -> bool:
    return source.names.method(cls, "forward") is not None


def _refuses(init: nodes.FunctionDef) -> bool:
    """Return whether the class is not meant to be built."""
    return any(isinstance(statement, nodes.Raise) for statement in init.body)
