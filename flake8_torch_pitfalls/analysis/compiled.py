"""What ``torch.compile`` compiles: where that is said, the functions of the project it reaches, and who calls them.

A trace reaches the same functions: see ``regions``.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import arguments, constants, local_names
from flake8_torch_pitfalls.analysis.data_dependent import may_be_skipped
from flake8_torch_pitfalls.analysis.lineage import handed_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import WRAPPERS, Names
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    argument,
    class_of,
    decorator_names,
    dotted,
    function_of,
    is_open,
    last_name,
    target_text,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance, Value

COMPILE = "torch.compile"
MODULE_COMPILE = "torch.nn.Module.compile"

_NOT_TRACED = frozenset(
    "disable ignore allow_in_graph nonstrict_trace leaf_function substitute_in_graph custom_op triton_op script jit "
    "contextmanager __init__".split()
)
"""Decorators of functions that the compiler does not look into, and the constructor."""
_ASKS_WHO_RUNS_IT = frozenset(
    "is_compiling is_dynamo_compiling is_exporting graph_break is_tracing is_in_onnx_export".split()
)
"""Calls by which a function tells whether it is compiled, traced or just run."""
_LARGEST = 60


@dataclasses.dataclass(frozen=True, slots=True)
class Compilation:
    """A place where something is compiled: a call of ``torch.compile`` or ``Module.compile``, or a decorator.

    *compiled* is the expression or the decorated function, *options* what is given besides.
    """

    node: nodes.NodeNG
    compiled: nodes.NodeNG
    options: dict[str, nodes.NodeNG]
    is_open: bool

    @property
    def result(self) -> nodes.NodeNG:
        """The expression that is the compiled function or module."""
        node = self.node
        above = node.parent
        return above if isinstance(above, nodes.Call) and above.func is node else node

    @property
    def is_in_place(self) -> bool:
        """Whether every call of the function or module is a call of what is compiled."""
        if isinstance(self.compiled, (nodes.FunctionDef, nodes.Call)) or self.compiled is _receiver(self.node):
            return True
        statement = self.result.parent
        targets = statement.targets if isinstance(statement, nodes.Assign) else ()
        return dotted(self.compiled) in {target_text(target) for target in targets}


@dataclasses.dataclass(frozen=True, slots=True)
class Region:
    """A function of the project that is compiled, itself or because compiled functions call it by *stack*."""

    function: Function
    compilation: Compilation
    stack: tuple[nodes.Call, ...]

    def place(self, node: nodes.NodeNG, file: nodes.Module) -> nodes.NodeNG:
        """Return where in *file* to report what *node* does: itself, or the call or compilation that leads to it."""
        candidates = (node, *reversed(self.stack))
        return next((one for one in candidates if one.root() is file), self.compilation.node)

    @property
    def name(self) -> str:
        """How messages call the function."""
        node = self.function.node
        owner = class_of(node)
        name = getattr(node, "name", "lambda")
        return f"{owner.name}.{name}" if owner is not None and isinstance(node.parent, nodes.ClassDef) else str(name)


def compilations(source: Source) -> Iterator[Compilation]:
    """Yield what is compiled in the file, in the order of the text for each way to say it."""
    for name in sorted(local_names(source.index, {"compile"})):
        for target in (*source.index.attributes.get(name, ()), *_plain_names(source, name)):
            if isinstance(target, nodes.Attribute) and last_name(target.expr) in ("re", "regex"):
                continue
            found = _said_by(source, target)
            if found is not None:
                yield found


def _plain_names(source: Source, name: str) -> Iterator[nodes.Name]:
    if name in source.module.locals:
        yield from (node for node in source.index.of(nodes.Name) if node.name == name)


def _said_by(source: Source, target: nodes.NodeNG) -> Compilation | None:
    """Return what *target*, a mention of ``compile``, compiles; None if it is not torch's."""
    call = target.parent
    if isinstance(call, nodes.Decorators):
        return Compilation(target, call.parent, {}, False) if source.names.symbol(target) == COMPILE else None
    if not isinstance(call, nodes.Call):
        return None
    symbol = source.names.symbol(target)
    if symbol == MODULE_COMPILE:
        return Compilation(call, target.expr, arguments(call, COMPILE, []), is_open(call))
    partial = call.func is not target
    if symbol != COMPILE or partial and last_name(call.func) != "partial":
        return None
    options = arguments(call, COMPILE, call.args[1:] if partial else None)
    model = options.pop("model", None)
    if model is None and isinstance(call.parent, nodes.Decorators):
        model = call.parent.parent
    elif model is None and isinstance(call.parent, nodes.Call) and call.parent.func is call:
        model = argument(call.parent, 0, None)  # torch.compile(mode="…")(model)
    return None if model is None else Compilation(call, model, options, is_open(call))


def _receiver(node: nodes.NodeNG) -> nodes.NodeNG | None:
    return getattr(getattr(node, "func", None), "expr", None)


# -- what is compiled ------------------------------------------------------------------------------


def functions(source: Source, compilation: Compilation) -> list[Function]:
    """Return the functions of the project that *compilation* compiles: of modules their ``forward``."""
    if isinstance(compilation.compiled, nodes.FunctionDef):
        owner = compilation.compiled.parent
        return [Function(compilation.compiled, Instance(owner) if isinstance(owner, nodes.ClassDef) else None)]
    found = _run_by(source.names, source.names.known(compilation.compiled))
    return found or _run_by(source.names, _handed(source.names, compilation.compiled))


def _handed(names: Names, node: nodes.NodeNG) -> list[Value]:
    """Return what callers hand over as *node*, a parameter of which its annotation says less: ``model: nn.Module``."""
    if not isinstance(node, nodes.Name):
        return []
    found: list[Value] = []
    for parameter in filter(is_parameter, scopes.definitions(node, node.name)):
        function = parameter.parent.parent
        for site in names.call_sites(function) if isinstance(function, nodes.FunctionDef) else ():
            given = handed_to(parameter, site)
            found += names.known(given) if given is not None else []
    return found


def _run_by(names: Names, values: list[Value]) -> list[Function]:
    """Return the functions of the project that calling one of *values*, or its members, runs."""
    found: list[Function] = []
    for value in values:
        match value:
            case Function():
                found.append(value)
            case Instance(nodes.ClassDef() as node) if (forward := names.method(node, "forward")) is not None:
                found.append(Function(forward, value))
            case Instance(str() as cls) if cls in WRAPPERS:
                found += _run_by(names, [one for one in names.unwrapped(value) if one != value])
            case Instance("torch.nn.Sequential"):
                found += _run_by(names, [one for one in names.elements(value) if one != value])
    return found


def regions(source: Source, compilation: Compilation) -> Iterator[Region]:
    """Yield the functions that *compilation* reaches, nearest first, without those that are kept out of it."""
    waiting = [Region(function, compilation, ()) for function in functions(source, compilation)]
    seen = {region.function.node for region in waiting}
    for region in waiting:
        node = region.function.node
        if not _is_traced(source, node):
            continue
        yield region
        for call in source.names.index_of(node).calls_in.get(node, ()):
            for callee in source.names.callee(call):
                if callee.node not in seen and len(seen) < _LARGEST and not may_be_skipped(source, call, node):
                    seen.add(callee.node)
                    waiting.append(Region(callee, compilation, (*region.stack, call)))


def _is_traced(source: Source, function: nodes.NodeNG) -> bool:
    """Return whether the compiler looks into *function*, and this does not ask who runs it."""
    if decorator_names(function) & _NOT_TRACED or getattr(function, "name", "") == "__init__":
        return False
    calls = source.names.index_of(function).calls_in.get(function, ())
    return not any(last_name(call.func) in _ASKS_WHO_RUNS_IT for call in calls)


def has_option(source: Source, compilation: Compilation, name: str, *values: object) -> bool:
    """Return whether the option *name* is surely given as one of *values*."""
    given = compilation.options.get(name)
    found = constants(source.names, given) if given is not None else None
    return found is not None and found <= set(values)


# -- calls of what is compiled ---------------------------------------------------------------------


def calls_of(source: Source, compilation: Compilation) -> Iterator[nodes.Call]:
    """Yield the calls in the file that surely run what *compilation* compiled."""
    compiled = {function.node for function in functions(source, compilation)}
    texts = _names_of_result(compilation)
    if compilation.is_in_place and (text := dotted(compilation.compiled)) is not None:
        texts.add(text)
    for call in source.index.of(nodes.Call):
        if call is compilation.result or call is compilation.node:
            continue
        text = dotted(call.func)
        if compilation.is_in_place and text is not None:
            if last_name(call.func) in _called_names(compilation, texts) or isinstance(call.func, nodes.Name):
                if compiled & {function.node for function in source.names.callee(call)}:
                    yield call
                    continue
        if text in texts and _is_visible_from(compilation.node, call):
            yield call


def _names_of_result(compilation: Compilation) -> set[str]:
    statement = compilation.result.parent
    targets = statement.targets if isinstance(statement, nodes.Assign) else ()
    return {text for target in targets if (text := target_text(target)) is not None}


def _called_names(compilation: Compilation, texts: set[str]) -> set[str]:
    names = {text.rpartition(".")[2] for text in texts}
    for node in (compilation.compiled, _receiver(compilation.node)):
        name = node.name if isinstance(node, nodes.FunctionDef) else last_name(node)
        if name is not None:
            names.add(name)
    return names


def _is_visible_from(compilation: nodes.NodeNG, call: nodes.Call) -> bool:
    """Return whether one variable name means one thing where it is compiled and where it is called."""
    if str(dotted(call.func)).startswith("self."):
        return class_of(call) is class_of(compilation)
    owner = function_of(compilation)
    if not isinstance(owner, FUNCTIONS):
        return str(dotted(call.func)) not in function_of(call).locals or function_of(call) is owner
    return owner is function_of(call) or owner in ancestors(call)
