"""`KLDivLoss` and `CTCLoss` take log-probabilities: on probabilities or scores they compute something else.

## What happens
`F.kl_div` and `nn.KLDivLoss` take the input as log-probabilities and compute `target * (log(target) - input)`. On
probabilities the divergence of a distribution from itself is far below 0, and the loss pulls every entry up by the
weight of its target; on raw scores it falls without end as the scores grow. Nothing raises; a negative loss in the
log is the usual sign.

The target is a probability, unless `log_target=True` says that it is a log-probability, too. A log-probability (or a
raw score) as the target without that gives `nan`, as the logarithm of what is below 0; a probability with it a
number that is no divergence.

`F.ctc_loss` and `nn.CTCLoss` take log-probabilities of each step: on scores or probabilities the loss is negative
and no likelihood. `F.gaussian_nll_loss` and `nn.GaussianNLLLoss` take a variance: the output of a linear layer or
`tanh` goes below 0, and the loss raises `ValueError: var has negative entry/entries`.

An activation is reported where it stands, raw scores at the loss; what stands in another file, at the call.

## What to write
```python
loss = F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1), reduction="batchmean")
loss = F.kl_div(p, F.log_softmax(teacher, dim=1), reduction="batchmean", log_target=True)
loss = F.ctc_loss(scores.log_softmax(2), labels, input_lengths, label_lengths)
loss = F.gaussian_nll_loss(mean, y, F.softplus(raw_variance))
```

## Silent
- `log_softmax`, `nn.LogSoftmax` as the last layer, `torch.log` of a softmax, also with a small number added to it.
- A target of probabilities, and one of log-probabilities with `log_target=True`.
- A `log_target` that is not known.
- A variance through `softplus`, `exp`, `relu`, a square, or with something added.
- Inputs of which the text does not show what was done to them last, and losses of other libraries.

## Known limits
One path that ends in anything else keeps the rule silent, and so does a variable that may hold another loss.

## Sources
- `torch.nn.KLDivLoss`, `torch.nn.CTCLoss` and `torch.nn.GaussianNLLLoss` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.activations import Activation
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.losses import Misfit, Reach
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, is_open, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"KLDivLoss", "kl_div", "CTCLoss", "ctc_loss", "GaussianNLLLoss", "gaussian_nll_loss", "backward"}
PROBABILITIES = ("softmax", "sigmoid")
LOG_PROBABILITIES = ("log_softmax", "logsigmoid")
SCORES = ("linear", "relu", "tanh")
BELOW_ZERO = ("linear", "tanh", *LOG_PROBABILITIES)
"""Activations that may give numbers below 0."""
KL = ("torch.nn.functional.kl_div", "torch.nn.KLDivLoss")
LOGARITHMS = {"softmax": "log_softmax", "sigmoid": "logsigmoid"}


def check(source: Source) -> Iterator[Finding]:
    """Yield what is no log-probability, or no variance, and reaches a loss that takes it for one."""
    seen = set()
    for place, message in (*_inputs(source), *_targets(source), *_variances(source)):
        if place not in seen:
            seen.add(place)
            yield Finding(place, message)


def _inputs(source: Source) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield the inputs of losses that are no log-probabilities."""
    for misfit in source.losses.misfits(
        lambda losses: losses in ({"kl_div"}, {"ctc_loss"}), lambda given: given.op in (*PROBABILITIES, *SCORES)
    ):
        place = misfit.call_place if misfit.activation.op in SCORES else misfit.place
        yield place, _message(misfit, "log-probabilities", LOGARITHMS.get(misfit.activation.op, "log_softmax"))


def _targets(source: Source) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield the targets of ``kl_div`` that are no probabilities, or no log-probabilities with ``log_target``."""
    for misfit in _in_argument(
        source, "kl_div", 1, "target", lambda given: given.op in BELOW_ZERO or given.op in PROBABILITIES
    ):
        in_logarithms = _log_target(source, misfit.reach)
        op = misfit.activation.op
        place = misfit.call_place if op in SCORES else misfit.place
        if in_logarithms is False and op in BELOW_ZERO:
            instead = "'log_target=True'" if op in LOG_PROBABILITIES else "softmax"
            yield place, _message(misfit, "probabilities as the target", instead)
        elif in_logarithms is True and op not in LOG_PROBABILITIES:
            yield place, _message(misfit, "log-probabilities as the target", LOGARITHMS.get(op, "log_softmax"))


def _variances(source: Source) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield the variances that may go below 0."""
    for misfit in _in_argument(
        source, "gaussian_nll_loss", 2, "var", lambda given: given.op in BELOW_ZERO and not given.clamped
    ):
        yield misfit.call_place, _message(misfit, "a positive variance", "softplus")


def _in_argument(
    source: Source, loss: str, index: int, name: str, is_misfit: Callable[[Activation], bool]
) -> Iterator[Misfit]:
    """Yield the misfits among what *loss* is given at position *index* or by *name*."""
    activations = source.losses.activations
    return source.losses.misfits(
        lambda losses: losses == {loss},
        is_misfit,
        lambda reach: activations.of(argument(reach.call, index, name), reach.frame),
    )


def _log_target(source: Source, reach: Reach) -> bool | None:
    """Return whether ``kl_div`` at *reach* is told that its target is in logarithms, None if that is not known."""
    told_at = [(call, 3) for _, call in reach.made] or [(reach.call, 5)]
    answers = {_is_on(source, call, index) for call, index in told_at}
    return answers.pop() if len(answers) == 1 else None


def _is_on(source: Source, call: nodes.NodeNG, index: int) -> bool | None:
    if not isinstance(call, nodes.Call) or is_open(call):
        return None
    given = argument(call, index, "log_target")
    if given is None:
        return False if source.names.symbol(call.func) in KL else None
    found = constants(source.names, given)
    return True if found == {True} else False if found == {False} else None


def _message(misfit: Misfit, wanted: str, instead: str) -> str:
    loss, op = text_of(misfit.reach.call.func), misfit.activation.op
    if misfit.in_view and op not in SCORES:
        return f"'{loss}' ({misfit.loss_at}) wants {wanted}, not this {op}; write {instead}"
    given = "raw scores" if op == "linear" else op
    return f"'{loss}' wants {wanted}, not {given} ({misfit.activation_at}); write {instead}"
