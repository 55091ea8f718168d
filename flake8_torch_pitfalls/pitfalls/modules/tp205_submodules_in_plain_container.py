"""Modules in a plain list, tuple, set or dict are not registered with the module that keeps them.

## What happens
`nn.Module` finds its submodules and parameters by attribute: an attribute that is a module or an `nn.Parameter`
is registered, one that is a list of them is not. `parameters()` leaves them out, so an optimizer never trains
them; `state_dict()` does not save them; `to(device)` does not move them; `eval()` does not reach them. None of
that raises, until a tensor on another device meets a layer that stayed behind.

## What to write
`nn.ModuleList([...])` for a list or tuple, `nn.ModuleDict({...})` for a dict, `nn.Sequential(*layers)` for layers
that are called one after the other; `nn.ParameterList` and `nn.ParameterDict` for parameters.

## Silent
- The container is wrapped in a `ModuleList`, `ModuleDict` or `Sequential`, or handed to another module.
- Each member is registered by itself: an attribute of its own, `add_module`, `register_parameter`, `setattr`.
- Members that have neither parameters nor a mode: activations, most losses.
- Modules that come from outside the class: `self.teacher = [teacher]` hides a module on purpose.
- Classes that say themselves what their parameters are, or give an optimizer parameters that they collect.
- Lists of what a module has already: `list(self.body.parameters())`.
- Containers of other things, and containers on objects that are no modules.

## Known limits
A container that is filled by a function out of view, by `map`, or under a name that is computed, is not followed.

## Sources
- `torch.nn.ModuleList`, `torch.nn.ModuleDict` and `torch.nn.Module` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.construction import is_given, is_self, keeps_own_books
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, constant, function_of, last_name
from flake8_torch_pitfalls.analysis.values import Class, Data, Instance, Items, Many, Symbol, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"self"}

PARAMETER = "torch.nn.Parameter"

_DISPLAYS = (nodes.List, nodes.Tuple, nodes.Set, nodes.Dict, nodes.ListComp, nodes.SetComp, nodes.DictComp)
_DICTIONARIES = ("dict", "collections.OrderedDict")
_BUILDERS = ("list", "set", "collections.deque", *_DICTIONARIES)
_REGISTERED_MEMBERS = ("parameters", "named_parameters", "children", "named_children", "modules", "named_modules")


def check(source: Source) -> Iterator[Finding]:
    """Yield each attribute of a module that keeps modules in a plain container."""
    for cls in source.index.of(nodes.ClassDef):
        if source.kinds.is_kind(Instance(cls), "module") and not keeps_own_books(source.names, cls):
            for name, targets in _attributes(source, cls):
                if (target := _unregistered(source, cls, name, targets)) is not None:
                    yield Finding(target, _message(source, cls, target))


def _message(source: Source, cls: nodes.ClassDef, target: nodes.AssignAttr) -> str:
    value = target.statement().value
    is_dict = _calls(source, value, *_DICTIONARIES) or any(
        isinstance(found, Data) and isinstance(found.node, (nodes.Dict, nodes.DictComp))
        for found in source.names.values(value)
    )
    members = _members(source, cls, target.attrname, value)
    holds_parameters = any(source.names.is_a(member, PARAMETER) for member in members)
    name = f"{target.expr.as_string()}.{target.attrname}"
    what = "parameters" if holds_parameters else "modules"
    wrapper = f"nn.{'Parameter' if holds_parameters else 'Module'}{'Dict' if is_dict else 'List'}"
    return f"{what} in the plain container '{name}' are not registered: not trained, saved or moved; use '{wrapper}'"


def _attributes(source: Source, cls: nodes.ClassDef) -> Iterator[tuple[str, list[nodes.AssignAttr]]]:
    """Yield the attributes that methods of *cls* give to ``self``, each with its assignments."""
    for name, targets in source.index.stores_in.get(cls, {}).items():
        mine = [target for target in targets if is_self(target.expr)]
        if mine:
            yield name, mine


def _unregistered(
    source: Source, cls: nodes.ClassDef, name: str, targets: list[nodes.AssignAttr]
) -> nodes.AssignAttr | None:
    """Return the assignment that puts modules out of the sight of *cls*, None if all are registered."""
    plain = []
    for target in targets:
        value = getattr(target.statement(), "value", None)
        if value is not None and not isinstance(target.parent, (nodes.Tuple, nodes.List)):
            if _is_plain(source.names.values(value)) or _calls(source, value, *_BUILDERS):
                plain.append((target, value))
    if not plain or _is_wrapped(source, cls, f"self.{name}") or _registers_by_computed_name(source, cls):
        return None
    for target, value in plain:
        if isinstance(value, nodes.Name) and _is_wrapped(source, cls, value.name, function_of(value)):
            continue
        registered = _attribute_values(source, cls, name)
        if any(_is_lost(source, cls, m) for m in _members(source, cls, name, value) if m not in registered):
            return target
    return None


def _is_plain(values: Iterable[Value]) -> bool:
    """Return whether *values* are all containers of Python's own."""
    return all(isinstance(value, (Many, Items)) or _is_display(value) for value in values)


def _calls(source: Source, node: nodes.NodeNG, *symbols: str) -> bool:
    """Return whether *node* makes a container with a call of one of *symbols*: ``list()``, ``dict(a=…)``."""
    return isinstance(node, nodes.Call) and not node.args and source.names.symbol(node.func) in symbols


def _is_display(value: Value) -> bool:
    return isinstance(value, Data) and isinstance(value.node, _DISPLAYS)


def _registrable(source: Source, values: Iterable[Value]) -> Iterator[Instance]:
    """Yield the modules and parameters among *values*."""
    for value in values:
        if isinstance(value, Instance):
            if source.kinds.is_kind(value, "module") or source.names.is_a(value, PARAMETER):
                yield value


def _members(source: Source, cls: nodes.ClassDef, name: str, value: nodes.NodeNG) -> Iterator[Instance]:
    """Yield the modules and parameters that *value*, or what is put into ``self.name`` later, may hold."""
    found = list(source.names.content(value))
    if _calls(source, value, *_DICTIONARIES):
        found += (one for keyword in value.keywords for one in source.names.values(keyword.value))
    for read in source.index.attributes.get(name, ()):
        if class_of(read) is cls and is_self(read.expr):
            found += source.names.content(read)
            break
    yield from _registrable(source, found)
    for inner in found:
        if _is_plain((inner,)):
            yield from _registrable(source, source.names.elements(inner))


def _attribute_values(source: Source, cls: nodes.ClassDef, but: str) -> set[Value]:
    """Return what *cls* keeps under other attributes than *but*: modules there are registered."""
    return {
        value
        for name, targets in _attributes(source, cls)
        if name != but
        for target in targets
        for value in source.names.stored(target)
    }


def _is_lost(source: Source, cls: nodes.ClassDef, member: Instance) -> bool:
    """Return whether *member* is made for *cls*, matters to it, and is registered nowhere."""
    made = member.made_at
    if made is None or _is_registered(source, made):
        return False  # handed in, or an attribute of its own
    if made.root() is not source.module and not _is_made_by_call(source, cls, made):
        return False
    if isinstance(made, nodes.Call) and last_name(made.func) in _REGISTERED_MEMBERS:
        return False
    if source.names.is_a(member, PARAMETER) and _optimizes_by_list(source, cls):
        return False
    if class_of(made) is not cls and function_of(made) is source.module:
        return False
    return (
        layers.has(source.names, member, layers.Trait.PARAMETERS) is not False
        or layers.has(source.names, member, layers.Trait.MODES) is True
    )


def _is_made_by_call(source: Source, cls: nodes.ClassDef, made: nodes.NodeNG) -> bool:
    """Return whether *cls* calls the function of the project, in another file, that makes a module at *made*."""
    maker = function_of(made)
    return isinstance(maker, nodes.FunctionDef) and any(
        last_name(call.func) == maker.name and any(found.node is maker for found in source.names.callee(call))
        for call in source.index.within(cls, nodes.Call)
    )


def _optimizes_by_list(source: Source, cls: nodes.ClassDef) -> bool:
    """Return whether *cls* makes an optimizer of parameters that it collects itself."""
    return any(
        call.args and not (isinstance(call.args[0], nodes.Call) and last_name(call.args[0].func) == "parameters")
        for call in source.index.within(cls, nodes.Call)
        if (source.names.symbol(call.func) or "").startswith("torch.optim.")
    )


def _is_registered(source: Source, made: nodes.NodeNG) -> bool:
    """Return whether the module made at *made* has a local name under which it becomes an attribute too."""
    statement = made.statement()
    return (
        isinstance(statement, nodes.Assign)
        and statement.value is made
        and any(
            isinstance(target, nodes.AssignName) and _is_kept(source, target.name, function_of(made))
            for target in statement.targets
        )
    )


def _is_kept(source: Source, name: str, function: nodes.NodeNG) -> bool:
    """Return whether the local variable *name* of *function* is made an attribute, or handed to a module."""
    for targets in source.index.stores.values():
        for target in targets:
            value = getattr(target.statement(), "value", None)
            if function_of(target) is function and isinstance(value, nodes.Name) and value.name == name:
                return True
    return any(
        isinstance(argument, nodes.Name) and argument.name == name and _registers(source, call)
        for call in source.index.calls_in.get(function, ())
        for argument in call.args
    )


def _is_wrapped(source: Source, cls: nodes.ClassDef, text: str, function: nodes.NodeNG | None = None) -> bool:
    """Return whether the container *text* is handed to a module of torch or of the project."""
    for call in source.index.within(function or cls, nodes.Call):
        if class_of(call) is cls and (function is None or function_of(call) is function):
            if any(is_given(argument, text) for argument in call.args) and _registers(source, call):
                return True
    return False


def _registers(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* makes a module, which registers what it is given, or adds one to a module."""
    if isinstance(call.func, nodes.Attribute) and call.func.attrname in ("add_module", "register_module", "extend"):
        return not _is_plain(source.names.values(call.func.expr)) or call.func.attrname != "extend"
    return any(
        isinstance(value, Class) or (isinstance(value, Symbol) and value.name.startswith("torch.nn."))
        for value in source.names.values(call.func)
    )


def _registers_by_computed_name(source: Source, cls: nodes.ClassDef) -> bool:
    """Return whether *cls* registers members in a loop: ``setattr(self, f"layer{i}", layer)``, ``add_module``."""
    words = (("setattr", 1), ("add_module", 0), ("register_module", 0), ("register_parameter", 0), ("__setattr__", 0))
    for word, position in words:
        for call in source.index.calls.get(word, ()):
            if class_of(call) is cls and len(call.args) > position and constant(call.args[position]) is ...:
                return True
    return False
