"""`Adam(weight_decay=…)` adds an L2 penalty to the gradient, which Adam then scales away; AdamW decays weights.

## What happens
Adam adds `weight_decay * w` to the gradient before it divides by the running size of the gradients. Weights with large
gradients are hardly decayed, those with small ones strongly: the number is no decay rate, and values taken from papers
that use AdamW mean something else. AdamW shrinks each weight by `lr * weight_decay * w`, whatever its gradient.

## What to write
`torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)`, or `Adam(..., decoupled_weight_decay=True)`.

## Silent
- `AdamW`, `weight_decay=0`, `decoupled_weight_decay=True`.
- A decay that the text does not show, such as `weight_decay=args.wd`.

## Known limits
Results that were tuned with Adam's penalty are right as they are: hence advice. Parameter groups are not looked into.

## Sources
- `torch.optim.Adam` and `torch.optim.AdamW` in PyTorch's documentation.
- Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Adam"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of Adam that are given a weight decay."""
    for call in torch_calls(source, "torch.optim.Adam"):
        decay = call.given.get("weight_decay")
        if decay is None or not _adds_to_gradient(call):
            continue
        rates = constants(source.names, decay)
        if rates and all(isinstance(rate, (int, float)) and rate > 0 for rate in rates):
            yield Finding(
                call.node,
                f"'weight_decay={decay.as_string()}' of Adam is scaled by the gradients; 'AdamW' decays weights",
            )


def _adds_to_gradient(call: TorchCall) -> bool:
    return call.lacks("decoupled_weight_decay") or constant(call.given.get("decoupled_weight_decay")) is False
