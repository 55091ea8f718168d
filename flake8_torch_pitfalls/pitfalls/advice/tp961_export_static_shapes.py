"""An ONNX model is exported without dynamic shapes and takes inputs of the example's sizes only.

## What happens
The exporter writes the sizes of the example input into the model: the batch size, the height, the length of a text.
The exported model refuses any other, or reshapes to the size that was recorded and gives wrong results.

## What to write
`torch.onnx.export(model, (x,), path, dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}})`; with `dynamo=False`,
`dynamic_axes={"input": {0: "batch"}}` and `input_names=["input"]`.

## Silent
- `dynamic_axes` or `dynamic_shapes` in any form, and calls with `**kwargs`. Write `dynamic_shapes=None` where one size
  is meant.
- Programs that `torch.export.export` or `torch.jit` made, in which the sizes are decided.

## Known limits
Whether one size is meant is not known: hence advice.

## Sources
- `torch.onnx.export` in PyTorch's documentation, `dynamic_shapes` and `dynamic_axes`.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.calls import TorchCall, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument
from flake8_torch_pitfalls.finding import Finding

WORDS = {"onnx"}

_FIXED = ("torch.export.ExportedProgram", "torch.jit.ScriptModule", "torch.jit.ScriptFunction")


def check(source: Source) -> Iterator[Finding]:
    """Yield the exports whose every size is fixed."""
    for call in torch_calls(source, "torch.onnx.export"):
        named = any(argument(call.node, None, name) is not None for name in ("dynamic_axes", "dynamic_shapes"))
        if not (named or call.is_open or call.is_partial or _is_decided(source, call)):
            yield Finding(
                call.node, "the exported model takes inputs of the example's sizes only; pass 'dynamic_shapes'"
            )


def _is_decided(source: Source, call: TorchCall) -> bool:
    model = argument(call.node, 0, "model")
    return any(source.names.is_a(value, *_FIXED) for value in source.names.values(model))
