"""`Dropout2d` and `Dropout3d` drop whole channels: on a flat input there are none, and they warn.

## What happens
`nn.Dropout2d` sets whole feature maps of an image batch to zero, `nn.Dropout3d` those of volumes. After
`flatten(1)` or `view(batch, -1)` there are no maps left: on a 2-D input both fall back to dropping single numbers,
as `nn.Dropout` does, and warn that this is deprecated and will raise in a future release. The usual case is a
`Dropout2d` behind a linear layer of the classifier.

## What to write
`nn.Dropout` behind linear layers; `nn.Dropout2d` where the input still has channels, before it is flattened.

## Silent
- Inputs with channels: images, feature maps.
- Inputs of which the text does not show how many dimensions they have.
- `Dropout1d`, for which a 2-D input is one sample with channels.
- Modules of another kind that are kept under such a name.

## Known limits
A layer that is called at several places is reported at each flat input. Sequences are looked into where they
flatten themselves, or are called with an input that is known to be flat.

## Sources
- `torch.nn.Dropout2d`, `torch.nn.Dropout3d` and `torch.nn.functional.dropout2d` in PyTorch's documentation and their
  warnings.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import sequences
from flake8_torch_pitfalls.analysis.flat import is_flat, is_flat_behind
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, position, text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

LAYERS = ("Dropout2d", "Dropout3d")
FUNCTIONS = ("dropout2d", "dropout3d")
WORDS = {*LAYERS, *FUNCTIONS}
CLASSES = tuple(f"torch.nn.{name}" for name in LAYERS)


def check(source: Source) -> Iterator[Finding]:
    """Yield the channel dropouts whose input has no channels."""
    found = dict.fromkeys((*_functions(source), *_layers(source)))
    for call in sorted(found, key=position):
        name = text_of(call.func)
        yield Finding(call, f"'{name}' drops whole channels, but its input here is 2-D and has none; use 'nn.Dropout'")


def _functions(source: Source) -> Iterator[nodes.Call]:
    for name in FUNCTIONS:
        for call in source.index.calls.get(name, ()):
            if _is_flat(source, call) and source.names.symbol(call.func) == f"torch.nn.functional.{name}":
                yield call


def _layers(source: Source) -> Iterator[nodes.Call]:
    """Yield the calls of layers that are given a flat input, and where layers are made that get it in a sequence."""
    made = [
        call for name in LAYERS for call in source.index.calls.get(name, ())
        if source.names.symbol(call.func) in CLASSES
    ]  # fmt: skip
    for layer in made:
        yield from (call for call in sequences.uses(source.names, layer) if _is_flat(source, call))
    if any(sequences.assigned_name(layer) is None for layer in made):
        for call in source.index.calls.get("Sequential", ()):
            if source.names.symbol(call.func) == sequences.SEQUENTIAL:
                layers = sequences.layers(source.names, Instance(sequences.SEQUENTIAL, call)) or []
                for number, layer in enumerate(layers):
                    if layer in made and is_flat_behind(source.names, source.shapes, layers[:number], call):
                        yield layer


def _is_flat(source: Source, call: nodes.Call) -> bool:
    return is_flat(source.names, source.shapes, argument(call, 0, "input"))
