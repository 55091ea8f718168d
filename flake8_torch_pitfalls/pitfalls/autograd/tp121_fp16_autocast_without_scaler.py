"""Training in float16 under `autocast` without a `GradScaler`, so small gradients become zero.

## What happens
On CUDA `torch.autocast` computes in float16 unless it is told otherwise. The smallest number that float16 holds is
about 6e-8: gradients below it are flushed to zero in the backward pass, and those just above lose their digits. The
weights they belong to stop learning, and no error is raised. A `GradScaler` multiplies the loss, and so all
gradients, before the backward pass and divides them before the step.

## What to write
```python
scaler = torch.amp.GradScaler("cuda")
with torch.autocast("cuda", dtype=torch.float16):
    loss = criterion(model(x), y)
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
```
Or `dtype=torch.bfloat16`, which has the range of float32 and needs no scaler.

## Silent
- `dtype=torch.bfloat16`, autocast on the CPU without `dtype` (bfloat16 there), `enabled=False`.
- Inference, and anything else that does not go backward.
- A scaler anywhere in the file, also one that a caller passes in, and losses that are scaled by hand.
- Frameworks that go backward themselves, such as Accelerate.
- A dtype or device that the text does not show.

## Known limits
A device chosen when the program runs counts as CUDA. A scaler that only another file mentions is not seen.

## Sources
- "Gradient Scaling" in "Automatic Mixed Precision package", PyTorch's documentation.
- `torch.autocast`, whose default dtype is float16 on CUDA and bfloat16 on the CPU.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices, modes, optimizers
from flake8_torch_pitfalls.analysis.accumulation import rescales_gradients
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.events import Do, Event
from flake8_torch_pitfalls.analysis.lineage import Lineage
from flake8_torch_pitfalls.analysis.protocol import path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, function_of, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Instance, Symbol
from flake8_torch_pitfalls.finding import Finding

WORDS = {"autocast", "autocast_mode"}

_AUTOCAST = "torch.amp.autocast"
_HALVES = {Symbol("torch.float16"), Symbol("torch.half")}
_SCALING = re.compile(r"scaler|loss_?scal|scale_?loss", re.IGNORECASE)


def check(source: Source) -> Iterator[Finding]:
    """Yield the autocasts to float16 whose losses go backward unscaled."""
    if _is_scaler_in_sight(source) or rescales_gradients(source.index):
        return
    regions = [
        (manager, region)
        for manager, region in _regions(source)
        if modes.records_grad(source.names, region.body[0]) is not False
    ]
    if not regions:
        return
    lineage = Lineage(source.names)
    computed = [_computed(source, lineage, backward) for backward in _trained(source)]
    for manager, region in regions:
        if any(_trains_in(source, node, region) for loss in computed for node in loss):
            yield Finding(
                manager,
                f"'{manager.func.as_string()}' computes in float16 and no GradScaler scales the loss: small gradients "
                "become zero; use 'torch.amp.GradScaler' or bfloat16",
            )


def _is_scaler_in_sight(source: Source) -> bool:
    index = source.index
    return (
        any(_SCALING.search(name) for name in (*index.calls, *index.attributes, *index.stores))
        or any(_SCALING.search(node.name) for node in index.of(nodes.Name, nodes.AssignName))
        or any(_SCALING.search(alias or name) for node in index.of(nodes.ImportFrom) for name, alias in node.names)
    )


# -- what runs in float16 ------------------------------------------------------------------------------


def _regions(source: Source) -> Iterator[tuple[nodes.Call, nodes.NodeNG]]:
    """Yield the autocasts to float16, each with the block or function that it covers."""
    for block in source.index.of(nodes.With):
        for context, _ in block.items:
            if (manager := _half_autocast(source, context)) is not None:
                yield manager, block
    for decorators in source.index.of(nodes.Decorators):
        for decorator in decorators.nodes:
            if last_name(getattr(decorator, "func", None)) == "autocast":
                if (manager := _half_autocast(source, decorator)) is not None:
                    yield manager, decorators.parent


def _half_autocast(source: Source, context: nodes.NodeNG) -> nodes.Call | None:
    """Return the call that made *context*, if that is an autocast to float16 which this file makes."""
    for value in source.names.values(context):
        if isinstance(value, Instance) and isinstance(value.cls, str) and source.names.is_a(value, _AUTOCAST):
            call = value.made_at
            if isinstance(call, nodes.Call) and call.root() is source.module and not is_open(call):
                if _is_half(source, arguments(call, value.cls), value.cls):
                    return call
    return None


def _is_half(source: Source, given: dict[str, nodes.NodeNG], cls: str) -> bool:
    if "enabled" in given and constants(source.names, given["enabled"]) == {False}:
        return False
    if "dtype" in given:
        dtypes = set(source.names.values(given["dtype"]))
        return bool(dtypes) and dtypes <= _HALVES
    return "cuda" in cls or _is_accelerator(source, given.get("device_type"))


def _is_accelerator(source: Source, device: nodes.NodeNG | None) -> bool:
    """Return whether *device* is CUDA, or what the program chooses where there is CUDA."""
    if isinstance(device, nodes.Attribute) and device.attrname == "type":
        device = device.expr
    name = devices.named(source.names, device)
    return name is not None and (name == devices.CHOSEN or name.startswith("cuda"))


# -- what is trained -----------------------------------------------------------------------------------


def _trained(source: Source) -> Iterator[Event]:
    """Yield the backward passes whose gradients an optimizer steps with."""
    for run in source.runs.roots:
        for stop in run.events(Do.BACKWARD):
            backward = stop.event
            assert backward is not None
            if not backward.detail and not optimizers.is_framework(backward):
                if path(run, stop, lambda event: event.do is Do.STEP, lambda event: event.do is Do.CLEAR) is not None:
                    yield backward


def _computed(source: Source, lineage: Lineage, backward: Event) -> set[nodes.NodeNG]:
    """Return what computes the loss of *backward*: expressions, and the functions of the project that they call."""
    found = set(lineage.computed_along(backward.subject, backward.stack))
    for node in list(found):
        if isinstance(node, nodes.Call):
            found.update(function.node for function in source.names.callee(node))
    return found


def _trains_in(source: Source, node: nodes.NodeNG, region: nodes.NodeNG) -> bool:
    """Return whether *node* runs under *region* and leaves a graph."""
    return _runs_in(node, region) and modes.records_grad(source.names, node) is not False


def _runs_in(node: nodes.NodeNG, region: nodes.NodeNG) -> bool:
    """Return whether *node*, an expression or a function that is called, runs under *region*."""
    if isinstance(node, (nodes.FunctionDef, nodes.Lambda)):
        return node is region or function_of(region) is node
    if isinstance(region, nodes.With):
        return any(above is region for above in ancestors(node)) and function_of(node) is function_of(region)
    return function_of(node) is region
