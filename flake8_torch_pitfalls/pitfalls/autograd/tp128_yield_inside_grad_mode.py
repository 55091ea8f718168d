"""A generator yields inside `torch.no_grad()`, so the code that reads from it runs without gradients.

## What happens
The grad mode belongs to the thread, not to the function. A generator that stops at `yield` inside
`with torch.no_grad():` leaves recording off for whoever asked for the value, until it is resumed and leaves the
block. A training loop over it computes losses without a graph, and `backward()` raises "element 0 of tensors does
not require grad". A `DataLoader` without workers passes the mode on from `IterableDataset.__iter__` in the same
way; under `torch.inference_mode()` every tensor that the reader makes is an inference tensor.

## What to write
```python
for x in loader:
    with torch.no_grad():
        features = encoder(x)
    yield features
```
Or decorate the generator with `@torch.no_grad()`: torch then switches the mode around each resumption only.

## Silent
- `@torch.no_grad()` or `@torch.inference_mode()` on the generator, with or without such a block inside.
- `@contextmanager` functions and fixtures, whose purpose it is, and generators below any other decorator that
  cannot be read.
- A `yield` after the block, or in a nested `with torch.enable_grad():`.
- A generator whose every reader is in view and goes backward nowhere, or takes all values at once with `list(...)`.
- `torch.set_grad_enabled(flag)` with a flag that may be true.

## Known limits
`torch.set_grad_enabled(False)` as a statement in a generator is not reported: it acts on everybody by design. Nor is
`with torch.inference_mode():` below `@torch.no_grad()`, which switches gradients back on for the reader but leaves
inference mode on.

## Sources
- "Locally disabling gradient computation" in PyTorch's documentation: the modes are thread-local.
- `torch.no_grad`, which wraps generators that it decorates.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import modes
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, decorator_names, function_of, last_name
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"no_grad", "inference_mode", "set_grad_enabled"}

_SWITCHES = modes.OFF | modes.ON | modes.SET
_GOES_BACKWARD = frozenset(("backward", "manual_backward", "grad"))
_PLAIN_DECORATORS = frozenset(("staticmethod", "classmethod", "property", "override", "abstractmethod"))
_EXHAUSTING = frozenset(("list", "tuple", "set", "sorted", "cat", "stack", "extend", "sum", "dict"))
"""What takes all it needs from a generator before other code runs."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the places where a generator stops with recording switched off."""
    for function, yields in source.index.yields.items():
        if not isinstance(function, nodes.FunctionDef) or decorator_names(function) - _PLAIN_DECORATORS:
            continue
        for node in yields:
            block = _switched_off_around(source, node, function)
            if block is not None and not _is_read_without_gradients(source, function):
                yield Finding(
                    node,
                    f"'yield' inside '{block.as_string()}' leaves gradients off for the code that reads "
                    f"'{function.name}()'; yield after the block",
                )


def _switched_off_around(source: Source, node: nodes.NodeNG, function: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the innermost manager around *node* that sets the grad mode, if it switches recording off."""
    below = node
    for parent in ancestors(node):
        if parent is function:
            break
        if isinstance(parent, nodes.With) and below in parent.body:
            for context, _ in reversed(parent.items):
                switches = [_switches_off(source, value) for value in source.names.values(context)]
                if any(answer is not None for answer in switches):
                    return context if all(switches) else None
        below = parent
    return None


def _switches_off(source: Source, manager: object) -> bool | None:
    """Return whether entering *manager* surely switches recording off; None if it leaves the mode alone."""
    if not isinstance(manager, Instance) or not isinstance(manager.cls, str) or manager.cls not in _SWITCHES:
        return None
    if manager.cls in modes.ON or not isinstance(manager.made_at, nodes.Call):
        return False
    given = arguments(manager.made_at, manager.cls)
    if manager.cls in modes.SET:
        return "mode" in given and constants(source.names, given["mode"]) == {False}
    return "mode" not in given or constants(source.names, given["mode"]) == {True}


def _is_read_without_gradients(source: Source, function: nodes.FunctionDef) -> bool:
    """Return whether all code that reads *function* is in view and needs no gradients."""
    if function.name.startswith("__") or modes.is_handed_over(source.names, function):
        return False
    readers = source.names.call_sites(function)
    return bool(readers) and all(_needs_no_gradients(source, call) for call in readers)


def _needs_no_gradients(source: Source, call: nodes.Call) -> bool:
    if isinstance(call.parent, nodes.Call) and last_name(call.parent.func) in _EXHAUSTING:
        return True
    if modes.records_grad(source.names, call) is False:
        return True
    if not _is_gone_through(call):
        return False
    reader = function_of(call)
    goes_backward = reaching(source.module, source.project, _GOES_BACKWARD)
    return not any(last_name(inner.func) in goes_backward for inner in source.index.calls_in.get(reader, ()))


def _is_gone_through(call: nodes.Call) -> bool:
    """Return whether a loop or comprehension goes through what *call* gives, maybe counted or shown by a bar."""
    below: nodes.NodeNG = call
    while isinstance(below.parent, nodes.Call) and last_name(below.parent.func) in ("enumerate", "tqdm", "zip"):
        below = below.parent
    return isinstance(below.parent, (nodes.For, nodes.Comprehension)) and below.parent.iter is below
