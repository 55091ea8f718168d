"""`NLLLoss` takes log-probabilities: fed with scores or probabilities it has no minimum that means anything.

## What happens
`nn.NLLLoss` and `F.nll_loss` do no more than pick the number of the right class and negate it. On log-probabilities
that is cross-entropy. On raw scores nothing keeps the numbers small: the loss falls without end as the scores grow,
right ones and wrong ones alike. On probabilities (softmax) the loss lies between -1 and 0, and its gradient vanishes
where the model is wrong and sure of it. Nothing raises; a negative loss in the log is the usual sign.

Raw scores are reported at the loss, an activation where it stands; what stands in another file, at the call.

## What to write
`nn.CrossEntropyLoss` on raw scores, or `log_softmax` before `nn.NLLLoss`:

```python
loss = F.cross_entropy(logits, y)
loss = F.nll_loss(F.log_softmax(logits, dim=1), y)
```

## Silent
- `F.log_softmax`, `nn.LogSoftmax` as the last layer, `torch.log` of a softmax.
- A name that promises softmax and holds something else: `self.softmax = nn.LogSoftmax(dim=1)`.
- Softmax beside the loss.
- Arithmetic between the layer and the loss, and outputs of models that the text does not show.

## Known limits
One path that ends in anything else keeps the rule silent, and so does a variable that may hold another loss. Over
which dimension `log_softmax` runs is not looked at.

## Sources
- `torch.nn.NLLLoss` in PyTorch's documentation: the input is expected to contain log-probabilities of each class.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.losses import Misfit
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"NLLLoss", "nll_loss", "backward", "training_step"}
PROBABILITIES = ("softmax", "sigmoid")
SCORES = ("linear", "relu", "tanh")


def check(source: Source) -> Iterator[Finding]:
    """Yield what is no log-probability and reaches the loss."""
    seen = set()
    for misfit in source.losses.misfits(
        lambda losses: losses == {"nll_loss"}, lambda activation: activation.op in PROBABILITIES + SCORES
    ):
        of_scores = misfit.activation.op in SCORES
        place = misfit.loss_place("nll_loss") if of_scores else misfit.place
        if place not in seen:
            seen.add(place)
            yield Finding(place, _on_scores(misfit) if of_scores else _on_probabilities(misfit))


def _on_scores(misfit: Misfit) -> str:
    loss, given = text_of(misfit.reach.call.func), misfit.activation.op
    what = "a linear layer" if given == "linear" else given
    return f"'{loss}' wants log-probabilities, not what {what} gives ({misfit.activation_at}); use cross-entropy"


def _on_probabilities(misfit: Misfit) -> str:
    op = misfit.activation.op
    if not misfit.in_view:
        loss = text_of(misfit.place.func)
        return f"'{loss}' wants log-probabilities, not the {op} at {misfit.activation_at}; write log_softmax"
    loss = text_of(misfit.reach.call.func)
    return f"'{loss}' ({misfit.loss_at}) wants log-probabilities, not this {op}; write log_softmax"
