"""Activation checkpointing without `use_reentrant` runs the old variant, which loses gradients that the new one keeps.

## What happens
`torch.utils.checkpoint.checkpoint` and `checkpoint_sequential` know two ways to run a segment again in the backward
pass. Without `use_reentrant` they warn and take the reentrant one. There, parameters of a segment whose inputs do not
require grad get no gradient, without an error; tensors inside lists and dicts are cut from the graph;
`torch.autograd.grad` raises; and keyword arguments for the segment raise at once: `checkpoint(block, x, mask=mask)`.
PyTorch's documentation announces that leaving the argument out will raise.

## What to write
`checkpoint(block, x, use_reentrant=False)`. `use_reentrant=True` keeps the old behaviour and says so.

## Silent
- `use_reentrant` given, with any value but `None`, also through `functools.partial`.
- Calls with `**kwargs`, which may hold it.
- Functions of the same name from elsewhere, such as a project's own wrapper.
- `--torch-version` below 1.11, which has no such argument.

## Known limits
`checkpoint` handed on as a value, to be called by other code, is not looked at.

## Sources
- `torch.utils.checkpoint` in PyTorch's documentation: "The `use_reentrant` parameter should be passed explicitly."
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.calls import TorchCall, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"checkpoint", "checkpoint_sequential"}

CHECKPOINTS = ("torch.utils.checkpoint.checkpoint", "torch.utils.checkpoint.checkpoint_sequential")
_FIRST_WITH_ARGUMENT = (1, 11)
_OWN = frozenset("function use_reentrant preserve_rng_state context_fn determinism_check debug early_stop".split())
"""Arguments that are not for the function that is checkpointed."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``checkpoint`` that leave the variant to the default."""
    if source.settings.torch_version < _FIRST_WITH_ARGUMENT:
        return
    for call in torch_calls(source, *CHECKPOINTS):
        if _leaves_default(call):
            yield Finding(call.node, f"{_harm(call)}; pass 'use_reentrant=False'")


def _leaves_default(call: TorchCall) -> bool:
    if "use_reentrant" in call.given:
        return constant(call.given["use_reentrant"]) is None
    if call.symbol == CHECKPOINTS[0]:  # the argument is keyword-only there: '*args' cannot hold it
        return not call.is_partial and all(keyword.arg is not None for keyword in call.node.keywords)
    return call.lacks("use_reentrant")


def _harm(call: TorchCall) -> str:
    name = text_of(call.node.func)
    keyword = next((name for name in call.given if name not in _OWN), None)
    if keyword is not None and call.symbol == CHECKPOINTS[0]:
        return f"'{name}' refuses '{keyword}=' where 'use_reentrant' is not set"
    return f"'{name}' without 'use_reentrant' warns and may lose gradients"
