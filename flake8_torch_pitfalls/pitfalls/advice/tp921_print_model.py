"""`print(model)` shows the layers that were built, not the shapes that run through them.

## What happens
The text of a module lists its submodules in the order in which they were assigned. It says nothing of what `forward`
does, of the shapes between the layers, of the number of parameters, nor of submodules that are never called.

## What to write
`torchinfo.summary(model, input_size=(1, 3, 224, 224))` runs the model once and prints shapes and counts, or
`print(sum(p.numel() for p in model.parameters()))` for the count alone.

## Silent
- Anything but a module, and modules of which nothing is known.
- Losses and other modules without parameters.
- Classes that define `__str__`, `__repr__` or `extra_repr` to say what they want to be said.

## Known limits
`logging` and f-strings are left alone.

## Sources
- `torch.nn.Module` in PyTorch's documentation: `extra_repr`; torchinfo's own page.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"print"}

_TEXT = ("__str__", "__repr__", "extra_repr")


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``print`` that are given a module."""
    for call in source.index.calls.get("print", ()):
        if not isinstance(call.func, nodes.Name):
            continue
        for given in call.args:
            if isinstance(given, (nodes.Name, nodes.Attribute)) and _is_plain_module(source, given):
                yield Finding(
                    call, f"'print({text_of(given)})' shows no shapes or parameter counts; 'torchinfo.summary' does"
                )
                break


def _is_plain_module(source: Source, node: nodes.NodeNG) -> bool:
    if source.kinds.inferred(node, "module") is not True:
        return False
    values = source.names.known(node)
    if layers.any_has(source.names, values, layers.Trait.PARAMETERS) is False:
        return False
    return not any(
        isinstance(value, Instance)
        and isinstance(value.cls, nodes.ClassDef)
        and any(source.names.method(value.cls, name) is not None for name in _TEXT)
        for value in values
    )
