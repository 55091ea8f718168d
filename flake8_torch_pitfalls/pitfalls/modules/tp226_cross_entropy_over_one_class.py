"""Cross-entropy and softmax over a single class say nothing: the loss is always 0, the probability always 1.

## What happens
Softmax makes the numbers along one dimension add up to 1. If there is only one, it is 1 whatever the network says,
`log_softmax` is 0, and neither has a gradient. A network that ends in `nn.Linear(hidden, 1)` and is trained with
`nn.CrossEntropyLoss` has a loss of exactly 0 for label 0 from the first step on and learns nothing; label 1 raises
`IndexError: Target 1 is out of bounds`. An attention that takes `F.softmax(self.score(h), dim=-1)` of one score for
each step gives every step the weight 1.

The loss is reported where it is made, or else called; a softmax where it stands.

## What to write
For two classes one output with `nn.BCEWithLogitsLoss`, or two with `nn.CrossEntropyLoss`. For attention softmax over
the steps: `F.softmax(self.score(h), dim=1)` for `h` of `(batch, time, hidden)`.

## Silent
- Widths that the text does not show to be 1.
- Softmax over another dimension than the one of size 1: attention over the steps of a `(batch, time, 1)` score.
- Scores that are reshaped, squeezed or transposed first, such as one score for each of several choices.
- One output with `nn.BCEWithLogitsLoss`, `nn.MSELoss` or a sigmoid.
- A loss that may be another one.

## Known limits
Over dimension 1 a softmax of a linear layer is reported where the input is known to be 2-D. A width that is an argument
of a model in another file is not followed.

## Sources
- `torch.nn.CrossEntropyLoss` and `torch.nn.Softmax` in PyTorch's documentation.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import sequences
from flake8_torch_pitfalls.analysis.activations import Activation
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.flat import is_flat, is_flat_behind, may_be_flat
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

FUNCTIONS = ("softmax", "log_softmax")
LAYERS = ("Softmax", "LogSoftmax", "Softmax2d")
LOSS = "cross_entropy"
TRAINING = (LOSS, "CrossEntropyLoss", "backward")
"""Calls of which one is made where a loss matters; the loss itself may be called in another file."""
WORDS = {*TRAINING, *FUNCTIONS, *LAYERS}
ROWS = {"Linear": 1, "LazyLinear": 0, "Bilinear": 2}
"""Layers whose outputs are the last dimension, and the argument that is their number."""
MAPS = {f"{kind}{rank}d": index for kind, index in (("Conv", 1), ("ConvTranspose", 1), ("LazyConv", 0))
        for rank in (1, 2, 3)}  # fmt: skip
"""Those whose outputs are dimension 1, the channels."""
WIDTHS = {**ROWS, **MAPS}


def check(source: Source) -> Iterator[Finding]:
    """Yield the losses and softmaxes over one class."""
    if any(name in source.index.calls for name in TRAINING):
        yield from _losses(source)
    layers = (call for name in WIDTHS for call in source.index.calls.get(name, ()))
    if any(_is_narrow(source, layer) for layer in layers):
        for call, logarithm in dict.fromkeys((*_functions(source), *_layers(source))):
            what = f"runs over a single output and always gives {0 if logarithm else 1}; take another dimension"
            yield Finding(call, f"'{text_of(call.func)}' {what}")


def _losses(source: Source) -> Iterator[Finding]:
    seen = set()
    for misfit in source.losses.misfits(
        lambda losses: losses == {LOSS}, lambda activation: _is_one_class(source, activation)
    ):
        place = misfit.loss_place(LOSS)
        if place not in seen:
            seen.add(place)
            loss = text_of(misfit.reach.call.func)
            what = f"is always 0 over a single output ({misfit.activation_at})"
            yield Finding(place, f"'{loss}' {what}; use binary_cross_entropy_with_logits or two outputs")


def _is_one_class(source: Source, activation: Activation) -> bool:
    """Return whether *activation* is the output of one unit, as it left the layer, with nothing else beside it."""
    layer = _layer(source, activation)
    if layer is None or activation.reordered or not _is_narrow(source, layer):
        return False
    return last_name(layer.func) in MAPS or may_be_flat(source.shapes, activation.use)


# -- layers ----------------------------------------------------------------------------------------


def _layer(source: Source, activation: Activation) -> nodes.Call | None:
    """Return the call that makes the layer whose output *activation* is."""
    if activation.op != "linear":
        return None
    if isinstance(activation.node, nodes.Call) and last_name(activation.node.func) in WIDTHS:
        return activation.node
    return _made(source, activation.use.func)


def _made(source: Source, module: nodes.NodeNG) -> nodes.Call | None:
    match source.names.values(module):
        case [Instance(made_at=nodes.Call() as made)]:
            return made
    return None


def _is_narrow(source: Source, layer: nodes.Call) -> bool:
    """Return whether *layer* is the making of a layer with one output."""
    name = last_name(layer.func)
    if name not in WIDTHS or is_open(layer):
        return False
    width = argument(layer, WIDTHS[name], "out_features" if name in ROWS else "out_channels")
    if isinstance(width, nodes.Const):
        return width.value == 1 and _is_torch_layer(source, layer)
    return width is not None and constants(source.names, width) == {1} and _is_torch_layer(source, layer)


def _is_torch_layer(source: Source, layer: nodes.Call) -> bool:
    return (source.names.symbol(layer.func) or "").startswith("torch.nn.")


def _goes_over_output(layer: nodes.Call, dim: object, is_flat: Callable[[], bool]) -> bool:
    """Return whether a softmax over *dim* goes over the outputs of *layer*; *is_flat* tells if they are 2-D."""
    if last_name(layer.func) in MAPS:
        return dim == 1
    return dim == -1 or dim in (1, None) and is_flat()


# -- softmax ---------------------------------------------------------------------------------------


def _functions(source: Source) -> Iterator[tuple[nodes.Call, bool]]:
    """Yield the calls of softmax over one output, and whether each takes the logarithm."""
    for name in FUNCTIONS:
        for call in source.index.calls.get(name, ()):
            symbol = source.names.symbol(call.func) or ""
            if symbol in (f"torch.{name}", f"torch.nn.functional.{name}"):
                operand, dim = argument(call, 0, "input"), argument(call, 1, "dim")
            elif isinstance(call.func, nodes.Attribute):
                operand, dim = call.func.expr, argument(call, 0, "dim")
            else:
                continue
            if not is_open(call) and _is_over_one(source, operand, None if dim is None else constant(dim)):
                yield call, name == "log_softmax"


def _layers(source: Source) -> Iterator[tuple[nodes.Call, bool]]:
    """Yield the same for layers: their calls, and where they are made for a sequence."""
    for name in LAYERS:
        for made in source.index.calls.get(name, ()):
            if source.names.symbol(made.func) != f"torch.nn.{name}" or is_open(made):
                continue
            given = argument(made, 0, "dim")
            dim = 1 if name == "Softmax2d" else None if given is None else constant(given)
            for use in sequences.uses(source.names, made):
                if _is_over_one(source, argument(use, 0, "input"), dim):
                    yield use, name == "LogSoftmax"
            if sequences.assigned_name(made) is None and _follows_one_output(source, made, dim):
                yield made, name == "LogSoftmax"


def _is_over_one(source: Source, operand: nodes.NodeNG | None, dim: object) -> bool:
    """Return whether *operand* is the output of a layer, and *dim* its only one."""
    found = source.losses.activations.of(operand)
    return bool(found) and all(
        activation is not None
        and not activation.reordered
        and (layer := _layer(source, activation)) is not None
        and _is_narrow(source, layer)
        and _goes_over_output(layer, dim, lambda: is_flat(source.names, source.shapes, operand))
        for activation in found
    )


def _follows_one_output(source: Source, softmax: nodes.Call, dim: object) -> bool:
    """Return whether *softmax* comes behind a layer of one output in a sequence, and *dim* is that output."""
    for sequence in source.index.calls.get("Sequential", ()):
        layers = sequences.layers(source.names, Instance(sequences.SEQUENTIAL, sequence)) or []
        if softmax in layers and source.names.symbol(sequence.func) == sequences.SEQUENTIAL:
            before = layers[: layers.index(softmax)]
            layer = _made(source, before[-1]) if before else None
            if layer is None or not _is_narrow(source, layer):
                return False
            return _goes_over_output(
                layer, dim, functools.partial(is_flat_behind, source.names, source.shapes, before, sequence)
            )
    return False
