"""Anomaly detection is on for the whole training, and makes it slow.

## What happens
`torch.autograd.set_detect_anomaly(True)` and `with torch.autograd.detect_anomaly():` record a stack trace for every
operation of the forward pass and look for NaN in every gradient. That is for finding the operation that made a NaN;
PyTorch's documentation says to leave it off otherwise, since it slows the program down.

## What to write
Remove the line when the NaN is found, or put it behind an option: `set_detect_anomaly(args.debug)`.

## Silent
- `set_detect_anomaly(False)`, and a mode that a variable or option decides.
- A call under a condition, as in `if args.debug:`.

## Known limits
Whether the line is there for today's search only is not known.

## Sources
- "Anomaly detection", `torch.autograd` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors
from flake8_torch_pitfalls.finding import Finding

WORDS = {"set_detect_anomaly", "detect_anomaly"}

SET = "torch.autograd.set_detect_anomaly"
DETECT = "torch.autograd.detect_anomaly"


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls that switch anomaly detection on in every run of the program."""
    for call in torch_calls(source, SET, DETECT):
        if _switches_on(source, call) and not _is_optional(call.node):
            yield Finding(
                call.node, f"'{call.node.func.as_string()}' makes every step slower; leave it out once the NaN is found"
            )


def _switches_on(source: Source, call: TorchCall) -> bool:
    if call.symbol == DETECT:
        return True
    mode = call.node.args[0] if call.node.args else call.given.get("mode")
    return mode is not None and not call.is_open and constants(source.names, mode) == {True}


def _is_optional(node: nodes.NodeNG) -> bool:
    """Return whether a condition in its function decides whether *node* runs."""
    for above in ancestors(node):
        if isinstance(above, nodes.If) and "__name__" not in above.test.as_string():
            return True
        if isinstance(above, (nodes.IfExp, nodes.BoolOp)):
            return True
        if isinstance(above, FUNCTIONS):
            return False
    return False
