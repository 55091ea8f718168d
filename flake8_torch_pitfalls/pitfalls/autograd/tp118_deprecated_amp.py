"""`torch.cuda.amp` and `torch.cpu.amp` are deprecated since PyTorch 2.4.

## What happens
`torch.cuda.amp.autocast`, `GradScaler`, `custom_fwd` and `custom_bwd`, and the same under `torch.cpu.amp`, still work,
but each emits a `FutureWarning` where it is called, in every process of a job. They will be removed.

## What to write
The names of `torch.amp`, which take the device:

| instead of | write |
| --- | --- |
| `torch.cuda.amp.autocast(...)` | `torch.amp.autocast("cuda", ...)` |
| `torch.cuda.amp.GradScaler(...)` | `torch.amp.GradScaler("cuda", ...)` |
| `@torch.cuda.amp.custom_fwd` | `@torch.amp.custom_fwd(device_type="cuda")` |
| `@torch.cuda.amp.custom_bwd` | `@torch.amp.custom_bwd(device_type="cuda")` |

Each call is reported, not the import, because each needs the device.

## Silent
- `torch-version` below 2.4, where `torch.amp` has no `GradScaler`.
- Names imported in a `try` with a handler for the other name, and code that asks for the version, or for the new name
  with `hasattr`, before it uses the old one.
- Annotations and `isinstance`, which emit no warning.

## Known limits
A name that is imported from here and used in other files is reported where it is called.

## Sources
- PyTorch 2.4 release notes, and the warnings themselves.
- "Automatic Mixed Precision package" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import compat
from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, last_name, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"amp", "autocast_mode", "grad_scaler"}

DEPRECATED_IN = (2, 4)
HINTS = {
    "autocast": "torch.amp.autocast('{device}', ...)",
    "GradScaler": "torch.amp.GradScaler('{device}', ...)",
    "custom_fwd": "torch.amp.custom_fwd(device_type='{device}')",
    "custom_bwd": "torch.amp.custom_bwd(device_type='{device}')",
}
REPLACEMENTS = {
    f"torch.{device}.amp.{name}": hint.format(device=device)
    for device in ("cuda", "cpu")
    for name, hint in HINTS.items()
    if device == "cuda" or not name.startswith("custom")
}


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of the old names, and the decorators without a call."""
    if source.settings.torch_version < DEPRECATED_IN:
        return
    for call in torch_calls(source, *REPLACEMENTS):
        named = call.node.args[0] if call.is_partial else call.node.func
        if not _is_compatible(source, named):
            yield _finding(call.node, call.symbol)
    for decorators in source.index.of(nodes.Decorators):
        for decorator in decorators.nodes:
            if isinstance(decorator, nodes.Call) or last_name(decorator) is None:
                continue
            symbol = source.names.symbol(decorator)
            if symbol in REPLACEMENTS and not _is_compatible(source, decorator):
                yield _finding(decorator, symbol)


def _finding(node: nodes.NodeNG, symbol: str) -> Finding:
    return Finding(node, f"'{symbol}' is deprecated since torch 2.4; write \"{REPLACEMENTS[symbol]}\"")


def _is_compatible(source: Source, named: nodes.NodeNG) -> bool:
    """Return whether *named*, or the import behind it, is the way for an old torch beside one for a new one."""
    return compat.is_guarded(source.names, named) or any(
        isinstance(above, (nodes.If, nodes.IfExp)) and _has_new_name(source, above, last_name(named))
        for above in ancestors(named)
    )


def _has_new_name(source: Source, choice: nodes.NodeNG, name: str | None) -> bool:
    return any(
        isinstance(node, nodes.Call)
        and last_name(node.func) == name
        and (source.names.symbol(node.func) or "").startswith("torch.amp.")
        for node in walk(choice)
    )
