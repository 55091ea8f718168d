"""A layer that `forward` builds anew has new random weights in every call and is never trained.

## What happens
`nn.Linear(8, 8)(x)` in `forward` makes a layer, draws its weights, uses it once and drops it. No optimizer knows its
parameters, `state_dict()` does not save them, `to(device)` does not move them, and two calls with one input give two
results. A layer that is kept (`self.fc = nn.Linear(...)`) is still drawn anew in the next call, and the optimizer goes
on stepping the one it was given. `nn.Dropout(0.5)(x)` in `forward` is in train mode whatever `eval()` says, for the
new module never hears of it. None of that raises.

## What to write
Build the layer in `__init__` and keep it: `self.fc = nn.Linear(8, 8)`. For dropout also
`F.dropout(x, 0.5, self.training)`. For a size that is only known from the input, `nn.LazyLinear(8)`.

## Silent
- Modules with neither parameters nor a mode: `nn.ReLU()`, `nn.Softmax(dim=1)`, losses, pooling.
- A layer that is built once: kept on `self`, under a test of what `self` has already, there or around the call of
  the method that builds it.
- A layer whose weights are set right after: a fixed filter.
- `nn.Dropout(p).train(self.training)`, and the like.
- A forward pass that trains what it builds: it makes an optimizer, or goes backward.
- A helper with a decorator that may keep its result: `@functools.cache`, `@singleton`.
- Modules built in `__init__` and in methods that `forward` does not call.

## Known limits
Helpers of other files, and lambdas, are not looked into.

## Sources
- `torch.nn.Module` and `torch.nn.modules.lazy.LazyModuleMixin` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    decorator_names,
    dotted,
    earlier_in_block,
    function_of,
    last_name,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import Class, Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"forward", "training_step"}

_FORWARDS = ("forward", "training_step", "validation_step")
_TRAINS = ("backward", "zero_grad")
_TRANSPARENT = {"staticmethod", "no_grad", "inference_mode", "autocast", "typechecked", "jaxtyped", "compile", "script"}
"""Decorators under which a function runs in each call."""
_SETS_MODE = ("train", "eval")
_SETS_WEIGHTS = ("load_state_dict", "requires_grad_", "weight", "bias", "parameters", "named_parameters", "apply")


def check(source: Source) -> Iterator[Finding]:
    """Yield the modules with parameters or a mode that are made anew by each forward pass."""
    seen: set[nodes.NodeNG] = set()
    for forward in source.index.of(nodes.FunctionDef):
        if forward.name not in _FORWARDS or not isinstance(forward.parent, nodes.ClassDef):
            continue
        calls = dict(_calls_below(source, forward, seen))
        if any(last_name(call.func) in _TRAINS for call in calls):
            continue
        reported: set[nodes.NodeNG] = set()
        for call, is_asked_for in calls.items():
            if is_asked_for and _is_kept(call):
                continue
            if not reported.isdisjoint(ancestors(call)):
                continue  # a part of what is reported as a whole
            if (made := _made(source, call)) is not None and _is_module(source, forward.parent):
                if (problem := _problem(source, made)) is not None and not _is_meant(source, call):
                    reported.add(call)
                    yield Finding(call, problem)


def _is_module(source: Source, cls: nodes.ClassDef) -> bool:
    return source.kinds.is_kind(Instance(cls), "module") is True


def _calls_below(
    source: Source, top: nodes.FunctionDef, seen: set[nodes.NodeNG]
) -> Iterator[tuple[nodes.Call, bool]]:
    """Yield the calls of *top* and of the functions of the file that it calls, each function once for the file.

    With each comes whether a test of what the object has decides about the function: ``if not self.built:``.
    """
    waiting = [(top, False)]
    while waiting:
        function, is_asked_for = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        for call in source.index.calls_in.get(function, ()):
            helper = _helper(call, function)
            if helper is None:
                yield call, is_asked_for
            else:
                waiting.append((helper, is_asked_for or _is_asked_for(call)))


def _helper(call: nodes.Call, caller: nodes.FunctionDef) -> nodes.FunctionDef | None:
    """Return the function of the same class or file that *call* plainly names."""
    match call.func:
        case nodes.Attribute(expr=nodes.Name(name="self"), attrname=name):
            owner = caller.parent
        case nodes.Name(name=name):
            owner = caller.root()
        case _:
            return None
    found = owner.locals.get(name, [None])[-1] if isinstance(owner, (nodes.ClassDef, nodes.Module)) else None
    if not isinstance(found, nodes.FunctionDef) or decorator_names(found) - _TRANSPARENT:
        return None
    return found


def _made(source: Source, call: nodes.Call) -> Instance | None:
    """Return the module that *call* makes, None for calls of anything but one class of modules."""
    if not (last_name(call.func) or "")[:1].isupper():
        return None
    match source.names.values(call.func):
        case (Symbol(name),) if name.startswith("torch.nn."):
            made = Instance(name, call)
        case (Class(node),):
            made = Instance(node, call)
        case _:
            return None
    return made if source.kinds.is_kind(made, "module") is True else None


def _problem(source: Source, made: Instance) -> str | None:
    """Return what is wrong with making *made* in each forward pass, None if nothing is."""
    assert isinstance(made.made_at, nodes.Call)
    built = f"'{text_of(made.made_at.func)}' built in a forward pass"
    if layers.has(source.names, made, layers.Trait.PARAMETERS) is True:
        return f"{built} has new random weights each time, never trained; build it in '__init__'"
    if layers.has(source.names, made, layers.Trait.MODES) is True:
        return f"{built} is always in train mode, 'eval()' misses it; build it in '__init__'"
    return None


def _is_meant(source: Source, call: nodes.Call) -> bool:
    """Return whether a module made anew is what the author wants: built once, set up by hand, or the result."""
    parent = call.parent.parent if isinstance(call.parent, nodes.IfExp) else call.parent
    return _is_built_once(call) or _is_set_up(source, call) or isinstance(parent, nodes.Return)


def _is_built_once(call: nodes.Call) -> bool:
    """Return whether *call* stands under a test of what the object has, and what it makes may be kept."""
    if isinstance(call.parent, nodes.Call) and call.parent.func is call:
        return False  # used at once, and dropped
    return _is_asked_for(call)


def _is_asked_for(call: nodes.Call) -> bool:
    """Return whether *call* stands under a test of what the object has, or behind one that leaves the function."""
    below: nodes.NodeNG = call
    for above in ancestors(call):
        if isinstance(above, nodes.If) and _asks_object(above.test):
            return True
        if any(_leaves(earlier) for earlier in earlier_in_block(below)):
            return True
        if isinstance(above, FUNCTIONS):
            return False
        below = above
    return False


def _leaves(statement: nodes.NodeNG) -> bool:
    """Return whether *statement* leaves the function for what the object has: ``if self.built: return``."""
    return (
        isinstance(statement, nodes.If)
        and _asks_object(statement.test)
        and isinstance(statement.body[-1], nodes.Return)
    )


def _is_kept(call: nodes.Call) -> bool:
    """Return whether what *call* makes is put on an object."""
    statement = call.statement()
    if isinstance(statement, (nodes.Assign, nodes.AnnAssign)):
        targets = getattr(statement, "targets", None) or [statement.target]
        return any(isinstance(target, (nodes.AssignAttr, nodes.Subscript)) for target in targets)
    return isinstance(statement, nodes.Expr)


def _asks_object(test: nodes.NodeNG) -> bool:
    return any(
        name.name == "self" and not (isinstance(name.parent, nodes.Attribute) and name.parent.attrname == "training")
        for name in test.nodes_of_class(nodes.Name)
    )


def _is_set_up(source: Source, call: nodes.Call) -> bool:
    """Return whether the mode or the weights of what *call* makes are set after it is made."""
    if isinstance(call.parent, nodes.Attribute):
        return call.parent.attrname in (*_SETS_MODE, *_SETS_WEIGHTS)
    statement = call.statement()
    if not isinstance(statement, nodes.Assign) or statement.value is not call:
        return False
    name = dotted(statement.targets[0]) if isinstance(statement.targets[0], nodes.Attribute) else None
    if isinstance(statement.targets[0], nodes.AssignName):
        name = statement.targets[0].name
    return any(
        dotted(read.expr) == name and function_of(read) is function_of(call)
        for word in (*_SETS_MODE, *_SETS_WEIGHTS)
        for read in (*source.index.attributes.get(word, ()), *source.index.stores.get(word, ()))
    )
