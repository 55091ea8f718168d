"""`zero_grad` is told `set_to_none`: False is slower and keeps stale state moving, True is the default.

## What happens
Since torch 2.0 `zero_grad()` drops the gradients. With `set_to_none=False` it fills them with zeros instead: memory is
kept and written, the next backward adds instead of storing, and a parameter that got no gradient in a pass is still
moved by momentum and weight decay, since its gradient is zero and not absent. `set_to_none=True` says what is the
default anyway.

## What to write
`optimizer.zero_grad()`.

## Silent
- `zero_grad()` without the argument, or with one that the program decides.
- `set_to_none=True` where `--torch-version` is below 2.0: there it is not the default.
- `zero_grad` of classes that are not torch's and override it.

## Known limits
Code that reads `p.grad` after the clearing may want zeros; it is not looked for.

## Sources
- `torch.optim.Optimizer.zero_grad` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open, text_of
from flake8_torch_pitfalls.analysis.values import Function
from flake8_torch_pitfalls.finding import Finding

WORDS = {"zero_grad"}

_DEFAULT_SINCE = (2, 0)


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``zero_grad`` that are told what to do with the gradients."""
    for call in source.index.calls.get("zero_grad", ()):
        chosen = constant(argument(call, 0, "set_to_none"))
        if not isinstance(chosen, bool) or is_open(call) or not _is_torchs(source, call):
            continue
        name = text_of(call.func)
        if not chosen:
            yield Finding(call, f"'set_to_none=False' fills the gradients with zeros; '{name}()' drops them")
        elif source.settings.torch_version >= _DEFAULT_SINCE:
            yield Finding(call, f"'set_to_none=True' is the default; write '{name}()'")


def _is_torchs(source: Source, call: nodes.Call) -> bool:
    if not isinstance(call.func, nodes.Attribute):
        return False
    if any(isinstance(value, Function) for value in source.names.values(call.func)):
        return False
    receiver = call.func.expr
    return bool(source.kinds.of(receiver, "optimizer") or source.kinds.of(receiver, "module"))
