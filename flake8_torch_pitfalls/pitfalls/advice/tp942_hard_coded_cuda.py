"""The model is moved to CUDA whatever the machine has.

## What happens
`model.cuda()` and `model.to("cuda")` raise on a machine without an NVIDIA GPU: on the laptop, in the CI, and on a
machine with another accelerator.

## What to write
```python
device = "cuda" if torch.cuda.is_available() else "cpu"
model = model.to(device)
```
or, from torch 2.6 on, `torch.accelerator.current_accelerator()`.

## Silent
- Files that ask for `is_available()`, `device_count()` or the like, or catch the error.
- `self.cuda()` in a method of the model, which its caller asks for.
- A move under a condition or an option: `if args.cuda:`.
- Files that need CUDA anyway: streams, graphs, events and properties of `torch.cuda`, NCCL, Triton kernels.
- A device that a variable, parameter or option gives.

## Known limits
Only models are looked at, and one finding is reported for a file. A test in another file is not seen.

## Sources
- "CUDA semantics", "Device-agnostic code", in PyTorch's documentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, argument, constant, dotted, position, quoted
from flake8_torch_pitfalls.finding import Finding

WORDS = {"cuda"}

_ASKS = ("is_available", "device_count", "current_accelerator", "use_cuda", "no_cuda")
_NEEDS_CUDA = ("Stream", "Event", "CUDAGraph", "set_device", "get_device_capability", "get_device_properties", "nvtx")
_CUDA = re.compile(r"cuda(:\d+)?")


def check(source: Source) -> Iterator[Finding]:
    """Yield the first place where the file moves a model to CUDA without a way out."""
    moves = sorted((call for name in ("cuda", "to") for call in source.index.calls.get(name, ())), key=position)
    moves = [call for call in moves if isinstance(call.func, nodes.Attribute) and _names_cuda(source, call)]
    if not moves or _asks_or_needs(source):
        return
    for call in moves:
        if dotted(call.func.expr) != "self" and not _is_optional(call) and source.kinds.of(call.func.expr, "module"):
            model = quoted(call.func.expr, "the model")
            yield Finding(call, f"{model} cannot run without CUDA; choose the device by 'torch.cuda.is_available()'")
            return


def _names_cuda(source: Source, call: nodes.Call) -> bool:
    if call.func.attrname == "cuda":
        return not call.args and not call.keywords
    given = argument(call, 0, "device")
    if isinstance(given, nodes.Call) and source.names.symbol(given.func) == "torch.device":
        given = argument(given, 0, "type")
    return isinstance(text := constant(given), str) and _CUDA.fullmatch(text) is not None


def _asks_or_needs(source: Source) -> bool:
    """Return whether the file asks what the machine has, or uses what only CUDA has."""
    index = source.index
    if any(name in index.attributes or name in index.calls or name in index.reads for name in _ASKS):
        return True
    if any(_is_of_cuda(use) for name in _NEEDS_CUDA for use in index.attributes.get(name, ())):
        return True
    return "triton" in source.module.locals or any(text.value == "nccl" for text in index.of(nodes.Const))


def _is_of_cuda(use: nodes.Attribute) -> bool:
    return isinstance(use.expr, nodes.Attribute) and use.expr.attrname == "cuda"


def _is_optional(call: nodes.Call) -> bool:
    """Return whether a condition or a handler of errors decides about *call*."""
    return any(
        isinstance(above, (nodes.IfExp, nodes.Try, nodes.BoolOp))
        or isinstance(above, nodes.If) and "__name__" not in above.test.as_string()
        for above in ancestors(call)
    )  # fmt: skip
