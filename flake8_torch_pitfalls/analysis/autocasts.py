"""Where autocast is on, and in which dtype it computes."""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.values import Symbol, Value

SYMBOLS = ("torch.amp.autocast", "torch.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast")
BFLOAT16 = "torch.bfloat16"
FLOAT16 = "torch.float16"
_DTYPES: dict[Value, str] = {Symbol(BFLOAT16): BFLOAT16, Symbol(FLOAT16): FLOAT16, Symbol("torch.half"): FLOAT16}
_USUAL = {"cpu": BFLOAT16, "cuda": FLOAT16}
_OF_ONE_DEVICE = {"torch.cuda.amp.autocast": FLOAT16, "torch.cpu.amp.autocast": BFLOAT16}
"""What an autocast without a dtype computes in."""


def autocasts(source: Source) -> Iterator[TorchCall]:
    """Yield the calls in the file that make an autocast."""
    yield from torch_calls(source, *SYMBOLS)


def is_on(source: Source, call: TorchCall) -> bool:
    """Return whether the autocast, or the scaler, that *call* makes surely is switched on."""
    if call.lacks("enabled"):
        return True
    return "enabled" in call.given and constants(source.names, call.given["enabled"]) == {True}


def dtype_of(source: Source, call: TorchCall) -> str | None:
    """Return the name of the dtype in which the autocast that *call* makes computes, None if that cannot be told."""
    if "dtype" in call.given:
        values = set(source.names.values(call.given["dtype"]))
        return _DTYPES.get(values.pop()) if len(values) == 1 else None
    if not call.lacks("dtype"):
        return None
    if call.symbol in _OF_ONE_DEVICE:
        return _OF_ONE_DEVICE[call.symbol]
    device = devices.named(source.names, call.given.get("device_type")) or ""
    return _USUAL.get(device.partition(":")[0])


def region_of(call: nodes.Call) -> nodes.NodeNG | None:
    """Return the block or function that the autocast made by *call* covers, None if it is entered elsewhere."""
    if isinstance(call.parent, nodes.With) and any(context is call for context, _ in call.parent.items):
        return call.parent
    if isinstance(call.parent, nodes.Decorators):
        return call.parent.parent
    return None
