"""A context manager that selects a device or stream stands as a statement of its own, and selects nothing.

## What happens
`torch.cuda.device(1)`, `torch.cuda.stream(s)`, `torch.accelerator.device_index(1)` and `torch.device("cuda")` only
make an object. The device or stream changes when a `with` block enters it. As a bare statement the object is dropped
at once, and what follows runs on the device and the stream that were current before, without a word.

## What to write
`with torch.cuda.device(1):` around what belongs there, or `torch.cuda.set_device(1)` for the rest of the program.
For a default device of new tensors: `torch.set_default_device("cuda")`, or `with torch.device("cuda"):`.

## Silent
- `with`, `ExitStack.enter_context`, a result that is kept.
- `torch.cuda.set_device`, `torch.cuda.set_stream`, `torch.set_default_device`.
- `torch.device(text)` in a `try` or `pytest.raises`, which asks whether the text names a device.

## Known limits
In a notebook, a last line `torch.device("cuda")` that shows the object is reported where nothing tells that it is a
display.

## Sources
- `torch.cuda.device`, `torch.cuda.stream`, `torch.accelerator.device_index` and "torch.device" in PyTorch's
  documentation: context managers.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.purpose import expects_failure, is_dropped
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"device", "stream", "device_index", "device_of"}

INSTEAD = {
    "torch.device": "torch.set_default_device(...)",
    "torch.cuda.device": "torch.cuda.set_device(...)",
    "torch.cuda.device_of": "torch.cuda.set_device(...)",
    "torch.cuda.stream": "torch.cuda.set_stream(...)",
    "torch.xpu.device": "torch.xpu.set_device(...)",
    "torch.xpu.device_of": "torch.xpu.set_device(...)",
    "torch.xpu.stream": "torch.xpu.set_stream(...)",
    "torch.accelerator.device_index": "torch.accelerator.set_device_index(...)",
}
"""Context managers, and the function that does the same for good."""


def check(source: Source) -> Iterator[Finding]:
    """Report context managers that nothing enters."""
    for call in torch_calls(source, *INSTEAD, where=is_dropped):
        if not call.is_partial and not _is_attempt(call.node):
            name = text_of(call.node.func)
            what_to_write = f"write 'with {name}(...):' or '{INSTEAD[call.symbol]}'"
            yield Finding(call.node, f"'{name}(...)' selects nothing by itself; {what_to_write}")


def _is_attempt(call: nodes.Call) -> bool:
    """Return whether *call* only asks whether it fails."""
    return expects_failure(call) or any(isinstance(above, nodes.Try) for above in ancestors(call))
