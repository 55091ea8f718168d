"""Whether what a loop hands to a call has another size in each pass."""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.batches import LOADER
from flake8_torch_pitfalls.analysis.lineage import handed_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    argument,
    constant,
    function_of,
    last_name,
    loops_around,
    walk,
    walk_scope,
)
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance, Value

PAD = "torch.nn.utils.rnn.pad_sequence"
_FACTORIES = frozenset("torch.randn torch.rand torch.zeros torch.ones torch.empty torch.full torch.randint".split())
_FIXES_LENGTH = frozenset("pad zeros full new_zeros new_full empty new_ones".split())
_MOVES = frozenset("to cuda long int".split())
_JOINS = frozenset(("torch.cat", "torch.concat", "torch.concatenate"))
_DEEPEST = 4


def changes_size_each_pass(source: Source, call: nodes.Call, free: int) -> bool:
    """Return whether a loop around *call* gives it tensors of more than *free* sizes."""
    loops = loops_around(call)
    return any(
        _grows(source, node, loops)
        or any(_is_sized_by(source, node, loop, free, 0) for loop in loops)
        or _is_ragged_batch(source, node, loops, 0)
        for node in (*call.args, *(keyword.value for keyword in call.keywords or ()))
    )


def counter(loop: nodes.NodeNG) -> nodes.AssignName | None:
    """Return the variable of *loop* that is another integer in each pass, None if it has none."""
    if not isinstance(loop, nodes.For) or not isinstance(loop.iter, nodes.Call):
        return None
    name = last_name(loop.iter.func)
    target = loop.target
    if name == "enumerate" and isinstance(target, nodes.Tuple) and target.elts:
        target = target.elts[0]
    elif name not in ("range", "trange"):
        return None
    return target if isinstance(target, nodes.AssignName) else None


def passes(loop: nodes.For) -> int | None:
    """Return how often *loop* runs where the text says so."""
    if isinstance(loop.iter, (nodes.Tuple, nodes.List)):
        return len(loop.iter.elts)
    if isinstance(loop.iter, nodes.Call) and last_name(loop.iter.func) == "range":
        numbers = [constant(given) for given in loop.iter.args]
        if numbers and all(isinstance(number, int) for number in numbers):
            return len(range(*(number for number in numbers if isinstance(number, int))))
    return None


def is_variable_of(node: nodes.NodeNG, loop: nodes.NodeNG) -> bool:
    """Return whether *node* reads what *loop* counts or picks sizes from."""
    if not isinstance(node, nodes.Name) or not isinstance(loop, nodes.For):
        return False
    target = counter(loop) or loop.target
    return isinstance(target, nodes.AssignName) and scopes.definitions(node, node.name)[:1] == [target]


def _is_sized_by(source: Source, node: nodes.NodeNG, loop: nodes.NodeNG, free: int, depth: int) -> bool:
    """Return whether the size of *node* is what *loop* counts, more than *free* values of it."""
    if not isinstance(loop, nodes.For) or depth > _DEEPEST:
        return False
    if counter(loop) is None and not isinstance(loop.iter, (nodes.Tuple, nodes.List)):
        return False
    number = passes(loop)
    if number is not None and number <= free:
        return False
    match node:
        case nodes.Name():
            found = scopes.definitions(node, node.name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign) and isinstance(found[0], nodes.AssignName):
                return _is_sized_by(source, found[0].parent.value, loop, free, depth + 1)
        case nodes.Subscript():
            keys = node.slice.elts if isinstance(node.slice, nodes.Tuple) else [node.slice]
            return any(_is_cut_at(key, loop) for key in keys)
        case nodes.Call(func=nodes.Attribute(expr=owner)) if last_name(node.func) in ("to", "cuda", "float", "half"):
            return _is_sized_by(source, owner, loop, free, depth + 1)
        case nodes.Call() if source.names.symbol(node.func) in _FACTORIES:
            sizes = node.args[:1] if isinstance(node.args[0], (nodes.Tuple, nodes.List)) else node.args
            return any(is_variable_of(one, loop) for size in sizes for one in walk(size)) if node.args else False
    return False


def _is_cut_at(key: nodes.NodeNG, loop: nodes.NodeNG) -> bool:
    """Return whether *key* is a slice from the start to what *loop* counts: ``x[:, :t]``."""
    return (
        isinstance(key, nodes.Slice)
        and key.lower is None
        and key.upper is not None
        and any(is_variable_of(one, loop) for one in walk(key.upper))
    )


def _grows(source: Source, node: nodes.NodeNG, loops: list[nodes.NodeNG]) -> bool:
    """Return whether *node* is a variable to which each pass joins something: ``x = torch.cat([x, y])``."""
    if not isinstance(node, nodes.Name) or not loops:
        return False
    for found in scopes.definitions(node, node.name):
        value = getattr(found.parent, "value", None)
        if isinstance(value, nodes.Call) and last_name(value.func) in ("cat", "concat", "concatenate"):
            if any(loop in loops_around(found) for loop in loops) and source.names.symbol(value.func) in _JOINS:
                return _joins(value, node.name) and not _is_cut(loops[0], node.name)
    return False


def _joins(call: nodes.Call, name: str) -> bool:
    parts = call.args[0] if call.args else None
    return isinstance(parts, (nodes.List, nodes.Tuple)) and any(
        isinstance(part, nodes.Name) and part.name == name for part in parts.elts
    )


def _is_cut(loop: nodes.NodeNG, name: str) -> bool:
    """Return whether *loop* also takes a part of the variable *name*: a window of fixed size."""
    return any(
        isinstance(node, nodes.Subscript) and isinstance(node.value, nodes.Name) and node.value.name == name
        and isinstance(node.parent, nodes.Assign)
        for node in walk_scope(loop)
    )  # fmt: skip


def _is_ragged_batch(source: Source, node: nodes.NodeNG, loops: list[nodes.NodeNG], depth: int) -> bool:
    """Return whether *node* comes from a loader that pads each batch to its own longest sample."""
    origin = _origin(node, 0)
    if origin is None or depth > _DEEPEST:
        return False
    if is_parameter(origin):
        function = origin.parent.parent
        return isinstance(function, nodes.FunctionDef) and any(
            _is_ragged_batch(source, given, loops_around(site), depth + 1)
            for site in source.names.call_sites(function)
            if (given := handed_to(origin, site)) is not None
        )
    loop = origin.statement()
    return loop in loops and any(
        isinstance(value, Instance)
        and value.cls == LOADER
        and isinstance(value.made_at, nodes.Call)
        and _pads_to_longest(source, value.made_at)
        for value in _loaders(source, loop.iter)
    )


def _loaders(source: Source, node: nodes.NodeNG) -> list[Value]:
    while isinstance(node, nodes.Call) and node.args and last_name(node.func) in ("tqdm", "enumerate", "track"):
        node = node.args[0]
    return source.names.known(node)


def _origin(node: nodes.NodeNG, depth: int) -> nodes.AssignName | None:
    """Return the parameter or the variable of a ``for`` that *node*, moved or unpacked, comes from."""
    while isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname in _MOVES:
        node = node.func.expr
    if isinstance(node, nodes.Subscript):
        node = node.value
    if not isinstance(node, nodes.Name) or depth > _DEEPEST:
        return None
    for found in scopes.definitions(node, node.name):
        if isinstance(found, nodes.AssignName) and (is_parameter(found) or isinstance(found.statement(), nodes.For)):
            return found
        if isinstance(found.parent, (nodes.Assign, nodes.Tuple)) and isinstance(found.statement(), nodes.Assign):
            if (origin := _origin(found.statement().value, depth + 1)) is not None:
                return origin
    return None


def _pads_to_longest(source: Source, loader: nodes.Call) -> bool:
    given = argument(loader, 6, "collate_fn")
    if given is None:
        return False
    functions = [function for value in source.names.known(given) for function in _called(source, value)]
    return bool(functions) and all(_pads(source, function) for function in functions)


def _called(source: Source, value: Value) -> Iterator[nodes.NodeNG]:
    match value:
        case Function(node):
            yield node
        case Instance(nodes.ClassDef() as node) | Class(node):
            if (method := source.names.method(node, "__call__")) is not None:
                yield method


def _pads(source: Source, function: nodes.NodeNG) -> bool:
    """Return whether *function* pads to the longest of what it is given, and nothing else in it sets a length."""
    calls = [
        call
        for call in source.names.index_of(function).within(function, nodes.Call)
        if function_of(call) is function
    ]
    if any(last_name(call.func) in _FIXES_LENGTH for call in calls):
        return False
    return any(
        last_name(call.func) == "pad_sequence" and source.names.symbol(call.func) == PAD or _tokenizes(call)
        for call in calls
    )


def _tokenizes(call: nodes.Call) -> bool:
    """Return whether *call* is of the form ``tokenizer(texts, padding=True, return_tensors="pt")``."""
    given = {keyword.arg: constant(keyword.value) for keyword in call.keywords or ()}
    return given.get("padding") in (True, "longest") and given.get("return_tensors") == "pt" and (
        "pad_to_multiple_of" not in given
    )
