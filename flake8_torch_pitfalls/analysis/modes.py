"""Whether autograd records what runs at a place: grad modes set by blocks, decorators, statements and callers."""
from __future__ import annotations

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, constant, function_of, last_name
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance, Method, Symbol, Value

OFF = frozenset(("torch.no_grad", "torch.autograd.no_grad", "torch.inference_mode", "torch.autograd.inference_mode"))
ON = frozenset(("torch.enable_grad", "torch.autograd.enable_grad"))
SET = frozenset(("torch.set_grad_enabled", "torch.autograd.set_grad_enabled"))
WORDS = frozenset(name.rpartition(".")[2] for name in (*OFF, *ON, *SET))
"""Last names of the calls that set the grad mode."""

FRAMEWORK_HOOKS = frozenset(
    "validation_step test_step predict_step on_validation_epoch_end on_test_epoch_end on_predict_epoch_end "
    "validation_epoch_end test_epoch_end on_validation_epoch_start on_test_epoch_start prediction_step".split()
)
"""Methods that Lightning and transformers call with the module in eval mode and recording off."""

_HARMLESS_DECORATORS = frozenset(
    "staticmethod classmethod property abc.abstractmethod functools.wraps functools.lru_cache functools.cache "
    "functools.cached_property typing.overload typing.override typing_extensions.override numba.jit".split()
)

_FRONT_ENDS = frozenset("fastapi flask sanic bottle click typer hydra".split())
"""Packages whose decorators call the function for a request or a command line."""


def records_grad(names: Names, node: nodes.NodeNG, stack: tuple[nodes.Call, ...] = ()) -> bool | None:
    """Return whether autograd records what runs at *node*, None if that cannot be told.

    *stack* is the calls that led to the function of *node*, outermost first. A function that nobody in view
    calls counts as called with recording on, PyTorch's default, unless it is handed to other code.
    """
    for place in (node, *reversed(stack)):
        frame = function_of(place)
        for decided in (_by_block(names, place), _by_statement(names, place, frame), _by_function(names, frame)):
            if decided is not _UNDECIDED:
                return decided if isinstance(decided, bool) else None
    outermost = function_of(stack[0] if stack else node)
    if _called_by_others(names, outermost):
        return None
    return None if _switched_off_somewhere(names, node) else True


def by_framework(names: Names, node: nodes.NodeNG, stack: tuple[nodes.Call, ...] = ()) -> bool:
    """Return whether *node* runs in a method that a framework, or code out of view, calls in a mode of its choice."""
    for place in (node, *stack):
        frame = function_of(place)
        if isinstance(frame, nodes.FunctionDef) and frame.name in FRAMEWORK_HOOKS and class_of(frame) is not None:
            return True
    return _called_by_others(names, function_of(stack[0] if stack else node))


class _Undecided:
    """Nothing here sets the grad mode: ask further out."""


_UNDECIDED = _Undecided()
_Decision = bool | None | _Undecided


def _by_block(names: Names, place: nodes.NodeNG) -> _Decision:
    """Decide by the ``with`` blocks around *place* in its function, innermost first."""
    frame = function_of(place)
    below = place
    for parent in ancestors(place):
        if parent is frame:
            break
        if isinstance(parent, nodes.With) and below in parent.body:
            for context, _ in reversed(parent.items):
                if (decided := _of_manager(names, context)) is not _UNDECIDED:
                    return decided
        below = parent
    return _UNDECIDED


def _of_manager(names: Names, context: nodes.NodeNG) -> _Decision:
    """Return what entering *context* does to the grad mode."""
    target = context.func if isinstance(context, nodes.Call) else context
    symbol = names.symbol(target)
    if symbol is not None and (decided := _of_symbol(symbol, context)) is not _UNDECIDED:
        return decided
    outcomes = {_of_value(value) for value in names.values(target)}
    return _UNDECIDED if outcomes == {_UNDECIDED} else None


_KNOWN_PACKAGES = scopes.CLOSED | scopes.BUILTINS | {"tqdm", "rich", "numpy", "tempfile", "h5py", "warnings"}


def _of_symbol(symbol: str, context: nodes.NodeNG) -> _Decision:
    if symbol in OFF:
        enabled = constant(context.args[0]) if isinstance(context, nodes.Call) and context.args else True
        return False if enabled is True else None
    if symbol in ON:
        return True
    if symbol in SET:
        mode = constant(context.args[0]) if isinstance(context, nodes.Call) and context.args else ...
        return mode if isinstance(mode, bool) else None
    return _UNDECIDED


def _of_value(value: Value) -> _Decision:
    """Return what entering *value*, or what it returns when called, does to the grad mode."""
    match value:
        case Instance(str() as name):
            if not {*OFF, *ON, *SET}.isdisjoint(torch_model.ancestors(name)):
                return None
            return _UNDECIDED if torch_model.modelled(name) else None
        case Symbol(name) | Method(name):
            return _UNDECIDED if torch_model.modelled(name) or name.partition(".")[0] in _KNOWN_PACKAGES else None
        case Instance(nodes.ClassDef() as node) | Class(node) | Function(node):
            return None if _mentions_modes(node) else _UNDECIDED
    return None


def _mentions_modes(node: nodes.NodeNG) -> bool:
    return any(word in node.as_string() for word in WORDS)


def _by_statement(names: Names, place: nodes.NodeNG, frame: nodes.NodeNG) -> _Decision:
    """Decide by ``torch.set_grad_enabled(False)`` as a statement, or a mode that is entered by hand, in *frame*."""
    latest: _Decision = _UNDECIDED
    for call in names.index_of(place).calls_in.get(frame, ()):
        if last_name(call.func) not in WORDS or isinstance(call.parent, (nodes.With, nodes.Decorators)):
            continue
        symbol = names.symbol(call.func)
        if symbol not in SET:
            return None
        mode = constant(call.args[0]) if call.args else ...
        if (call.fromlineno or 0) < (place.fromlineno or 0):
            latest = mode if isinstance(mode, bool) else None
    return _UNDECIDED if latest is True else latest


def _by_function(names: Names, frame: nodes.NodeNG) -> _Decision:
    """Decide by the decorators of *frame* and by who calls it."""
    if not isinstance(frame, nodes.FunctionDef):
        return _UNDECIDED
    for decorator in frame.decorators.nodes if frame.decorators is not None else ():
        target = decorator.func if isinstance(decorator, nodes.Call) else decorator
        if _is_front_end(names, target):
            continue
        symbol = names.symbol(target)
        if symbol is None:
            return None
        if (decided := _of_symbol(symbol, decorator)) is not _UNDECIDED:
            return decided
        if symbol not in _HARMLESS_DECORATORS and not symbol.startswith("torch.") and "." in symbol:
            return None
    if frame.name in FRAMEWORK_HOOKS and class_of(frame) is not None:
        return False
    return _UNDECIDED


def _is_front_end(names: Names, decorator: nodes.NodeNG) -> bool:
    """Return whether *decorator* makes a function a command or an address of a server, which leaves it as it is."""
    symbol = names.symbol(decorator)
    if symbol is None and isinstance(decorator, nodes.Attribute) and isinstance(decorator.expr, nodes.Name):
        made = [getattr(one.parent, "value", None) for one in scopes.definitions(decorator.expr, decorator.expr.name)]
        if len(made) == 1 and isinstance(made[0], nodes.Call):
            symbol = names.symbol(made[0].func)
    return symbol is not None and symbol.partition(".")[0] in _FRONT_ENDS


def _called_by_others(names: Names, frame: nodes.NodeNG) -> bool:
    """Return whether code out of view may call *frame*: it is handed over as a value, or overrides a method."""
    if not isinstance(frame, nodes.FunctionDef):
        return isinstance(frame, nodes.Lambda)
    owner = class_of(frame)
    if owner is not None and any(base is None for base in names.mro(owner)):
        return True
    return is_handed_over(names, frame)


def is_handed_over(names: Names, function: nodes.FunctionDef) -> bool:
    """Return whether *function* is mentioned as a value in its module, so that others may call it."""
    index = names.index_of(function)
    if isinstance(function.parent, nodes.ClassDef):
        mentions: list[nodes.NodeNG] = list(index.attributes.get(function.name, ()))
    else:
        mentions = list(index.reads.get(function.name, ()))
    return any(
        not (isinstance(node.parent, nodes.Call) and node.parent.func is node)
        and not isinstance(node.parent, nodes.Attribute)
        and any(isinstance(value, Function) and value.node is function for value in names.values(node))
        for node in mentions
    )


def _switched_off_somewhere(names: Names, node: nodes.NodeNG) -> bool:
    """Return whether a statement in the module of *node* switches recording off for good."""
    return any(
        isinstance(call.parent, nodes.Expr) and not (call.args and constant(call.args[0]) is True)
        for call in names.index_of(node).calls.get("set_grad_enabled", ())
    )
