"""A context manager such as `torch.no_grad()` that is never entered has no effect.

## What happens
`torch.no_grad()`, `inference_mode()`, `enable_grad()`, `autocast(...)` and `autograd.detect_anomaly()` change something
only between entering and leaving them. As a statement the call makes an object and drops it: gradients are recorded as
before, nothing runs in lower precision, and no error is raised.

Without parentheses, `with torch.no_grad:` raises `TypeError`: a class is no context manager. `@torch.no_grad` without
parentheses works, but `@torch.cuda.amp.autocast` makes a function that raises `TypeError` when it is called, and
`@torch.autocast` raises `ValueError` at once, because it wants a device.

## What to write
```python
with torch.no_grad():
    output = model(x)
```
or `@torch.no_grad()` above the function, or `torch.set_grad_enabled(False)` as a statement.

## Silent
- `torch.set_grad_enabled(False)` and `torch.autograd.set_detect_anomaly(True)` as statements: these work.
- A context manager that is kept, returned, passed on, or entered with `enter_context`.
- `@torch.no_grad`, `@torch.enable_grad` and `@torch.inference_mode`, which torch accepts without parentheses.

## Known limits
A variable that holds the context manager and is never entered is not followed.

## Sources
- "Locally disabling gradient computation" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {
    "no_grad", "inference_mode", "enable_grad", "set_grad_enabled", "autocast", "detect_anomaly", "set_detect_anomaly",
}  # fmt: skip

AUTOCASTS = frozenset(("torch.amp.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast"))
ENTERED = AUTOCASTS | {"torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.autograd.detect_anomaly"}
"""Context managers that do nothing until they are entered."""
IMMEDIATE = frozenset(("torch.set_grad_enabled", "torch.autograd.set_detect_anomaly"))
"""Context managers that already act when they are made."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the context managers that are dropped at once, and those that lack their parentheses."""
    for call in torch_calls(source, *ENTERED):
        if isinstance(call.node.parent, nodes.Expr):
            called = call.node.as_string()
            yield Finding(call.node, f"'{called}' as a statement has no effect; write 'with {called}:' around the code")
    for block in source.index.of(nodes.With, nodes.AsyncWith):
        for context, _ in block.items:
            for node in _alternatives(context):
                if last_name(node) is not None and source.names.symbol(node) in ENTERED | IMMEDIATE:
                    named = node.as_string()
                    yield Finding(block, f"'with {named}:' raises TypeError; write '{named}(...)'")
    for decorators in source.index.of(nodes.Decorators):
        for decorator in decorators.nodes:
            if last_name(decorator) == "autocast" and source.names.symbol(decorator) in AUTOCASTS:
                named = decorator.as_string()
                yield Finding(decorator, f"'@{named}' takes the function for an argument; write '@{named}(...)'")


def _alternatives(context: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the expressions of which *context* is one."""
    if isinstance(context, nodes.IfExp):
        return _alternatives(context.body) + _alternatives(context.orelse)
    return [context]
