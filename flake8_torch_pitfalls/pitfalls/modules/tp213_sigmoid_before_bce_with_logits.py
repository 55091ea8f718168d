"""`BCEWithLogitsLoss` applies sigmoid itself: fed with probabilities it never gets near zero.

## What happens
`nn.BCEWithLogitsLoss` and `F.binary_cross_entropy_with_logits` take raw scores (logits) and apply a sigmoid to them,
and so does `nn.MultiLabelSoftMarginLoss`.
If the model ends with a sigmoid, the loss applies a second one to numbers between 0 and 1. What comes out lies
between 0.5 and 0.73: no negative can be predicted as one, the loss of a perfect prediction is 0.31 for a positive
and 0.69 for a negative instead of 0, and the gradients vanish where the model is wrong and sure of it. Nothing
raises. A softmax on the way does the same; `logsigmoid` and `log_softmax` give numbers below 0, so that no positive
can be predicted.

The activation and the loss are often far apart: the last layer of an `nn.Sequential`, the `forward` of a class in
another file, a loss class of the project. The finding is at the activation; where that stands in another file, at
the call of the loss.

## What to write
Let the model return its scores and apply the sigmoid where probabilities are needed: for thresholds, metrics, display.

```python
logits = model(x)
loss = nn.BCEWithLogitsLoss()(logits, y)
predicted = logits.sigmoid() > 0.5
```

A model that must end with a sigmoid goes with `nn.BCELoss`.

## Silent
- Sigmoid before `BCELoss`, and logits before `BCEWithLogitsLoss`.
- Sigmoid beside the loss: metrics, display, a gate inside the network, soft targets.
- A model that returns scores when it trains and probabilities when it does not, or only when asked for them.
- `torch.logit` or other arithmetic between the sigmoid and the loss.
- A loss or a model of which the text does not show what it is.

## Known limits
Who imports the linted file is not known: a model that ends with a sigmoid is reported from the file that trains it.
One path without an activation keeps the rule silent, and so does a variable that may hold a loss that wants
probabilities.

## Sources
- `torch.nn.BCEWithLogitsLoss` in PyTorch's documentation: it combines a sigmoid layer and `BCELoss` in one class.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.losses import Misfit
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"BCEWithLogitsLoss", "binary_cross_entropy_with_logits", "MultiLabelSoftMarginLoss",
         "multilabel_soft_margin_loss", "backward", "training_step"}  # fmt: skip
LOSS = "binary_cross_entropy_with_logits"
WITH_SCORES = {LOSS, "cross_entropy"}
"""Losses that both take raw scores; a program often has one for two classes and one for more."""
ACTIVATIONS = ("sigmoid", "softmax", "logsigmoid", "log_softmax")


def check(source: Source) -> Iterator[Finding]:
    """Yield activations before the sigmoid that the loss applies."""
    seen = set()
    for misfit in source.losses.misfits(
        lambda losses: LOSS in losses and losses <= WITH_SCORES, lambda activation: activation.op in ACTIVATIONS
    ):
        if misfit.place not in seen:
            seen.add(misfit.place)
            yield Finding(misfit.place, _message(misfit))


def _message(misfit: Misfit) -> str:
    op = misfit.activation.op
    if not misfit.in_view:
        loss = text_of(misfit.place.func)
        return f"'{loss}' applies sigmoid itself, after the {op} at {misfit.activation_at}; give the loss raw scores"
    loss = text_of(misfit.reach.call.func)
    return f"'{loss}' ({misfit.loss_at}) applies sigmoid itself, after this {op}; give the loss raw scores"
