"""`torch.no_grad` around a pure inference, where `torch.inference_mode` does less work.

## What happens
Under `no_grad` autograd records no graph, but torch goes on counting the versions of tensors and tracking views. Under
`inference_mode` it does neither: less overhead for each operation, which shows with small models and batches.

## What to write
`with torch.inference_mode():` or `@torch.inference_mode()`.

## Silent
- Results that may reach autograd later: stored, handed to code out of view, returned from a function that is not
  named for inference (`predict`, `classify` …). Inference tensors raise there.
- Files that train.
- Blocks that change tensors in place, update weights or buffers, or cache something on an object.
- `--torch-version` below 1.9, which has no inference mode.

## Known limits
Only blocks are reported in which a module runs whose results surely end as numbers, text or pictures. Layers that
cache tensors in their first forward, for training later, are seen only where the project defines them.

## Sources
- "Inference Mode", PyTorch notes on autograd mechanics; `torch.inference_mode` in PyTorch's documentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.autocasts import region_of
from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.events import Do, Event
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import function_of, last_name, text_of
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.finding import Finding

WORDS = {"no_grad"}

_SINCE = (1, 9)
_TRAINS = ("backward", "manual_backward", "fit", "training_step")
_FINAL = {Use.DATA, Use.META, Use.SHOWN, Use.DROPPED}
_PREDICTS = re.compile(r"(^|_)(predict|infer|evaluate|test|classify|detect|segment|translate|transcribe|demo|main)")
"""Names of functions whose results are for people, not for autograd."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the ``no_grad`` of regions that run modules and give nothing but data."""
    if source.settings.torch_version < _SINCE or any(name in source.index.calls for name in _TRAINS):
        return
    for call in torch_calls(source, "torch.no_grad"):
        region = region_of(call.node)
        if region is None or _changes_something(source, region):
            continue
        forwards = list(_forwards(source, region))
        if forwards and all(_is_inference(source, forward) for forward in forwards):
            name = text_of(call.node.func)
            yield Finding(call.node, f"'{name}' only runs inference here; 'torch.inference_mode' has less overhead")


def _changes_something(source: Source, region: nodes.NodeNG) -> bool:
    """Return whether *region* updates tensors in place, keeps something on an object, or suspends itself."""
    within = source.index.within
    if any(region.parent_of(node) for kind in (nodes.AssignAttr, nodes.Yield) for node in within(region, kind)):
        return True
    return any(
        region.parent_of(call) and (last_name(call.func) or "").endswith("_") for call in within(region, nodes.Call)
    )


def _forwards(source: Source, region: nodes.NodeNG) -> Iterator[Event]:
    for run in source.runs.roots:
        for stop in run.events(Do.FORWARD):
            if stop.event is not None and region.parent_of(stop.event.node):
                yield stop.event


def _is_inference(source: Source, forward: Event) -> bool:
    """Return whether *forward* surely gives data only, and leaves nothing on the modules that it runs."""
    found = uses(source.names, forward.node, forward.stack)
    if not found <= (_FINAL | {Use.RETURNED} if _is_named_inference(forward) else _FINAL):
        return False
    if found.isdisjoint((Use.DATA, Use.RETURNED)):
        return False
    return not any(
        source.names.index_of(function.node).within(function.node, nodes.AssignAttr)
        for function in source.names.callee(forward.node)
    )


def _is_named_inference(forward: Event) -> bool:
    function = function_of(forward.node)
    return isinstance(function, nodes.FunctionDef) and _PREDICTS.search(function.name) is not None
