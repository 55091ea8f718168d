"""`backward()` runs inside an `autocast` block.

## What happens
Each backward operation already runs in the type that autocast chose for its forward operation. Inside the block
autocast works on the backward operations as well: what was kept in float32 on purpose is computed in half precision,
and gradients lose digits. PyTorch's documentation: "Backward passes under autocast are not recommended".

## What to write
```python
with torch.autocast("cuda"):
    loss = criterion(model(x), y)
loss.backward()
```

## Silent
- `backward()` after the block.
- `autocast(enabled=False)`, also as an inner block; a flag that may be off counts as on.
- Frameworks that go backward themselves, such as Accelerate.
- `torch.autograd.grad` for a gradient penalty.

## Known limits
Where a helper goes backward and its caller has the block, the call in the block is reported. Managers of other
libraries that enter autocast themselves are not known.

## Sources
- `torch.autocast` and "Automatic Mixed Precision package" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.events import Do, Event
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, function_of
from flake8_torch_pitfalls.analysis.values import Instance, Unknown, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"autocast", "autocast_mode"}

AUTOCAST = "torch.amp.autocast"


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward calls in autocast blocks, and the calls in them that go backward."""
    for run in source.runs.roots:
        for stop in run.events(Do.BACKWARD):
            assert stop.event is not None
            if optimizers.is_framework(stop.event):
                continue
            node = _inside_autocast(source, stop.event)
            if node is not None and node.root() is source.module:
                yield Finding(node, _message(node, stop.event))


def _message(node: nodes.NodeNG, backward: Event) -> str:
    called = f"{node.func.as_string()}()"
    if node is backward.node:
        return f"'{called if len(called) < 60 else 'backward()'}' runs inside 'autocast'; call it after the block"
    return f"'{called}' goes backward inside 'autocast'; only the forward pass belongs in the block"


def _inside_autocast(source: Source, backward: Event) -> nodes.NodeNG | None:
    """Return the call that autocast covers: *backward* itself, or one of those that led to it."""
    for node in (backward.node, *reversed(backward.stack)):
        covered = _covered(source, node)
        if covered is not None:
            return node if covered else None
    return None


def _covered(source: Source, node: nodes.NodeNG) -> bool | None:
    """Return whether autocast is on at *node*; None if nothing in its function says so."""
    frame = function_of(node)
    below = node
    for parent in ancestors(node):
        if isinstance(parent, nodes.With) and below in parent.body:
            for context, _ in reversed(parent.items):
                if (answer := _switches(source, context)) is not None:
                    return answer
        if parent is frame:
            break
        below = parent
    decorators = getattr(frame, "decorators", None)
    for decorator in decorators.nodes if decorators is not None else ():
        if isinstance(decorator, nodes.Call) and (answer := _switches(source, decorator)) is not None:
            return answer
    return None


def _switches(source: Source, context: nodes.NodeNG) -> bool | None:
    """Return whether entering *context* switches autocast on or off; None if it does neither."""
    values = source.names.values(context)
    answers = [_is_enabled(source, value) for value in values if source.names.is_a(value, AUTOCAST)]
    if answers:
        return any(answers)
    if any(isinstance(value, Unknown) for value in values) and "autocast" in context.as_string().lower():
        return False  # somebody's own manager: it may as well switch autocast off
    return None


def _is_enabled(source: Source, manager: Value) -> bool:
    """Return whether *manager*, an autocast, may be switched on."""
    if not isinstance(manager, Instance) or not isinstance(manager.made_at, nodes.Call):
        return True
    symbol = manager.cls if isinstance(manager.cls, str) else AUTOCAST
    given = arguments(manager.made_at, symbol)
    return "enabled" not in given or constants(source.names, given["enabled"]) != {False}
