"""`CrossEntropyLoss` applies softmax itself: fed with probabilities it learns slowly and never gets near zero.

## What happens
`nn.CrossEntropyLoss` and `F.cross_entropy` take raw scores (logits) and apply `log_softmax` to them. If the model
ends with a softmax, the loss applies a second one to numbers between 0 and 1. Nothing raises and accuracy even
rises, but the second softmax can no longer become certain: with 10 classes the loss of a perfect prediction is 1.46
instead of 0, and the gradients are small everywhere and vanish where the model is wrong and sure of it. A `sigmoid`
on the way does the same.

The activation and the loss are often far apart: in the last layer of an `nn.Sequential`, in the `forward` of a class
in another file, behind `self.criterion` or a loss class of the project. The finding is at the activation; where that
stands in another file, at the call of the loss.

`log_softmax` over the class dimension is harmless, because the loss leaves log-probabilities as they are. Over another
dimension it is reported: then the loss and its gradients are those of something else.

## What to write
Let the model return its scores. Apply softmax where probabilities are needed: for metrics, for display, for
sampling. The class with the highest score is the same with and without it.

```python
logits = model(x)
loss = criterion(logits, y)
probabilities = logits.softmax(dim=1)
```

## Silent
- `log_softmax` over the class dimension before cross-entropy, and log-softmax into `NLLLoss`.
- `torch.log` between softmax and loss.
- Softmax beside the loss: metrics, display, attention inside the network, another output of the model.
- Soft targets: `F.cross_entropy(logits, teacher_logits.softmax(dim=1))`.
- A name that promises softmax and holds something else: `self.softmax = nn.LogSoftmax(dim=1)`.
- A model that returns scores when it trains and probabilities when it does not, or only when asked for them.
- A loss or a model of which the text does not show what it is.

## Known limits
Who imports the linted file is not known: a model that ends with softmax is reported from the file that trains it. One
path without an activation, such as a branch on a setting that is not known, keeps the rule silent, and so does a
variable that may hold another loss. Losses that the project writes itself from `log_softmax` are not recognised.

## Sources
- `torch.nn.CrossEntropyLoss` in PyTorch's documentation: the input is expected to contain the unnormalized logits.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.activations import Activation
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.losses import Misfit
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"CrossEntropyLoss", "cross_entropy", "backward", "training_step"}
SQUASHING = ("softmax", "sigmoid")


def check(source: Source) -> Iterator[Finding]:
    """Yield activations that cross-entropy repeats."""
    seen = set()
    for misfit in source.losses.misfits(
        lambda losses: losses == {"cross_entropy"}, lambda activation: _is_repeated(source, activation)
    ):
        if misfit.place not in seen:
            seen.add(misfit.place)
            yield Finding(misfit.place, _message(misfit))


def _is_repeated(source: Source, activation: Activation) -> bool:
    """Return whether cross-entropy does not undo *activation*, as it does log_softmax over the classes."""
    if activation.op in SQUASHING:
        return True
    return activation.op == "log_softmax" and not activation.reordered and _is_over_other_dimension(source, activation)


def _is_over_other_dimension(source: Source, activation: Activation) -> bool:
    """Return whether a log_softmax surely runs over another dimension than the classes, the second one."""
    dim = constant(_dimension(source, activation))
    operand = source.shapes.at(activation.use.args[0]) if activation.use.args else None
    if not isinstance(dim, int) or not isinstance(operand, Tensor) or operand.layout is None:
        return False
    ranks = {len(form.sizes) for form in operand.layout.forms}
    return bool(ranks) and all(rank >= 2 and dim % rank != 1 for rank in ranks)


def _dimension(source: Source, activation: Activation) -> nodes.NodeNG | None:
    """Return the dimension that *activation* is given, if it is a function or a layer that is called directly."""
    if source.names.symbol(activation.use.func) in ("torch.log_softmax", "torch.nn.functional.log_softmax"):
        return argument(activation.use, 1, "dim")
    match source.names.values(activation.use.func):
        case [Instance(cls="torch.nn.LogSoftmax", made_at=nodes.Call() as made)]:
            return argument(made, 0, "dim")
    return None


def _message(misfit: Misfit) -> str:
    op = misfit.activation.op
    harm = "runs over other dimensions than the classes" if op == "log_softmax" else "flattens the gradients"
    if not misfit.in_view:
        loss = text_of(misfit.place.func)
        return f"'{loss}' applies softmax itself: the {op} at {misfit.activation_at} {harm}; give the loss raw scores"
    loss = text_of(misfit.reach.call.func)
    return f"'{loss}' ({misfit.loss_at}) applies softmax itself: this {op} {harm}; give the loss raw scores"
