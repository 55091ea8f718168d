"""A tensor that grows by `torch.cat` in a loop is copied as a whole in every pass.

## What happens
`torch.cat` makes a new tensor and copies all that was collected so far. After n passes that is a number of copies that
grows with n², and for a moment both the old and the new tensor are in memory.

## What to write
```python
parts = []
for batch in loader:
    parts.append(model(batch))
outputs = torch.cat(parts)
```

## Silent
- Tensors that the loop itself works with, such as the tokens of a generated sequence.
- Tensors that are made anew in each pass, and windows of a fixed length: `torch.cat([window[1:], new])`.
- Loops over a few items that the text shows.

## Known limits
Only variables are looked at, and `self.name` only where the loop stands in the same function.

## Sources
- `torch.cat` in PyTorch's documentation. The time was measured with torch 2.13.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import TorchCall, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, dotted, loops_around, target_text, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"cat", "concat", "concatenate", "vstack", "hstack", "dstack"}

_FEW = 10


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls that add something to a tensor which a loop only collects."""
    for call in torch_calls(source, *(f"torch.{word}" for word in sorted(WORDS)), where=_is_in_loop):
        name = _grown(call)
        if name is not None:
            yield Finding(
                call.node, f"'{name}' is copied in every pass of the loop; append to a list and call 'torch.cat' once"
            )


def _is_in_loop(call: nodes.Call) -> bool:
    return isinstance(call.parent, nodes.Assign) and bool(loops_around(call))


def _grown(call: TorchCall) -> str | None:
    """Return the text of the variable that *call* makes longer in every pass of a loop."""
    given = call.given.get("tensors")
    loop = loops_around(call.node)[0]
    if not isinstance(given, (nodes.List, nodes.Tuple)) or _is_short(loop):
        return None
    for target in call.node.parent.targets:
        for part in given.elts:
            text = dotted(part)
            if text is not None and text == target_text(target) and _is_carried(part, target, loop):
                return None if _is_read(text, call.node.statement(), loop) else text
    return None


def _is_short(loop: nodes.For | nodes.While) -> bool:
    """Return whether *loop* goes through a few things that the text shows."""
    match getattr(loop, "iter", None):
        case nodes.List() | nodes.Tuple() | nodes.Dict() | nodes.Set():
            return True
        case nodes.Call(func=nodes.Name(name="range"), args=[*_, end]):
            number = constant(end)
            return isinstance(number, int) and number <= _FEW
    return False


def _is_carried(part: nodes.NodeNG, target: nodes.NodeNG, loop: nodes.For | nodes.While) -> bool:
    """Return whether *part* is what *target* was given in the pass before."""
    if isinstance(part, nodes.Name):
        return target in scopes.definitions(part, part.name)
    others = [node for node in walk(loop) if isinstance(node, nodes.AssignAttr) and node is not target]
    return isinstance(part, nodes.Attribute) and target_text(target) not in map(target_text, others)


def _is_read(text: str, statement: nodes.NodeNG, loop: nodes.For | nodes.While) -> bool:
    """Return whether *loop* works with the variable, other than in *statement* and in ``is None``."""
    return any(
        isinstance(node, (nodes.Name, nodes.Attribute))
        and dotted(node) == text
        and node.statement() is not statement
        and not _asks_for_none(node)
        for node in walk(loop)
    )


def _asks_for_none(node: nodes.NodeNG) -> bool:
    match node.parent:
        case nodes.Compare(ops=[("is" | "is not", _)]):
            return True
    return False
