"""A checkpoint saved on a GPU does not open on a machine without one unless `map_location` says where to put it.

## What happens
A tensor remembers the device it was saved from, and `torch.load` puts it back there. Code that chooses its device when
it runs (`"cuda" if torch.cuda.is_available() else "cpu"`) means to run on both kinds of machine, but the load raises
`RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False` on the one
without a GPU. On a machine with several GPUs everything goes to the GPU it came from, next to what runs there.

## What to write
`torch.load(path, map_location=device)`, or `map_location="cpu"` for a state that `load_state_dict` copies anyway.

## Silent
- `map_location` given, by name or position, or hidden in `**kwargs`.
- Code that does not choose its device when it runs.
- A load in a branch that has asked for a device: `if use_cuda: torch.load(path)`.
- A file that the same run has written before: the best weights read back after training.
- A load in a `try` whose handler loads again with `map_location`.
- What is loaded as data: only what goes into a `load_state_dict` counts as a checkpoint.

## Known limits
The choice must be in sight of the load: in its function or class, at the top of the file, in a function that leads to
it or that it calls, or behind an imported name such as `device`. Whether the file was really saved on a GPU is not
known.

## Sources
- `torch.load` in PyTorch's documentation, `map_location`. That a GPU's checkpoint does not open without one follows
  that documentation; the test of this rule reads a file that was made to name a CUDA device.
- "Saving and loading models across devices", PyTorch recipes.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.checkpoints import Key, file_keys, may_be_one, saves
from flake8_torch_pitfalls.analysis.devices import is_guarded
from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.lineage import Lineage
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, argument, class_of, function_of, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"load"}

AVAILABLE = {"torch.cuda.is_available", "torch.accelerator.is_available"}
LEAVING = {"exit", "_exit", "quit"}
SAVING = ("save", "dump", "write", "export", "checkpoint")
"""Parts of the names of functions that save something."""
DEVICES = re.compile(r"\.cuda\(|['\"]cuda|device\b|cuda\.\w*Tensor")
TELLING = {"print", "info", "warning", "warn", "debug", "error"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the checkpoints that are loaded without ``map_location`` where the device is chosen at run time."""
    if not source.index.calls.get("load_state_dict"):
        return
    loads = [load for load in torch_calls(source, "torch.load") if load.lacks("map_location")]
    choices = _Choices(source) if loads else None
    for load in loads:
        if choices is None or is_guarded(load.node) or _is_tried(load.node) or not choices.are_in_sight_of(load.node):
            continue
        if _is_checkpoint(source, load.node) and not _is_written_before(source, load.node, load.given.get("f")):
            yield Finding(
                load.node,
                "'torch.load' returns tensors to the GPU they were saved from, which may be missing; "
                "write 'map_location=…'",
            )


# -- the choice of a device ---------------------------------------------------------------------------


class _Choices:
    """Where the file asks whether there is a GPU in order to do without."""

    def __init__(self, source: Source) -> None:
        self.source = source
        asked = [
            call
            for call in source.index.calls.get("is_available", ())
            if source.names.symbol(call.func) in AVAILABLE and not _is_demand(call)
        ]
        self.functions = [function_of(call) for call in asked]
        self.classes = [class_of(call) for call in asked]

    def are_in_sight_of(self, load: nodes.Call) -> bool:
        """Return whether one of them belongs to the flow that *load* runs in."""
        function, owner = function_of(load), class_of(load)
        if any(isinstance(choosing, nodes.Module) or choosing is function for choosing in self.functions):
            return True
        if owner is not None and owner in self.classes:
            return True
        named = {choosing.name for choosing in self.functions if isinstance(choosing, nodes.FunctionDef)}
        called = {last_name(call.func) for call in self.source.index.calls_in.get(function, ())}
        if not named.isdisjoint(called):
            return True
        if named and isinstance(function, nodes.FunctionDef):
            entry = owner.name if function.name == "__init__" and owner is not None else function.name
            if not named.isdisjoint(reaching(self.source.module, self.source.project, frozenset((entry,)))):
                return True
        return self.is_imported()

    def is_imported(self) -> bool:
        """Return whether the file imports a device that another file of the project chooses."""
        for statement in self.source.index.of(nodes.ImportFrom):
            wanted = {imported for imported, _ in statement.names if "device" in imported.lower()}
            module = (
                self.source.project.imported(self.source.module, statement.modname, statement.level or 0)
                if wanted
                else None
            )
            if isinstance(module, ImportedModule):
                for bound, mentioned in module.words:
                    if not wanted.isdisjoint(bound) and "is_available" in mentioned:
                        return True
        return False


def _is_demand(call: nodes.Call) -> bool:
    """Return whether *call* chooses no device: a program that ends without a GPU, or only tells of it."""
    below: nodes.NodeNG = call
    for above in ancestors(call):
        match above:
            case nodes.Assert():
                return True
            case nodes.If(test=test) if test is below:
                return _leaves(above.body) or not DEVICES.search(_text(above))
            case nodes.Expr():  # printed or logged
                return True
            case nodes.Assign() | nodes.FunctionDef() | nodes.IfExp():
                return False
        below = above
    return False


def _text(test: nodes.If) -> str:
    """Return the text of the branches of *test*, without what they only tell."""
    return "\n".join(
        statement.as_string()
        for statement in (*test.body, *test.orelse)
        if not (isinstance(statement, nodes.Expr) and _is_of(statement.value, TELLING))
    )


def _leaves(body: list[nodes.NodeNG]) -> bool:
    last = body[-1]
    return isinstance(last, nodes.Raise) or (isinstance(last, nodes.Expr) and _is_of(last.value, LEAVING))


def _is_of(node: nodes.NodeNG, names: set[str]) -> bool:
    return isinstance(node, nodes.Call) and last_name(node.func) in names


# -- what is loaded -----------------------------------------------------------------------------------


def _is_checkpoint(source: Source, load: nodes.Call) -> bool:
    """Return whether what *load* gives goes into a ``load_state_dict``."""
    lineage = Lineage(source.names)
    function = function_of(load)
    wanted = {load}
    if isinstance(function, nodes.FunctionDef) and _returns(source, function, load, lineage):
        wanted.update(source.names.call_sites(function))
    near = {function_of(each) for each in wanted}
    for call in source.index.calls["load_state_dict"]:
        state = argument(call, 0, "state_dict")
        if state is not None and (function_of(call) in near or class_of(call) is class_of(load) is not None):
            if not wanted.isdisjoint(lineage.computed_by(state)):
                return True
    return False


def _is_tried(load: nodes.Call) -> bool:
    """Return whether *load* is only a trial: a handler around it loads with ``map_location`` where it fails."""
    return any(
        last_name(call.func) == last_name(load.func) and argument(call, 1, "map_location") is not None
        for above in ancestors(load)
        if isinstance(above, nodes.Try) and any(statement.parent_of(load) for statement in above.body)
        for handler in above.handlers
        for call in handler.nodes_of_class(nodes.Call)
    )


def _returns(source: Source, function: nodes.FunctionDef, load: nodes.Call, lineage: Lineage) -> bool:
    return any(
        statement.value is not None and load in lineage.computed_by(statement.value)
        for statement in source.index.returns.get(function, ())
    )


def _is_written_before(source: Source, load: nodes.Call, path: nodes.NodeNG | None) -> bool:
    """Return whether the run that comes to *load* may have saved the same file before."""
    keys = file_keys(source.names, path) if path is not None else frozenset()
    function = function_of(load)
    before = [call for call in source.index.calls_in.get(function, ()) if call.fromlineno < load.fromlineno]
    if any(_saves_as(source, call, keys) for call in before):
        return True
    writers = {function_of(save.node) for save in saves(source) if may_be_one(keys, save.keys)} - {function}
    named = frozenset(_called_as(writer) for writer in writers if isinstance(writer, nodes.FunctionDef))
    leading = reaching(source.module, source.project, named) if named else frozenset()
    places = [load]
    if isinstance(function, nodes.FunctionDef):
        places += source.names.call_sites(function)
    return any(
        call.fromlineno < place.fromlineno and last_name(call.func) in leading
        for place in places
        for call in source.index.calls_in.get(function_of(place), ())
    )


def _saves_as(source: Source, call: nodes.Call, keys: frozenset[Key]) -> bool:
    """Return whether *call* is, by its name, one that saves something in a file known by *keys*."""
    if not any(part in (last_name(call.func) or "").lower() for part in SAVING):
        return False
    given = (*call.args, *(keyword.value for keyword in call.keywords or ()))
    return any(may_be_one(keys, file_keys(source.names, each)) for each in given)


def _called_as(function: nodes.FunctionDef) -> str:
    """Return the name by which *function* is called; an object that is called goes by the name of a helper."""
    owner = class_of(function)
    return str(owner.name) if owner is not None and function.name in ("__init__", "__call__") else str(function.name)
