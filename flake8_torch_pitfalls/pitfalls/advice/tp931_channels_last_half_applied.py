"""The model is in `channels_last` and its input is not, or the reverse, so that convolutions copy in every pass.

## What happens
A convolution gives its output in `channels_last` if its weight or its input is in that format, and first copies the
other one. With only the model converted, every batch is copied at the first convolution. With only the input
converted, every convolution copies its weight in every forward pass.

## What to write
Both: `model = model.to(memory_format=torch.channels_last)` once, and
`images = images.to(device, memory_format=torch.channels_last)` for every batch.

## Silent
- Both converted, anywhere in the file: by `to`, `contiguous`, or a format that a variable or another function gives.
- Models that are not run in the file: what they are given is not in view.
- Models without convolutions.

## Known limits
A data set or collate function of another file that makes the batches in `channels_last` is not seen.

## Sources
- "Channels Last Memory Format in PyTorch", PyTorch tutorials: convert the model and its input.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers, scopes
from flake8_torch_pitfalls.analysis.layout import CHANNELS_LAST
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, last_name, position, quoted
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = set(CHANNELS_LAST)


def check(source: Source) -> Iterator[Finding]:
    """Yield the first conversion of a file in which either only models or only their inputs are converted."""
    conversions = _conversions(source)
    mentions = [mention for name in CHANNELS_LAST for mention in source.index.attributes.get(name, ())]
    if not conversions or len(mentions) != len(conversions):
        return
    modules = [call for call in conversions if source.kinds.inferred(call.func.expr, "module")]
    if modules == conversions:
        for call in conversions:
            if any(_is_run(source, module) for module in source.kinds.instances(call.func.expr, "module")):
                model = quoted(call.func.expr, "the model")
                yield Finding(call, f"{model} is in channels_last and its input is not; convert each batch, too")
                return
    elif not modules:
        for call in conversions:
            if (given_to := _run_on(source, call)) is not None:
                yield Finding(call, f"{given_to} is given channels_last, but is not in it; convert it once, too")
                return


def _conversions(source: Source) -> list[nodes.Call]:
    calls = [call for name in ("to", "contiguous") for call in source.index.calls.get(name, ())]
    return sorted(
        (
            call
            for call in calls
            if isinstance(call.func, nodes.Attribute)
            and last_name(argument(call, None, "memory_format")) in CHANNELS_LAST
        ),
        key=position,
    )


def _is_run(source: Source, module: Instance) -> bool:
    """Return whether the file calls *module*, which has convolutions."""
    return layers.has(source.names, module, layers.Trait.CONVOLUTIONS) is True and any(
        module in source.names.values(call.func) for call in source.index.of(nodes.Call) if call.args
    )


def _run_on(source: Source, conversion: nodes.Call) -> str | None:
    """Return the name, quoted, of the module with convolutions that is given the result of *conversion*."""
    for call in source.index.of(nodes.Call):
        if any(_is_result(given, conversion) for given in call.args):
            modules = source.kinds.instances(call.func, "module")
            if layers.any_has(source.names, modules, layers.Trait.CONVOLUTIONS):
                return quoted(call.func, "the model")
    return None


def _is_result(node: nodes.NodeNG, conversion: nodes.Call) -> bool:
    if node is conversion:
        return True
    assigned = conversion.parent
    return (
        isinstance(node, nodes.Name)
        and isinstance(assigned, nodes.Assign)
        and any(
            definition.parent is assigned for definition in scopes.definitions(node, node.name)
        )
    )
