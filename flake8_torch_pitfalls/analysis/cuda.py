"""What starts CUDA in a process, what works on it, and which use of it surely comes before a place."""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices, scopes
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    argument,
    block_of,
    decorator_names,
    dotted,
    function_of,
    last_name,
    self_name,
    target_text,
    walk_scope,
)
from flake8_torch_pitfalls.analysis.values import Function, Instance
from flake8_torch_pitfalls.analysis.workers import made_from

STARTS_CUDA = frozenset(
    "torch.cuda." + name
    for name in "is_available init current_device set_device get_device_name get_device_properties synchronize "
    "get_device_capability current_stream default_stream mem_get_info is_bf16_supported".split()
)
"""Functions that ask the CUDA driver something, and so start it."""
_LAST_NAMES = frozenset(symbol.rpartition(".")[2] for symbol in STARTS_CUDA)
_WORKS = STARTS_CUDA - {"torch.cuda.is_available"} | {"torch.cuda.Stream", "torch.cuda.Event"}
"""Functions that raise in a forked process whose parent has started CUDA."""
_KNOWN_ON_CPU = frozenset("shape size device dtype dim ndim is_cuda requires_grad".split())
"""Attributes of a tensor that its data are not needed for."""
_DEEPEST = 3


def device_given(names: Names, call: nodes.Call) -> nodes.NodeNG | None:
    """Return the device that *call*, ``x.to(device)`` or a function of torch, is given; None if it is given none."""
    name = last_name(call.func)
    if name == "to" and isinstance(call.func, nodes.Attribute):
        return argument(call, 0, "device")
    given = argument(call, None, "device") or argument(call, None, "map_location")
    if given is None or name == "device":
        return None
    return given if (names.symbol(call.func) or "").startswith("torch.") else None


def _asks_for_cuda(names: Names, call: nodes.Call) -> bool:
    """Return whether *call* itself asks for work on a GPU."""
    name = last_name(call.func)
    if name == "cuda" and isinstance(call.func, nodes.Attribute):
        return not names.callee(call)
    if name in _LAST_NAMES or name in ("Stream", "Event"):
        return names.symbol(call.func) in _WORKS
    return name is not None and name.endswith("Tensor") and (names.symbol(call.func) or "").startswith("torch.cuda.")


def uses(names: Names, function: Function) -> Iterator[nodes.NodeNG]:
    """Yield what works on a GPU in the body of *function*, wherever the program has one: calls, then attributes read.

    A device that the program chooses when it runs is taken for a GPU. Functions that ask which worker they run in
    know what they do.
    """
    calls = names.index_of(function.node).calls_in.get(function.node, ())
    if any(last_name(call.func) == "get_worker_info" for call in calls):
        return
    for call in calls:
        if works_on_gpu(names, call, function.receiver) or any(is_on_gpu(names, one) for one in _operands(call)):
            if not may_be_off(names, call, function):
                yield call
    for read in names.index_of(function.node).within(function.node, nodes.Attribute):
        if isinstance(read.expr, nodes.Name) and read.expr.name == "self" and _reads_data(read):
            if _attribute_is_on_gpu(names, read, function.receiver) and not may_be_off(names, read, function):
                yield read


def _operands(call: nodes.Call) -> Iterator[nodes.Name]:
    """Yield the variables that *call* works with: what is called, whose method it is, what is given."""
    if last_name(call.func) in scopes.BUILTINS:
        return
    for node in (call.func, getattr(call.func, "expr", None), *call.args):
        if isinstance(node, nodes.Name):
            yield node


def works_on_gpu(names: Names, call: nodes.Call, receiver: Instance | None) -> bool:
    """Return whether *call*, in a method of *receiver* or elsewhere, works on a GPU or moves something there."""
    if _asks_for_cuda(names, call):
        return True
    given = device_given(names, call)
    if given is None:
        return False
    found = devices.named(names, made_from(names, given, receiver))
    return found is not None and (found == devices.CHOSEN or found.startswith("cuda"))


def is_on_gpu(names: Names, node: nodes.NodeNG, receiver: Instance | None = None) -> bool:
    """Return whether *node* is something that its own text, or its only assignment, puts on a GPU."""
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
        if len(found) != 1 or not isinstance(found[0].parent, nodes.Assign):
            return False
        if _is_moved(names, found[0]):
            return True
        node = found[0].parent.value
    return isinstance(node, nodes.Call) and works_on_gpu(names, node, receiver)


def _reads_data(read: nodes.Attribute) -> bool:
    """Return whether *read*, ``self.name``, is used for more than what is known of it on the CPU."""
    match read.parent:
        case nodes.Attribute(attrname=name):
            return name not in _KNOWN_ON_CPU
        case nodes.Call(func=nodes.Name(name="len")):
            return False
    return True


def _attribute_is_on_gpu(names: Names, read: nodes.Attribute, receiver: Instance | None) -> bool:
    """Return whether ``self.name`` is always something that is put on a GPU where it is assigned, or right after."""
    if receiver is None or not isinstance(receiver.cls, nodes.ClassDef):
        return False
    given = made_from(names, read, receiver)
    if given is not read:
        return is_on_gpu(names, given)
    stores = list(names.stores(receiver.cls, read.attrname))
    if not stores or not all(isinstance(store, nodes.AssignAttr) for store in stores):
        return False
    return all(
        (value := getattr(store.parent, "value", None)) is not None
        and (is_on_gpu(names, value, receiver) or _is_moved(names, store, receiver))
        for store in stores
    )


def _is_moved(names: Names, target: nodes.NodeNG, receiver: Instance | None = None) -> bool:
    """Return whether the module that *target* is assigned is moved by a statement: ``model.to(device)``."""
    text = target_text(target)
    index = names.index_of(target)
    return any(
        isinstance(call.parent, nodes.Expr)
        and isinstance(call.func, nodes.Attribute)
        and dotted(call.func.expr) == text
        and function_of(call) is function_of(target)
        and any(names.is_a(value, "torch.nn.Module") for value in names.values(call.func.expr))
        and works_on_gpu(names, call, receiver)
        for method in ("cuda", "to")
        for call in index.calls.get(method, ())
    )


def may_be_off(names: Names, node: nodes.NodeNG, function: Function) -> bool:
    """Return whether *node*, in the body of *function*, stands under a flag for GPUs that is not surely set."""
    if not devices.is_guarded(node):
        return False
    below = node
    for above in ancestors(node):
        if above is function.node:
            break
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            test = made_from(names, above.test, function.receiver)
            if "is_available" not in test.as_string() and (constants(names, test) or {False}) != {True}:
                return True
        below = above
    return False


def is_script_part(node: nodes.NodeNG) -> bool:
    """Return whether *node* is the part of a module that runs only where it is the program."""
    return isinstance(node, nodes.If) and "__name__" in node.test.as_string()


class Search:
    """Looks for a use of CUDA that surely comes before a place, for an allocation there if *allocates*."""

    def __init__(self, source: Source, allocates: bool) -> None:
        self.source = source
        self.allocates = allocates

    def before(self, place: nodes.NodeNG, depth: int = 0) -> nodes.NodeNG | None:
        """Return a use of CUDA that runs before *place* whenever *place* runs, or on the way of a known caller."""
        function = function_of(place)
        statement = place.statement()
        while statement is not function:
            for earlier in _before_in_block(statement):
                if (use := self.in_statement(earlier, depth)) is not None:
                    return use
            above = statement.parent
            if above is not function and (use := self.in_header(above, depth)) is not None:
                return use
            statement = above
        if not isinstance(function, nodes.FunctionDef) or depth >= _DEEPEST:
            return None
        if (use := self.in_constructor(function, depth)) is not None:
            return use
        sites = self.source.names.call_sites(function)
        for site in sites:
            if (use := self.before(site, depth + 1)) is not None:
                return use
        if any(isinstance(function_of(site), nodes.Module) and not _is_in_script_part(site) for site in sites):
            return None
        return self.on_import(function.root(), depth)

    def in_constructor(self, method: nodes.FunctionDef, depth: int) -> nodes.NodeNG | None:
        """Return a use of CUDA in the ``__init__`` of the object that *method* is called on."""
        if method.name == "__init__" or self_name(method) is None or "classmethod" in decorator_names(method):
            return None
        init = self.source.names.method(method.parent, "__init__")
        for statement in init.body if init is not None else ():
            if (use := self.in_statement(statement, depth + 1)) is not None:
                return use
        return None

    def on_import(self, module: nodes.Module, depth: int) -> nodes.NodeNG | None:
        """Return a use of CUDA that runs when *module* is imported."""
        for statement in _statements(module, self.allocates):
            if is_script_part(statement):
                continue
            runs_all = isinstance(statement, nodes.Expr)  # main(), which may be what leads to the place
            if (use := self.in_statement(statement, _DEEPEST if runs_all else depth)) is not None:
                return use
        return None

    def in_statement(self, statement: nodes.NodeNG, depth: int) -> nodes.NodeNG | None:
        """Return a use of CUDA that surely runs where *statement* runs."""
        match statement:
            case nodes.FunctionDef() | nodes.ClassDef():
                return None
            case nodes.ImportFrom() | nodes.Import():
                return self.in_import(statement, depth)
            case nodes.If() | nodes.For() | nodes.While() | nodes.With() | nodes.Try():
                inside = statement.body if isinstance(statement, (nodes.With, nodes.Try)) else []
                found = [self.in_header(statement, depth), *(self.in_statement(one, depth) for one in inside)]
                return next((use for use in found if use is not None), None)
        return self.in_expression(statement, depth)

    def in_header(self, statement: nodes.NodeNG, depth: int) -> nodes.NodeNG | None:
        """Return a use of CUDA in what *statement* evaluates before its body."""
        match statement:
            case nodes.If() | nodes.While():
                return self.in_expression(statement.test, depth)
            case nodes.For():
                return self.in_expression(statement.iter, depth)
            case nodes.With():
                found = (self.in_expression(context, depth) for context, _ in statement.items)
                return next((use for use in found if use is not None), None)
        return None

    def in_import(self, statement: nodes.ImportFrom | nodes.Import, depth: int) -> nodes.NodeNG | None:
        """Return *statement* if it runs a module of the project that uses CUDA at its top level."""
        if depth >= _DEEPEST:
            return None
        level = getattr(statement, "level", 0) or 0
        whole = isinstance(statement, nodes.Import)
        for name in [name for name, _ in statement.names] if whole else [statement.modname]:
            module = self.source.project.imported(statement.root(), name, level)
            if module is not None and self.on_import(module, depth + 1) is not None:
                return statement
        return None

    def in_expression(self, top: nodes.NodeNG, depth: int) -> nodes.NodeNG | None:
        for node in walk_scope(top):
            if isinstance(node, nodes.Call) and (self.uses(node) or self.calls_use(node, depth)):
                return node
        return None

    def calls_use(self, call: nodes.Call, depth: int) -> bool:
        """Return whether *call* runs a function of the project that surely uses CUDA."""
        if depth >= _DEEPEST or not isinstance(call.func, nodes.Name):
            return False
        found = self.source.names.callee(call)
        return len(found) == 1 and any(
            self.in_statement(statement, depth + 1) is not None
            for statement in (found[0].node.body if isinstance(found[0].node, nodes.FunctionDef) else ())
        )

    def uses(self, call: nodes.Call) -> bool:
        """Return whether *call* itself starts CUDA."""
        name = last_name(call.func)
        if name in _LAST_NAMES and not self.allocates:
            return self.source.names.symbol(call.func) in STARTS_CUDA
        if name == "cuda" and isinstance(call.func, nodes.Attribute):
            return True
        given = device_given(self.source.names, call)
        return given is not None and (devices.named(self.source.names, given) or "").startswith("cuda")


def _is_in_script_part(node: nodes.NodeNG) -> bool:
    return any(is_script_part(above) for above in ancestors(node))


def _before_in_block(statement: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the statements of the same block before *statement*, nearest first."""
    block = block_of(statement)
    return list(reversed(block[: block.index(statement)])) if block else []


def _statements(module: nodes.Module, allocates: bool) -> Iterator[nodes.NodeNG]:
    """Yield the top-level statements of *module*; of an imported one just those that may use CUDA."""
    if not isinstance(module, ImportedModule):
        yield from module.body
        return
    words = {"cuda"} if allocates else {"cuda", *_LAST_NAMES}
    for number, (_, mentioned) in enumerate(module.words):
        if not mentioned.isdisjoint(words):
            yield module.part(number)
