"""Cross-entropy applies softmax itself: fed with probabilities it trains slowly and its loss never nears zero.

## What happens
"""
from __future__ import annotations

import os
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.activations import Activation
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.losses import Reach
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"CrossEntropyLoss", "cross_entropy", "backward", "training_step"}
SQUASHING = ("softmax", "sigmoid")


def check(source: Source) -> Iterator[Finding]:
    """Yield activations that cross-entropy repeats."""
    seen = set()
    for reach in source.losses.reached:
        if reach.losses != {"cross_entropy"}:
            continue
        activations = [one for one in reach.activations if one is not None and _is_repeated(source, one)]
        if len(activations) != len(reach.activations):
            continue
        for activation in activations:
            place = _place(source, activation, reach)
            if place not in seen:
                seen.add(place)
                yield Finding(place, _message(activation, reach, place))


def _is_repeated(source: Source, activation: Activation) -> bool:
    """Return whether cross-entropy does not undo *activation*, as it does log_softmax over the classes."""
    if activation.op in SQUASHING:
        return True
    return activation.op == "log_softmax" and not activation.reordered and _is_over_other_dimension(source, activation)


def _is_over_other_dimension(source: Source, activation: Activation) -> bool:
    """Return whether a log_softmax surely runs over another dimension than the classes, the second one."""
    operation = activation.node if isinstance(activation.node, nodes.Call) else activation.use
    dim = constant(argument(operation, 0 if operation is not activation.use else 1, "dim"))
    operand = source.tensors.at(activation.use.args[0]) if activation.use.args else None
    if not isinstance(dim, int) or not isinstance(operand, Tensor) or operand.layout is None:
        return False
    ranks = {len(form.sizes) for form in operand.layout.forms}
    return bool(ranks) and all(rank >= 2 and dim % rank != 1 for rank in ranks)


def _place(source: Source, activation: Activation, reach: Reach) -> nodes.NodeNG:
    """Return what to report: the activation where the linted file holds it, else the call on the way to the loss."""
    candidates = [activation.node, reach.call, *reversed(reach.stack)]
    return next(node for node in candidates if node.root() is source.module)


def _message(activation: Activation, reach: Reach, place: nodes.NodeNG) -> str:
    loss = f"'{text_of(reach.call.func)}'"
    if place is activation.node:
        where = f"line {reach.call.lineno}"
        if reach.call.root() is not place.root():
            where = os.path.basename(reach.call.root().file)
        return f"{loss} ({where}) applies softmax itself: {activation.op} before it stalls training; return raw scores here"
    file, line = os.path.basename(activation.node.root().file), activation.node.lineno
    return f"{loss} applies softmax itself: the {activation.op} at {file}:{line} before it stalls training; give it raw scores"
