"""`BCELoss` takes probabilities: fed with raw scores it raises as soon as one leaves the range from 0 to 1.

## What happens
`nn.BCELoss` and `F.binary_cross_entropy` take numbers between 0 and 1. The output of a linear layer or a
convolution has no such bounds, that of `tanh` and of a log-probability goes below 0, that of `relu` above 1. On the
CPU the first number outside raises `RuntimeError: all elements of input should be between 0 and 1`; on a GPU it is an
assertion in the kernel, after which the process can do nothing more on that device (so PyTorch's documentation and
its kernel; not run here).

## What to write
`nn.BCEWithLogitsLoss` (`F.binary_cross_entropy_with_logits`), which applies the sigmoid itself and does so without
overflow, or a sigmoid at the end of the model.

The finding is where the loss is made, or else called.

## Silent
- A sigmoid or softmax at the end of the model or before the loss.
- `clamp` before the loss.
- A model that has its sigmoid under a condition that is not known.
- Outputs that the text does not show to end without a sigmoid, and arithmetic such as `(x + 1) / 2`.

## Known limits
One path that ends in anything else keeps the rule silent, and so does a variable that may hold a loss that does not
care, such as `MSELoss`.

## Sources
- `torch.nn.BCELoss` and `torch.nn.BCEWithLogitsLoss` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.losses import Misfit
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"BCELoss", "binary_cross_entropy", "backward", "training_step"}
LOSS = "binary_cross_entropy"
OUT_OF_RANGE = ("linear", "relu", "tanh", "log_softmax", "logsigmoid")


def check(source: Source) -> Iterator[Finding]:
    """Yield losses that are given what is no probability."""
    seen = set()
    for misfit in source.losses.misfits(
        lambda losses: LOSS in losses and losses <= {LOSS, "cross_entropy"},
        lambda activation: activation.op in OUT_OF_RANGE and not activation.clamped,
    ):
        place = misfit.loss_place(LOSS)
        if place not in seen:
            seen.add(place)
            yield Finding(place, _message(misfit))


def _message(misfit: Misfit) -> str:
    loss, op = text_of(misfit.reach.call.func), misfit.activation.op
    given = "raw scores" if op == "linear" else f"what {op} gives"
    return f"'{loss}' wants probabilities, not {given} ({misfit.activation_at}); write binary_cross_entropy_with_logits"
