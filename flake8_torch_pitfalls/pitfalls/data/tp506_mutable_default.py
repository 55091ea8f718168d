"""A mutable default of `__init__` is one object that all instances share.

## What happens
Python evaluates a default once, when the function is defined. A dataset, transform or module that keeps the list,
dictionary, set or layer it got by default shares it with every other instance that got it: what one instance
adds, all have, and two models with a default layer train the same weights.

## What to write
`def __init__(self, transforms=None):` and `self.transforms = [] if transforms is None else list(transforms)`.

## Silent
- `None`, tuples, numbers, strings, frozen objects, and functions.
- Parameters that are only read: neither kept nor changed.
- Copies: `self.items = list(items)`, and `self.items = items or []`.
- Filled lists and dictionaries of settings (`sizes=[7, 5, 3]`) that the class keeps and never changes.
- Layers without weights or buffers, such as `nn.ReLU()`.
- Parameters annotated as something that cannot be changed, such as `Sequence[int]`.

## Known limits
A change made from outside of the class (`ds.sizes.append(8)`) is not seen.

## Sources
- "Default parameter values", the Python language reference, section 8.7.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, function_of, last_name, self_name, walk_scope
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"__init__"}

BASES = ("torch.nn.Module", "torch.utils.data.Dataset", "torch.utils.data.Sampler")
DUCK_TYPES = ({"__getitem__", "__len__"}, {"__call__"})
"""Methods that make a class in a file with torch a dataset or a transform, whatever its bases."""
CONTAINERS = {"list", "dict", "set", "bytearray", "collections.defaultdict", "collections.OrderedDict",
              "collections.deque", "collections.Counter"}  # fmt: skip
MUTATORS = frozenset(
    "append extend insert add update setdefault pop popitem remove discard clear sort reverse appendleft".split()
)
READ_ONLY = {"Sequence", "Mapping", "Iterable", "Collection", "AbstractSet", "Tuple", "tuple", "FrozenSet"}
HAS_STATE = re.compile(
    r"Linear|Conv|Norm|Embedding|PReLU|RNN|LSTM|GRU|Attention|Transformer"
    r"|Parameter|register_buffer|Sequential|[Rr]es[Nn]et"
)
"""Names of calls that make, or give a module, weights or buffers."""
DEEPEST_BASE = 3


def check(source: Source) -> Iterator[Finding]:
    """Yield defaults of ``__init__`` that are mutable and kept or changed."""
    for function in source.index.of(nodes.FunctionDef):
        owner = function.parent
        if function.name == "__init__" and isinstance(owner, nodes.ClassDef) and _defaults(function):
            if _is_shared_kind(source, owner):
                yield from _shared_defaults(source, owner, function)


def _defaults(function: nodes.FunctionDef) -> list[nodes.NodeNG]:
    given = [*(function.args.defaults or ()), *(function.args.kw_defaults or ())]
    return [default for default in given if isinstance(default, (*_DISPLAYS, nodes.Call))]


_DISPLAYS = (nodes.List, nodes.Dict, nodes.Set, nodes.ListComp, nodes.DictComp, nodes.SetComp)


def _is_shared_kind(source: Source, owner: nodes.ClassDef) -> bool:
    """Return whether *owner* is a dataset, sampler, transform or module."""
    if source.names.derives(owner, *BASES):
        return True
    return any(methods <= set(owner.locals) for methods in DUCK_TYPES)


def _shared_defaults(source: Source, owner: nodes.ClassDef, function: nodes.FunctionDef) -> Iterator[Finding]:
    for parameter in [*function.args.posonlyargs, *(function.args.args or []), *function.args.kwonlyargs]:
        name = parameter.name
        default = scopes.default(function, name)
        if default is None or _is_read_only(scopes.annotation(function, name)):
            continue
        if _is_container(source, default):
            kept = set(_attributes_set(source, function, name))
            changed = _is_changed(function, name) or any(_is_attribute_changed(source, owner, a) for a in kept)
            if changed or (kept and _is_empty(default)):
                yield Finding(
                    default,
                    f"the default of '{name}' is one object that every '{owner.name}' shares; "
                    "write 'None' and make it inside",
                )
        elif _is_layer(source, default) and any(_attributes_set(source, function, name)):
            yield Finding(
                default,
                f"the default of '{name}' is one layer whose weights every '{owner.name}' shares; "
                "write 'None' and make it inside",
            )


# -- the default -----------------------------------------------------------------------------------


def _is_container(source: Source, default: nodes.NodeNG) -> bool:
    if isinstance(default, nodes.Call):
        return source.names.symbol(default.func) in CONTAINERS
    return isinstance(default, _DISPLAYS)


def _is_empty(default: nodes.NodeNG) -> bool:
    match default:
        case nodes.List(elts=items) | nodes.Set(elts=items) | nodes.Dict(items=items):
            return not items
        case nodes.Call():
            makes_missing_items = last_name(default.func) == "defaultdict"
            return makes_missing_items or not (default.args or default.keywords)
    return False


def _is_read_only(annotation: nodes.NodeNG | None) -> bool:
    if isinstance(annotation, nodes.Subscript):
        if last_name(annotation.value) == "Optional":
            return _is_read_only(annotation.slice)
        annotation = annotation.value
    return last_name(annotation) in READ_ONLY


def _is_layer(source: Source, default: nodes.NodeNG) -> bool:
    """Return whether *default* makes a module with weights or buffers of its own."""
    values = source.names.values(default) if isinstance(default, nodes.Call) else ()
    return bool(values) and all(
        isinstance(value, Instance) and source.kinds.is_kind(value, "module") and _has_state(source, value.cls)
        for value in values
    )


def _has_state(source: Source, cls: str | nodes.ClassDef) -> bool:
    if isinstance(cls, str):
        return HAS_STATE.search(cls.rpartition(".")[2]) is not None
    return any(
        isinstance(node, nodes.Call) and HAS_STATE.search(last_name(node.func) or "")
        for base in source.names.mro(cls)
        if isinstance(base, nodes.ClassDef)
        for method in base.mymethods()
        if method.name == "__init__"
        for node in walk_scope(method)
    )


# -- what becomes of it ----------------------------------------------------------------------------


def _attributes_set(source: Source, function: nodes.FunctionDef, name: str, depth: int = 0) -> Iterator[str]:
    """Yield the attributes of ``self`` that *function*, or an ``__init__`` it calls, sets to parameter *name*."""
    index = source.names.index_of(function)
    this = self_name(function)
    for use in index.by_type.get(nodes.Name, ()):
        if use.name != name or function_of(use) is not function or not _is_parameter(use, function):
            continue
        target = _target_of(use)
        if isinstance(target, nodes.AssignAttr) and last_name(target.expr) == this:
            yield target.attrname
        elif depth < DEEPEST_BASE and (call := _call_of(use)) is not None and last_name(call.func) == "__init__":
            for above, parameter in _passed_to(source, call, use):
                yield from _attributes_set(source, above, parameter, depth + 1)


def _passed_to(source: Source, call: nodes.Call, use: nodes.Name) -> Iterator[tuple[nodes.FunctionDef, str]]:
    """Yield the functions of the project that *call* runs, and the parameter that gets *use* there."""
    for callee in source.names.callee(call):
        if isinstance(callee.node, nodes.FunctionDef):
            given = scopes.match_arguments(callee.node, call, bound=callee.receiver is not None)
            yield from ((callee.node, parameter) for parameter, value in given.items() if value is use)


def _is_parameter(use: nodes.Name, function: nodes.FunctionDef) -> bool:
    """Return whether *use* still means the parameter, not something assigned to its name since."""
    found = scopes.definitions(use, use.name)
    return len(found) == 1 and found[0].parent is function.args


def _target_of(use: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return what *use* is assigned to, as it is: ``self.a = use``, ``self.a, self.b = use, other``."""
    match use.parent:
        case nodes.Assign(targets=[target]) if not isinstance(target, nodes.Tuple):
            return target
        case nodes.AnnAssign(target=target):
            return target
        case nodes.Tuple(elts=elements, parent=nodes.Assign(targets=[nodes.Tuple(elts=targets)])):
            return targets[elements.index(use)] if len(targets) == len(elements) else None
    return None


def _call_of(use: nodes.NodeNG) -> nodes.Call | None:
    """Return the call that *use* is an argument of."""
    parent = use.parent.parent if isinstance(use.parent, nodes.Keyword) else use.parent
    return parent if isinstance(parent, nodes.Call) else None


def _is_changed(function: nodes.FunctionDef, name: str) -> bool:
    """Return whether *function* changes the object in its parameter *name*."""
    return any(
        isinstance(node, (nodes.Name, nodes.AssignName))
        and node.name == name
        and _changes(node)
        and (isinstance(node, nodes.AssignName) or _is_parameter(node, function))
        for node in walk_scope(function)
    )


def _is_attribute_changed(source: Source, owner: nodes.ClassDef, attribute: str) -> bool:
    """Return whether a method of *owner* changes the object in ``self.attribute``."""
    uses = [*source.index.attributes.get(attribute, ()), *source.index.stores.get(attribute, ())]
    return any(class_of(use) is owner and last_name(use.expr) == "self" and _changes(use) for use in uses)


def _changes(node: nodes.NodeNG) -> bool:
    """Return whether the text around *node* changes the object in place."""
    match node.parent:
        case nodes.Attribute(attrname=method, parent=nodes.Call() as call):
            return call.func is node.parent and method in MUTATORS
        case nodes.Subscript(ctx=context) as item:
            return item.value is node and context.name in ("Store", "Del")
        case nodes.AugAssign(target=target):
            return target is node
    return False
