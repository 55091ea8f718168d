"""Tensors, or a module and its input, are on two devices, and the operation raises.

## What happens
Almost every operation wants its operands on one device. A model that was moved to the GPU raises
`RuntimeError: Expected all tensors to be on the same device` for a batch that was left on the CPU, where a
`DataLoader` and `torch.zeros(...)` put it. So does a loss whose target was not moved, a hidden state made without
`device=`, and a comparison of predictions with labels that stayed behind. On a machine without a GPU, where
`device` is the CPU, nothing is wrong: the program fails only where it is meant to run.

## What to write
Move each batch, targets too: `x, y = x.to(device), y.to(device)`. Make new tensors where the others are:
`torch.zeros(n, device=x.device)`.

## Silent
- Devices that are not known, and objects that are not known to be on a device.
- Tensors that the collate function, the dataset, `forward` or a callee moves.
- A stray variable after its first use, and one whose `x.to(device)` is dropped: TP401 reports that line.
- What accelerate, Lightning and Fabric prepare, `DataParallel`, `DistributedDataParallel` and FSDP: they move inputs.
- Files that use `torch.set_default_device`, `torch.set_default_tensor_type` or `with torch.device(...)`.
- Zero-dimensional CPU tensors in arithmetic, CPU indices of a GPU tensor, copies: torch allows them.
- Operations under a test that asks for the device, where another branch may do it differently.

## Known limits
Of a model the class must be in view, or torch's own, for `forward` may move its input. A device that the program
chooses when it runs (`"cuda" if torch.cuda.is_available() else "cpu"`, an option, a parameter) is taken for an
accelerator, and so is `x.device` of a parameter `x`. A loader's batches are known to be on the CPU only where the data
set is in view:
a `TensorDataset` of known tensors, one of torchvision's, or a class of the project that names no device. Of the
tensors that a `forward` in view is given, the first few kinds are followed through it.

## Sources
- "CUDA semantics" in PyTorch's documentation: operations across devices are not allowed, copies are.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.devices import CHOSEN, CPU, FOLLOWED, MOVES, is_guarded
from flake8_torch_pitfalls.analysis.operations import FACTORIES
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tensors import Clash
from flake8_torch_pitfalls.analysis.tree import (
    argument,
    class_of,
    dotted,
    function_of,
    last_name,
    position,
    text_of,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"to", "cuda", "device"}
DEFAULTS = ("set_default_device", "set_default_tensor_type")
MADE = frozenset(symbol.rpartition(".")[2] for symbol in FACTORIES)
PLAIN_ITERABLES = frozenset(
    "range items keys values parameters named_parameters modules named_modules children named_children split glob "
    "listdir sorted reversed".split()
)
"""Calls whose results are looped over and hold no batches."""
LONGEST = 40
LEAVES_ALONE = ("parameters", "named_parameters", "state_dict", "load_state_dict", "train", "eval", "zero_grad")
"""Methods after which a module is where it was."""


def check(source: Source) -> Iterator[Finding]:
    """Report operations and calls whose operands are on two devices."""
    if not _uses_devices(source) or _changes_default(source):
        return
    for scope in _scopes(source):
        source.tensors.of(scope)
    for scope in source.tensors.visited():
        strays: set[str] = set()
        for clash in sorted(source.tensors.apart(scope), key=_in_text):
            stray = _root(clash)
            if stray not in strays and _is_certain(source, clash) and not _is_moved_in_vain(source, scope, stray):
                strays.add(stray)  # one that is moved where it is first needed is right everywhere
                yield Finding(clash.node, _message(clash))


def _scopes(source: Source) -> list[nodes.NodeNG]:
    """Return the functions in which a tensor that stays on the CPU may meet one that does not.

    That takes something of each kind, in the function, its class, the script around it or what it calls.
    """
    index = source.index
    staying = {function_of(node) for node in _staying(source)}
    moving = {function_of(call) for name in MOVES for call in index.calls.get(name, ())}
    moving.update(function_of(keyword) for keyword in index.of(nodes.Keyword) if keyword.arg == "device")
    owners = {class_of(scope) for scope in moving if _is_plain_method(scope)}
    keeping = {class_of(scope) for scope in staying if _is_plain_method(scope) and scope.name == "__init__"}
    callers = {function_of(call) for scope in staying for call in index.calls.get(getattr(scope, "name", ""), ())}
    scopes: list[nodes.NodeNG] = [source.module, *index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)]
    return [
        scope
        for scope in scopes
        if (scope in staying or class_of(scope) in keeping)
        and (scope in moving or source.module in moving and not _is_of_module(scope) or class_of(scope) in owners)
        or scope in moving
        and (scope in callers or _calls_variable(source, scope))
    ]


def _staying(source: Source) -> Iterator[nodes.NodeNG]:
    """Yield what may give a tensor on the CPU: factories without a device, loops over loaders, moves there."""
    index = source.index
    for name, calls in index.calls.items():
        if name in MADE or name.endswith("Tensor"):
            yield from (call for call in calls if argument(call, None, "device") is None and not _is_elsewhere(call))
        elif name in ("cpu", "DataLoader", "next"):
            yield from calls
        elif name == "cuda":  # one of several GPUs
            yield from (call for call in calls if call.args and isinstance(call.args[0], nodes.Const))
        elif name == "to":
            yield from (call for call in calls if call.args and isinstance(call.args[0], nodes.Const))
    names = (*index.reads, *index.attributes, *index.calls)
    loops = index.of(nodes.For, nodes.AsyncFor) if any("loader" in name.lower() for name in names) else ()
    for loop in loops:
        if last_name(getattr(loop.iter, "func", None)) not in PLAIN_ITERABLES:
            yield loop


def _is_elsewhere(call: nodes.Call) -> bool:
    """Return whether what *call* makes is moved at once, or is numpy's."""
    if isinstance(call.func, nodes.Attribute) and last_name(call.func.expr) in ("np", "numpy"):
        return True
    return isinstance(call.parent, nodes.Attribute) and call.parent.attrname in MOVES


def _is_plain_method(scope: nodes.NodeNG) -> bool:
    return class_of(scope) is not None and not _is_of_module(scope)


def _is_of_module(scope: nodes.NodeNG) -> bool:
    """Return whether *scope* is a module's method: what it holds, its owner may have moved."""
    owner = class_of(scope)
    return owner is not None and any((last_name(base) or "").endswith("Module") for base in owner.bases)


def _calls_variable(source: Source, scope: nodes.NodeNG) -> bool:
    """Return whether *scope* calls a variable of its own or of an object, which may be a module."""
    for call in source.index.calls_in.get(scope, ()):
        if isinstance(call.func, nodes.Name) and call.func.name in scope.locals:
            return True
    return False


def _is_moved_in_vain(source: Source, scope: nodes.NodeNG, stray: str) -> bool:
    """Return whether a statement ``x.to(device)`` of *scope* drops the moved *stray*: TP401 says so."""
    return any(
        dotted(getattr(call.func, "expr", None)) == stray and isinstance(call.parent, (nodes.Expr, nodes.IfExp))
        for name in MOVES
        for call in source.index.calls.get(name, ())
        if function_of(call) is scope
    )


def _in_text(clash: Clash) -> tuple[int, int]:
    return position(clash.node)


def _root(clash: Clash) -> str:
    """Return the variable that is astray, or what else there is to tell."""
    node = clash.stray if clash.device == CPU or not clash.module else getattr(clash.node, "func", None)
    text = dotted(node)
    while isinstance(node, (nodes.Attribute, nodes.Call, nodes.Subscript)):
        match node:
            case nodes.Attribute():
                node = node.expr
            case nodes.Call():
                node = node.func
            case _:
                node = node.value
    if isinstance(node, nodes.Name) and node.name != "self" and not _is_imported(node):
        return str(node.name)
    return text or str(position(clash.node))


def _is_imported(node: nodes.Name) -> bool:
    return any(isinstance(bound, (nodes.Import, nodes.ImportFrom)) for bound in node.lookup(node.name)[1])


def _uses_devices(source: Source) -> bool:
    """Return whether the file moves anything, or makes anything on a device."""
    return any(source.index.calls.get(name) for name in MOVES) or any(
        keyword.arg == "device" for keyword in source.index.of(nodes.Keyword)
    )


def _changes_default(source: Source) -> bool:
    if any(source.index.calls.get(name) for name in DEFAULTS):
        return True
    return any(
        isinstance(call.parent, nodes.With) and source.names.symbol(call.func) == "torch.device"
        for call in source.index.calls.get("device", ())
    )


def _is_certain(source: Source, clash: Clash) -> bool:
    if clash.sometimes and is_guarded(clash.node):
        return False
    return clash.device == CPU or not clash.module or _is_never_moved(source, clash.node)


def _is_never_moved(source: Source, call: nodes.NodeNG) -> bool:
    """Return whether the module that *call* runs is one that nothing else in its function can have moved."""
    func = getattr(call, "func", None)
    if not isinstance(func, nodes.Name):
        return False
    made = definitions(func, func.name)
    if len(made) != 1 or not isinstance(made[0].parent, nodes.Assign) or function_of(made[0]) is not function_of(call):
        return False
    uses = [use for use in function_of(call).nodes_of_class(nodes.Name) if use.name == func.name]
    return all(_leaves_in_place(use) for use in uses)


def _leaves_in_place(use: nodes.Name) -> bool:
    match use.parent:
        case nodes.Attribute(attrname=name):
            return name in LEAVES_ALONE
        case nodes.Call() as call:
            return call.func is use or last_name(call.func) == "print"
    return False


def _message(clash: Clash) -> str:
    stray = _name(clash.stray)
    if clash.module:
        module = _name(getattr(clash.node, "func", None)) or "the module"
        if clash.device == CPU:
            return f"{stray or 'an input'} stays on the CPU while {module} was moved{_where(clash.other)}; move it too"
        return f"{module} stays on the CPU while {stray or 'its input'} was moved{_where(clash.device)}; move it too"
    if clash.device == CPU:
        return f"{stray or 'one operand'} is on the CPU and meets a tensor{_where(clash.other, ' on')}; move it there"
    return f"{stray or 'one operand'} is{_where(clash.device, ' on')} and meets a tensor{_where(clash.other, ' on')}"


def _name(node: nodes.NodeNG | None) -> str:
    """Return *node* in quotes if it is short enough to be said."""
    if node is None:
        return ""
    text = dotted(node) or " ".join(text_of(node).split())
    return f"'{text}'" if len(text) <= LONGEST else ""


def _where(device: str, preposition: str = " to") -> str:
    return f"{preposition} another device" if device in (CHOSEN, FOLLOWED) else f"{preposition} '{device}'"
