"""`torch.load` refuses a checkpoint that holds more than tensors and plain values.

## What happens
Since PyTorch 2.6 `torch.load` reads with `weights_only=True` unless told otherwise: it accepts tensors, parameters,
numbers, strings and plain containers, and raises `UnpicklingError: Weights only load failed` for any other class. A
checkpoint with a module, an `argparse.Namespace`, a numpy scalar such as `np.mean(losses)`, a `Path`, a `defaultdict`
or an object of a class of your own was written without complaint and cannot be read back. Training is over by then.

## What to write
Save plain values, and the `state_dict()` of what has one: `vars(args)`, `float(best_loss)`, `str(path)`,
`torch.from_numpy(array)`. A class that the file must hold can be allowed with
`torch.serialization.add_safe_globals([TheClass])`. For an old file that you trust, `weights_only=False` still reads it
(TP002 reports that, because such a file may run any code).

## Silent
- State dictionaries of modules, optimizers, schedulers and scalers; tensors; `OrderedDict`, `Counter`, `set`,
  `vars(args)`, Python's and torch's random states: all of that is accepted.
- `weights_only=False`, `pickle_module=…`, or a `weights_only` that is passed through.
- A file that calls `add_safe_globals` or `safe_globals`, sets `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` or replaces
  `torch.load`.
- A load that fails on purpose or into a handler: `try: torch.load(path)`, `except UnpicklingError: …`.
- Objects that the program only handles after it has asked what they are (`isinstance`, `hasattr`).
- A `torch-version` below 2.6, except where `weights_only=True` is written out.

## Where it is reported
At the call of `torch.load`. What is loaded must be used as an object that the default cannot give (called, `.eval()`,
`.state_dict()`, `checkpoint["args"].lr`), or a `torch.save` in view must write the same file: the same name, the same
variable or attribute, a dictionary with the keys that are read, or its counterpart, `save(path)` beside `load(path)`.

## Known limits
What is saved is followed through names, attributes, helpers and callers of one file, and into the files that it
imports functions from. Objects about which nothing is known are taken for plain values. Classes of PyTorch Geometric
and torchtext are left alone, because those packages allow some of theirs.

## Sources
- `torch.load` in PyTorch's documentation, `weights_only`, and "Serialization semantics".
- PyTorch 2.6 release notes: "Flipped the default value of `weights_only` in `torch.load`".
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.checkpoints import Save, file_keys, items, keys_read, may_be_one, saves
from flake8_torch_pitfalls.analysis.origins import arguments_of, uses_of
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.refusals import Refusal, Refusals, is_asked_about, tells_object
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, constant, function_of, last_name, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"load"}

RESTRICTED_BY_DEFAULT = (2, 6)
ALLOWING = ("add_safe_globals", "safe_globals")
SWITCH = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
CATCHING = {None, "Exception", "BaseException", "UnpicklingError", "PickleError"}
"""What ``except`` may name to catch the refusal; None is a bare ``except``."""
PASSING = {"to", "cuda", "cpu", "float", "half", "double", "bfloat16", "requires_grad_", "get", "pop", "copy"}
"""Methods that tensors, dictionaries and modules have, and that give what they are called on, or a part of it."""
READING = re.compile("load|restore|read|resume")
WRITING = re.compile("save|store|write|dump")
COPYING = {"copy", "deepcopy"}
TAKING_OBJECTS = {"vars", "torch.onnx.export", "torch.jit.trace", "torch.jit.script", "torch.compile",
                  "torch.fx.symbolic_trace", "torchsummary.summary", "torchinfo.summary"}  # fmt: skip
"""Functions that fail on everything that the default gives."""
WRAPPING = {"DataParallel", "DistributedDataParallel"}
OF_MODULES = {"eval", "train", "state_dict", "load_state_dict", "parameters", "named_parameters", "modules", "forward"}
DEEPEST = 4


def check(source: Source) -> Iterator[Finding]:
    """Yield the loads that refuse what they are given."""
    loads = [load for load in torch_calls(source, "torch.load") if _is_restricted(source, load)]
    if not loads or _is_lifted(source):
        return
    written: list[Save] | None = None
    for load in loads:
        if _is_expected(load.node):
            continue
        use = _Follower(source).object_use(load.node)
        if use is not None:
            yield Finding(load.node, _message_of_use(use))
            continue
        if written is None:
            written = saves(source)
        refused = _refused(source, load, written)
        if refused is not None:
            yield Finding(load.node, _message_of_refusal(load, *refused))


# -- which loads --------------------------------------------------------------------------------------


def _is_restricted(source: Source, load: TorchCall) -> bool:
    """Return whether *load* reads with ``weights_only=True``, written or by default."""
    if "weights_only" in load.given:
        chosen = constants(source.names, load.given["weights_only"])
        if chosen != {None}:
            return chosen == {True}
    elif not load.lacks("weights_only"):
        return False
    return load.lacks("pickle_module") and source.settings.torch_version >= RESTRICTED_BY_DEFAULT


def _is_lifted(source: Source) -> bool:
    """Return whether the file allows classes, or changes what ``torch.load`` does."""
    index = source.index
    if any(index.calls.get(name) or index.attributes.get(name) for name in ALLOWING):
        return True
    if any(last_name(target.expr) in ("torch", "serialization") for target in index.stores.get("load", ())):
        return True
    return any(constant_node.value == SWITCH for constant_node in index.of(nodes.Const))


def _is_expected(load: nodes.Call) -> bool:
    """Return whether a refusal of *load* is caught, wanted, or ruled out by a test of the version."""
    if expects_failure(load):
        return True
    below: nodes.NodeNG = load
    for above in ancestors(load):
        match above:
            case nodes.Try() if below in above.body and any(_catches(handler) for handler in above.handlers):
                return True
            case nodes.ExceptHandler():
                return True
            case nodes.If() if below is not above.test and _chooses_restriction(above):
                return True
            case nodes.FunctionDef():
                return False
        below = above
    return False


def _catches(handler: nodes.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, nodes.Tuple) else [handler.type]
    if CATCHING.isdisjoint(last_name(kind) for kind in kinds):
        return False
    return not any(isinstance(statement, nodes.Raise) for statement in handler.body)


def _chooses_restriction(test: nodes.If) -> bool:
    """Return whether one branch of *test* loads with a ``weights_only`` of its own."""
    return any(
        keyword.arg == "weights_only" and constant(keyword.value) is not True
        for statement in (*test.body, *test.orelse)
        for keyword in statement.nodes_of_class(nodes.Keyword)
    )


# -- what is done with the result ----------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, slots=True)
class _Use:
    """What a program does to a loaded value that it can only do to an object of a refused class."""

    text: str
    of_module: bool


class _Follower:
    """Follows a loaded value to such a use."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = source.names
        self.seen: set[nodes.NodeNG] = set()

    def object_use(self, node: nodes.NodeNG, depth: int = 0) -> _Use | None:
        """Return a use of the value of *node*, or of an item of it, as an object; None if there is none."""
        if depth > DEEPEST or node in self.seen:
            return None
        self.seen.add(node)
        match node.parent:
            case nodes.Attribute() as read:
                return self.attribute(read, depth)
            case nodes.AssignAttr() as stored:
                return _attribute_use(stored) if tells_object(stored.attrname) else None
            case nodes.Call() as call if call.func is node:
                return _Use(f"'{_shown(node)}' is called", True)
            case nodes.Call() as call:
                return self.argument(node, call, depth)
            case nodes.Keyword(parent=nodes.Call() as call):
                return self.argument(node, call, depth)
            case nodes.Subscript() as item if item.value is node:
                return self.object_use(item, depth)
            case nodes.Tuple(elts=elements, parent=nodes.Return()):
                return self.returned(node, depth, elements.index(node))
            case nodes.List() | nodes.ListComp():
                return self.object_use(node.parent, depth)
            case nodes.IfExp(test=test) as choice if test is not node:
                return self.object_use(choice, depth)
            case nodes.Assign(targets=targets):
                return self.first(targets, depth)
            case nodes.For(iter=iterated, target=target) | nodes.Comprehension(iter=iterated, target=target):
                return self.first([target], depth) if iterated is node else None
            case nodes.Return():
                return self.returned(node, depth)
        return None

    def attribute(self, read: nodes.Attribute, depth: int) -> _Use | None:
        name = read.attrname
        called = isinstance(read.parent, nodes.Call) and read.parent.func is read
        if name in PASSING:
            return self.object_use(read.parent, depth) if called else None
        return _attribute_use(read) if tells_object(name) else None

    def first(self, targets: list[nodes.NodeNG], depth: int) -> _Use | None:
        """Return the first use as an object of what an assignment binds to *targets*."""
        for target in targets:
            if isinstance(target, (nodes.Tuple, nodes.List)):
                found = self.first(target.elts, depth)
            else:
                found = self.bound(target, depth)
            if found is not None:
                return found
        return None

    def bound(self, target: nodes.NodeNG, depth: int) -> _Use | None:
        uses = list(uses_of(self.names, target))
        if isinstance(target, nodes.AssignAttr) and not self.is_only_loaded(target):
            uses = [use for use in uses if _follows(use, target.statement())]
        if any(is_asked_about(use) for use in uses):
            return None
        for use in uses:
            found = self.object_use(use, depth)
            if found is not None:
                return found
        return None

    def is_only_loaded(self, target: nodes.AssignAttr) -> bool:
        """Return whether the attribute *target* of ``self`` is set here only, or else to None."""
        owner = class_of(target)
        others = self.source.index.stores.get(target.attrname, ())
        return all(
            other is target or constant(getattr(other.parent, "value", None)) is None
            for other in others
            if class_of(other) is owner
        )

    def argument(self, node: nodes.NodeNG, call: nodes.Call, depth: int) -> _Use | None:
        """Return a use as an object inside the function of the project that *call* hands *node* to."""
        name = last_name(call.func)
        if name in WRAPPING or self.names.symbol(call.func) in TAKING_OBJECTS:
            return _Use(f"'{_shown(node)}' is given to '{name}'", name != "vars") if node in call.args[:1] else None
        if name in COPYING and node in call.args[:1]:
            return self.object_use(call, depth)
        for function in self.names.callee(call)[:2]:
            if not isinstance(function.node, nodes.FunctionDef):
                continue
            given = arguments_of(function, call)
            for parameter in (one for name in given if given[name] is node for one in _parameters(function.node, name)):
                found = self.bound(parameter, depth + 1)
                if found is not None:
                    return found
        return None

    def returned(self, node: nodes.NodeNG, depth: int, position: int | None = None) -> _Use | None:
        """Return a use as an object of what the function of *node* returns, at *position* of a tuple, in the file."""
        function = function_of(node)
        for call in self.names.call_sites(function) if isinstance(function, nodes.FunctionDef) else ():
            if position is None:
                found = self.object_use(call, depth + 1)
            else:
                found = self.first(list(_unpacked(call, position)), depth + 1)
            if found is not None:
                return found
        return None


def _parameters(function: nodes.FunctionDef, name: str) -> list[nodes.AssignName]:
    return [bound for bound in function.locals.get(name, ()) if isinstance(bound.parent, nodes.Arguments)]


def _unpacked(call: nodes.Call, position: int) -> Iterator[nodes.NodeNG]:
    """Yield what item *position* of the tuple that *call* returns is bound to."""
    for target in call.parent.targets if isinstance(call.parent, nodes.Assign) else ():
        if isinstance(target, nodes.Tuple) and position < len(target.elts):
            yield target.elts[position]


def _follows(use: nodes.NodeNG, statement: nodes.NodeNG) -> bool:
    """Return whether *use* stands behind *statement* in the same block, or in one within."""
    return bool(use.fromlineno > statement.fromlineno and statement.parent.parent_of(use)) and (
        function_of(use) is function_of(statement)
    )


def _attribute_use(node: nodes.Attribute | nodes.AssignAttr) -> _Use:
    text = _shown(node)
    used = f"'{text}'" if text.endswith(node.attrname) else f"'{node.attrname}' of what it gives"
    return _Use(f"{used} is used", node.attrname in OF_MODULES)


def _message_of_use(use: _Use) -> str:
    instead = "save and load a 'state_dict'" if use.of_module else "save plain values or a 'state_dict'"
    return f"'torch.load' gives tensors and plain values only, but {use.text}; {instead}"


def _shown(node: nodes.NodeNG) -> str:
    return re.sub(r"\s+", " ", text_of(node))[:40]


# -- what was saved ------------------------------------------------------------------------------------


def _refused(source: Source, load: TorchCall, written: list[Save]) -> tuple[Save, Refusal] | None:
    """Return what *load* refuses, with the save that wrote it, if all saves of its file write such things."""
    refusals = Refusals(source.names, source.kinds)
    keys = file_keys(source.names, load.given["f"]) if "f" in load.given else frozenset()
    same_file = [save for save in written if may_be_one(keys, save.keys)]
    read = keys_read(source.names, load.node)
    if not same_file:
        same_file = [save for save in written if _belong_together(source, load, save, read)]
    found = [(save, next(refusals.within(save.saved), None)) for save in same_file]
    if not found or any(refused is None for _, refused in found):
        return None
    save, refused = found[0]
    return None if refused is None else (save, refused)


def _belong_together(source: Source, load: TorchCall, save: Save, read: set[str]) -> bool:
    """Return whether *save* writes all the keys that are *read*, and that or the functions speak for one file."""
    are_pair = _are_pair(load, save)
    if len(read) < 2 and not are_pair:
        return False
    return read <= {key for key, _ in items(source.names, save.saved)}


def _are_pair(load: TorchCall, save: Save) -> bool:
    """Return whether *load* and *save* are in functions like ``load(path)`` and ``save(model, path)`` of one class."""
    reader, writer = function_of(load.node), function_of(save.node)
    if reader is writer or reader.parent is not writer.parent:
        return False
    if not isinstance(reader, nodes.FunctionDef) or not isinstance(writer, nodes.FunctionDef):
        return False
    rest = READING.sub("", reader.name)
    return rest != reader.name and rest == WRITING.sub("", writer.name) and _is_parameter(load.given.get("f"), reader)


def _is_parameter(node: nodes.NodeNG | None, function: nodes.FunctionDef) -> bool:
    return isinstance(node, nodes.Name) and bool(_parameters(function, node.name))


def _message_of_refusal(load: TorchCall, save: Save, refused: Refusal) -> str:
    where = f"line {save.node.fromlineno}"
    if save.node.root() is not load.node.root():
        where = f"'{save.node.root().file.rpartition('/')[2]}'"
    text = _shown(refused.node)
    remedy = f"save '{refused.instead}'" if refused.instead else "save plain values"
    return f"'torch.load' refuses what {where} saves: '{text}' is {refused.what}; {remedy}"
