"""`torch.compile` called in each pass of a loop, or in each forward pass, wraps and checks again what it has compiled.

## What happens
What is compiled is kept with the function's code, so that the same function or module is not compiled a second time.
But each `torch.compile(f)` makes a new wrapper, and its first call is the expensive one: it sets up the compiler,
enters the frame anew and finds the old code by its guards. Around small functions that takes several times as long as a
call of a wrapper that is kept. With an own backend, or with options that are new objects in each pass, everything is
compiled again.

`model = torch.compile(model)` in a loop is worse. The second time it wraps the wrapper, and what comes back is a plain
function: no `train()`, `parameters()` or `state_dict()`.

## What to write
Compile once, before the loop or in `__init__`, and call the result in the loop.

## Silent
- Compiled at the level of a module, in `__init__` or in a function that runs once.
- Kept: under a test of what was compiled before, in the first pass only, in a function with `functools.cache`.
- Another model, mode or backend in each pass: `for mode in modes: torch.compile(f, mode=mode)`.
- Loops that reset the compiler between the passes, and tests.

## Known limits
A function that compiles is followed to the loops of this file that call it, not to those of other files; `forward` and
the steps of a LightningModule count as called in a loop wherever that stands. `Module.compile()`
and comprehensions are not looked at.

## Sources
- `torch.compile` in PyTorch's documentation. Measured with torch 2.13.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import local_names
from flake8_torch_pitfalls.analysis.lineage import handed_to, is_parameter
from flake8_torch_pitfalls.analysis.purpose import root_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    LOOPS,
    ancestors,
    argument,
    block_of,
    class_of,
    constant,
    decorator_names,
    function_of,
    is_open,
    last_name,
    loops_around,
    self_name,
    target_text,
    text_of,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}

Top: TypeAlias = nodes.NodeNG
"""A loop, or a function that runs for each batch."""

_STEPS = frozenset(("training_step", "validation_step", "test_step", "predict_step"))
_CACHES = frozenset(("cache", "lru_cache", "cached_property", "singledispatch", "fixture", "cached"))
_RESETS = frozenset(("reset", "reset_code_caches", "clear_compile_cache"))
_LEAVES = (nodes.Return, nodes.Raise, nodes.Break, nodes.Continue)
_FACTS = ("torch.", "sys.", "platform.", "os.")
"""What tests may ask about that is the same in every pass."""
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Yield the compilations that run again and again for the same function or module."""
    for place, compiled in _compilations(source):
        if not _is_in_test(place):
            found = _repeated(source, place, _parts(place, compiled), 0)
            if found is not None:
                yield Finding(found[0], _message(source, *found, compiled))


def _compilations(source: Source) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG | None]]:
    """Yield where ``torch.compile`` is called, or decorates, inside a function or loop, and what it compiles."""
    for name in sorted(local_names(source.index, {"compile"})):
        for attribute in (*source.index.attributes.get(name, ()), *_names(source, name)):
            call = attribute.parent
            if isinstance(call, nodes.Decorators):
                place, compiled = attribute, call.parent
            elif isinstance(call, nodes.Call) and call.func is attribute:
                place, compiled = call, argument(call, 0, "model")
                if isinstance(call.parent, nodes.Decorators):
                    compiled = call.parent.parent
                elif compiled is None and isinstance(call.parent, nodes.Call) and call.parent.func is call:
                    compiled = argument(call.parent, 0, None)  # torch.compile(mode="…")(model)
            else:
                continue
            if _may_repeat(place) and source.names.symbol(attribute) == "torch.compile":
                yield place, compiled


def _names(source: Source, name: str) -> Iterator[nodes.Name]:
    """Yield the uses of *name*, where an import or assignment gives it to ``torch.compile``."""
    if name != "compile" or name in source.module.locals:
        yield from (node for node in source.index.of(nodes.Name) if node.name == name)


def _may_repeat(place: nodes.NodeNG) -> bool:
    """Return whether *place* stands in a loop or function at all."""
    return any(isinstance(above, (*LOOPS, *FUNCTIONS)) for above in ancestors(_outside(place)))


def _outside(place: nodes.NodeNG) -> nodes.NodeNG:
    """Return *place*, or the function that it decorates."""
    decorators = next((above for above in ancestors(place) if isinstance(above, nodes.Decorators)), None)
    return place if decorators is None else decorators.parent


def _is_in_test(place: nodes.NodeNG) -> bool:
    return any(isinstance(above, nodes.FunctionDef) and above.name.startswith("test") for above in ancestors(place))


def _message(source: Source, site: nodes.NodeNG, top: Top, compiled: nodes.NodeNG | None) -> str:
    when, where = "in each pass of the loop", "before the loop"
    if isinstance(top, nodes.FunctionDef):
        when, where = f"for each call of '{top.name}'", "in '__init__'"
    if isinstance(compiled, nodes.FunctionDef):
        return f"'{compiled.name}' is defined and compiled {when}; do it once, {where}"
    if not isinstance(compiled, (nodes.Name, nodes.Attribute)):
        return f"a function is handed to 'torch.compile' {when}; compile it once, {where}"
    text = text_of(compiled)
    statement = site.statement()
    is_rebound = isinstance(statement, nodes.Assign) and text in map(target_text, statement.targets)
    is_kept = isinstance(compiled, nodes.Attribute) or function_of(site) is function_of(top)
    if is_rebound and is_kept and source.kinds.of(compiled, "module"):
        return f"'{text}' is compiled {when} and no module any more from the second on; compile it once, {where}"
    return f"'{text}' is handed to 'torch.compile' {when}; compile it once, {where}"


# -- what runs again -------------------------------------------------------------------------------


def _repeated(
    source: Source, place: nodes.NodeNG, parts: list[nodes.NodeNG], depth: int
) -> tuple[nodes.NodeNG, Top] | None:
    """Return where to report and what repeats *place*: a loop around it, its function, or a loop that calls that.

    *place* compiles, or calls what does, *depth* calls further in; what is compiled depends on *parts*.
    """
    outside = _outside(place)
    loops = loops_around(outside)
    for loop in loops:
        if _runs_in_each_pass(source, outside, loop) and not _varies(place, parts, loop) and not _resets(source, loop):
            return place, loop
    function = function_of(outside)
    if loops or not isinstance(function, nodes.FunctionDef) or decorator_names(function) & _CACHES:
        return None
    if not _runs_in_each_pass(source, outside, function):
        return None
    if _runs_for_each_batch(source, function):
        return place, function
    return _repeated_by_caller(source, place, parts, depth) if depth < _DEEPEST else None


def _repeated_by_caller(
    source: Source, place: nodes.NodeNG, parts: list[nodes.NodeNG], depth: int
) -> tuple[nodes.NodeNG, Top] | None:
    function = function_of(_outside(place))
    handed = _handed(place, parts, function)
    for site in source.names.call_sites(function) if handed is not None else ():
        if function_of(site) is not function and not is_open(site):
            given = [handed_to(parameter, site) for parameter in handed or ()]
            if isinstance(site.func, nodes.Attribute):
                given.append(site.func.expr)
            found = _repeated(source, site, [one for one in given if one is not None], depth + 1)
            if found is not None:
                return found if isinstance(place.parent, nodes.Return) else (place, found[1])
    return None


def _handed(
    place: nodes.NodeNG, parts: list[nodes.NodeNG], function: nodes.FunctionDef
) -> list[nodes.AssignName] | None:
    """Return the parameters of *function* that *parts* read, None if they depend on what *function* makes."""
    found = []
    if any(isinstance(part, nodes.Call) for part in parts):
        return None
    for definition in _definitions(parts):
        if is_parameter(definition) and definition.parent.parent is function:
            if self_name(function) != definition.name:
                found.append(definition)
        elif function_of(definition) is function and not _is_rebound(definition, place):
            if not isinstance(definition, nodes.FunctionDef):
                return None
    return found


def _runs_for_each_batch(source: Source, function: nodes.FunctionDef) -> bool:
    owner = function.parent
    if not isinstance(owner, nodes.ClassDef):
        return False
    if function.name == "forward":
        return source.names.derives(owner, "torch.nn.Module") is True
    return function.name in _STEPS and source.names.derives(owner, "lightning.pytorch.LightningModule") is True


def _resets(source: Source, loop: Top) -> bool:
    return any(last_name(call.func) in _RESETS for call in source.index.within(loop, nodes.Call))


# -- what is another function in each pass ---------------------------------------------------------


def _parts(place: nodes.NodeNG, compiled: nodes.NodeNG | None) -> list[nodes.NodeNG]:
    """Return what *place*, which compiles *compiled*, depends on."""
    options = [*place.args, *(keyword.value for keyword in place.keywords)] if isinstance(place, nodes.Call) else []
    return options if compiled is None or compiled in options else [*options, compiled]


def _varies(place: nodes.NodeNG, parts: list[nodes.NodeNG], loop: nodes.For | nodes.While) -> bool:
    """Return whether *parts* are made or picked by *loop*, so that each pass may compile something else."""
    if isinstance(loop, nodes.For) and isinstance(loop.iter, (nodes.Tuple, nodes.List, nodes.Dict, nodes.Set)):
        return True
    if any(isinstance(part, nodes.Call) for part in parts):
        return True
    made = [one for one in _definitions(parts) if loop in ancestors(one) and not _is_rebound(one, place)]
    return any(not isinstance(one, nodes.FunctionDef) for one in made)


def _definitions(parts: list[nodes.NodeNG]) -> Iterator[nodes.NodeNG]:
    """Yield what may have given the variables in *parts*, and in functions defined on the spot, their values."""
    waiting = list(parts)
    for part in waiting:
        for name in _variables(part):
            for definition in scopes.definitions(name, name.name):
                if part in ancestors(definition):
                    continue
                yield definition
                if isinstance(definition, nodes.FunctionDef) and definition not in waiting:
                    if not isinstance(definition.parent, (nodes.Module, nodes.ClassDef)):
                        waiting.append(definition)


def _variables(part: nodes.NodeNG) -> Iterator[nodes.Name]:
    """Yield the variables that decide what *part* is: of a function those that it calls, not the data it reads."""
    if isinstance(part, FUNCTIONS):
        called = [root_of(node.func) for node in walk(part) if isinstance(node, nodes.Call)]
        handed = [*(part.args.defaults or ()), *(part.args.kw_defaults or ())]
        yield from (node for node in (*called, *handed) if isinstance(node, nodes.Name))
    else:
        yield from (node for node in walk(part) if isinstance(node, nodes.Name))


def _is_rebound(definition: nodes.NodeNG, place: nodes.NodeNG) -> bool:
    """Return whether *definition* gets the very result of *place*: ``net = torch.compile(net)``."""
    return isinstance(definition, nodes.AssignName) and definition.statement() is place.statement()


# -- tests on the way ------------------------------------------------------------------------------


def _runs_in_each_pass(source: Source, place: nodes.NodeNG, top: Top) -> bool:
    """Return whether each pass of *top* reaches *place*, but for settings that do not change."""
    below = place
    for above in ancestors(place):
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            if not _is_setting(source, above.test, top):
                return False
        if isinstance(above, (nodes.ExceptHandler, nodes.BoolOp, nodes.Lambda, nodes.Match)):
            return False
        if below.is_statement and not _is_reached(source, below, top):
            return False
        if above is top:
            return True
        below = above
    return False


def _is_reached(source: Source, statement: nodes.NodeNG, top: Top) -> bool:
    """Return whether nothing in the block of *statement* leaves *top* before it, or surely after it."""
    block = block_of(statement)
    here = block.index(statement) if statement in block else 0
    for before in block[:here]:
        if isinstance(before, nodes.If) and isinstance(before.body[-1], _LEAVES):
            if not _is_setting(source, before.test, top):
                return False
    return isinstance(top, nodes.FunctionDef) or not any(
        isinstance(after, (nodes.Break, nodes.Return, nodes.Raise)) for after in block[here + 1 :]
    )


def _is_setting(source: Source, test: nodes.NodeNG, top: Top) -> bool:
    """Return whether *test* asks only for what no pass of *top* changes, and not for what was compiled before."""
    for node in walk(test):
        match node:
            case nodes.Compare() if any(constant(right) is None or op in ("in", "not in") for op, right in node.ops):
                return False
            case nodes.Attribute(attrname=name) if any(
                class_of(store) is class_of(node) and getattr(function_of(store), "name", "") != "__init__"
                for store in source.index.stores.get(name, ())
            ):
                return False
            case nodes.Call(func=nodes.Name(name=name), args=args):
                if name != "hasattr" or not args or source.names.symbol(args[0]) != "torch":
                    return False
            case nodes.Name(name=name):
                if any(_is_set_below(found, top) for found in scopes.definitions(node, name)):
                    return False
            case nodes.Call(func=nodes.Attribute() as called):
                if not (source.names.symbol(called) or "").startswith(_FACTS):
                    return False
    return True


def _is_set_below(definition: nodes.NodeNG, top: Top) -> bool:
    """Return whether *definition* is one of *top* itself, other than the object whose method that is."""
    if is_parameter(definition) and self_name(top) == getattr(definition, "name", None):
        return False
    return top in ancestors(definition)
