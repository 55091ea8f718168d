"""Softmax without `dim` guesses the dimension from the number of dimensions.

## What happens
`F.softmax`, `F.log_softmax`, `F.softmin` and the modules `nn.Softmax`, `nn.LogSoftmax`, `nn.Softmin` normalize over
dimension 0 of an input with 0, 1 or 3 dimensions, and over dimension 1 of any other. A batch of sequences
`(batch, time, classes)` is normalized over the *batch*: the probabilities of one sample then depend on the others.
PyTorch only warns that the implicit choice is deprecated.

## What to write
`F.softmax(scores, dim=-1)` for classes in the last dimension, `dim=1` for maps `(batch, classes, height, width)`.

## Silent
- `dim` by keyword or by position, whatever its value is called.
- Calls with `*args` or `**kwargs`, and `functools.partial`, to which a later call may add it.
- `torch.softmax` and `Tensor.softmax`: without `dim` they raise by themselves.

## Known limits
A softmax that is handed around as a function and called elsewhere under another name is not followed.

## Sources
- `torch.nn.functional.softmax` in PyTorch's documentation, and the warning that it gives.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"softmax", "log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin"}

GUESSING = (
    "torch.nn.functional.softmax",
    "torch.nn.functional.log_softmax",
    "torch.nn.functional.softmin",
    "torch.nn.Softmax",
    "torch.nn.LogSoftmax",
    "torch.nn.Softmin",
)


def check(source: Source) -> Iterator[Finding]:
    """Yield the softmaxes that are not told over which dimension to go."""
    for call in torch_calls(source, *GUESSING):
        if call.lacks("dim") or _is_none(source, call):
            name = text_of(call.node.func)
            yield Finding(
                call.node,
                f"'{name}' without 'dim' takes dimension 0 of a 1-D or 3-D input and 1 of others; give it 'dim'",
            )


def _is_none(source: Source, call: TorchCall) -> bool:
    return "dim" in call.given and constants(source.names, call.given["dim"]) == {None}
