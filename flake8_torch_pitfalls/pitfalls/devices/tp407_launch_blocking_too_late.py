"""An environment variable of CUDA is set when CUDA already runs, without effect; or launches are left blocking.

## What happens
`CUDA_VISIBLE_DEVICES`, `CUDA_DEVICE_ORDER` and `CUDA_LAUNCH_BLOCKING` are read once, when the process first uses
CUDA, and `PYTORCH_CUDA_ALLOC_CONF` when it first allocates there. `torch.cuda.is_available()` is such a first use. What
is set later changes nothing: the program runs on the GPUs that it saw at first, often one that is somebody else's.
`CUDA_LAUNCH_BLOCKING=1` is for finding out which kernel fails. Left on, the CPU waits for every kernel, and training
is slower.

## What to write
Set such variables before the first use of CUDA, best in the shell, or in the first lines of the script, before torch
is imported. To choose a GPU later, use `torch.cuda.set_device(1)` or `torch.device("cuda:1")`. Set
`CUDA_LAUNCH_BLOCKING=1` only in the shell, for the run that looks for the failing kernel.

## Silent
- Variables set before the first use of CUDA, also after `import torch`, which does not use it.
- `torch.cuda.device_count()` and `torch.cuda.manual_seed_all()` before, which need not start CUDA.
- A use of CUDA that only another branch, or no known caller, runs before.
- Variables set for other processes: a copy of the environment, programs that start processes.
- `CUDA_LAUNCH_BLOCKING=1` under a condition, or in a file that does not train.

## Known limits
Uses of CUDA are seen in the same function before, in its callers of the same file, at module level, in functions of
the project called there, and at the top level of the project's modules that are imported there.

## Sources
- "CUDA Environment Variables" and "CUDA semantics", "Optimizing memory usage", in PyTorch's documentation.
- "CUDA Environment Variables" in the CUDA C++ Programming Guide: the driver reads them when it is initialized.
- `torch.cuda.is_available` in PyTorch: it asks the CUDA runtime for its devices, as was seen on the CPU; the
  rest needs a GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    argument,
    block_of,
    constant,
    dotted,
    function_of,
    last_name,
    walk_scope,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"CUDA_LAUNCH_BLOCKING", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "PYTORCH_CUDA_ALLOC_CONF"}

BLOCKING = "CUDA_LAUNCH_BLOCKING"
ALLOCATION = "PYTORCH_CUDA_ALLOC_CONF"
STARTS_CUDA = frozenset(
    "torch.cuda." + name
    for name in "is_available init current_device set_device get_device_name get_device_properties synchronize "
    "get_device_capability current_stream default_stream mem_get_info is_bf16_supported".split()
)
"""Functions that ask the CUDA driver something, and so start it."""
_LAST_NAMES = frozenset(symbol.rpartition(".")[2] for symbol in STARTS_CUDA)
_STARTS_PROCESSES = frozenset(
    "Popen check_call check_output system Process spawn start_processes Pool ProcessPoolExecutor execvp".split()
)
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Report variables of CUDA that are set too late, or left on."""
    for node, name, value in _settings(source):
        search = _Search(source, name == ALLOCATION)
        use = None if _starts_processes(source) else search.before(node)
        if use is not None:
            yield Finding(node, f"{_started(use)}: setting '{name}' now has no effect; set it before")
        elif name == BLOCKING and constant(value) in ("1", 1) and _trains(source) and _is_unconditional(node):
            yield Finding(node, f"'{name}=1' makes every kernel block, which slows down training; set it to debug only")


def _started(use: nodes.NodeNG) -> str:
    where = f"line {use.fromlineno} has started CUDA"
    name = dotted(use.func) if isinstance(use, nodes.Call) else None
    return f"'{name}(...)' on {where}" if name is not None else where


def _settings(source: Source) -> Iterator[tuple[nodes.NodeNG, str, nodes.NodeNG]]:
    """Yield the statements and calls that set a variable of ``WORDS``, with its name and value."""
    for subscripts in source.index.items.values():
        for item in subscripts:
            statement = item.statement()
            name = constant(item.slice)
            if name in WORDS and isinstance(statement, nodes.Assign):
                if source.names.symbol(item.value) == "os.environ":
                    yield statement, str(name), statement.value
    for method in ("setdefault", "putenv"):
        for call in source.index.calls.get(method, ()):
            name = constant(argument(call, 0, None))
            if name in WORDS and len(call.args) == 2:
                if source.names.symbol(call.func) in ("os.environ.setdefault", "os.putenv"):
                    yield call, str(name), call.args[1]


def _starts_processes(source: Source) -> bool:
    """Return whether the variables may be meant for other processes."""
    if not _STARTS_PROCESSES.isdisjoint(source.index.calls):
        return True
    return any(source.names.symbol(call.func) == "subprocess.run" for call in source.index.calls.get("run", ()))


def _trains(source: Source) -> bool:
    return "backward" in source.index.calls and "step" in source.index.calls


def _is_unconditional(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands at the top level of a function, a module or the part that is run as a script."""
    statement = node.statement()
    above = statement.parent
    return isinstance(above, (*FUNCTIONS, nodes.Module)) or _is_script_part(above)


def _is_script_part(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.If) and "__name__" in node.test.as_string()


class _Search:
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
        sites = self.source.names.call_sites(function)
        for site in sites:
            if (use := self.before(site, depth + 1)) is not None:
                return use
        if any(isinstance(function_of(site), nodes.Module) and not _is_in_script_part(site) for site in sites):
            return None
        return self.on_import(function.root(), depth)

    def on_import(self, module: nodes.Module, depth: int) -> nodes.NodeNG | None:
        """Return a use of CUDA that runs when *module* is imported."""
        for statement in _statements(module, self.allocates):
            if _is_script_part(statement):
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
        given = argument(call, 0, "device") if name == "to" else argument(call, None, "device")
        if given is None or not (devices.named(self.source.names, given) or "").startswith("cuda"):
            return False
        symbol = self.source.names.symbol(call.func) or ""
        return name == "to" or symbol.startswith("torch.") and symbol != "torch.device"


def _is_in_script_part(node: nodes.NodeNG) -> bool:
    return any(_is_script_part(above) for above in ancestors(node))


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
