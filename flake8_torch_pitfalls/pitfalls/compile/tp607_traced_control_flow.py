"""A module that branches or loops on the data of tensors is traced with the outcome of the example, for all inputs.

## What happens
`torch.jit.trace`, and `torch.onnx.export` with `dynamo=False` or before torch 2.9, run the module once and record the
operations. An `if` or a loop on the data of a tensor leaves no trace: the branch that the example takes, or the number
of passes it needs, stands for every input. The traced module gives wrong results for others; a `TracerWarning` is all
that is said.

## What to write
- `torch.where(test, a, b)` or a mask instead of the branch.
- `torch.cond` with `torch.onnx.export(..., dynamo=True)`, which refuses such a branch instead of dropping it.
- The branch outside of the module that is traced.

## Silent
- `torch.jit.script`, also of a part of the module, and exports with `dynamo=True`.
- Branches on settings, on `self.training`, on sizes and types, on whether an argument is given.
- Checks that only raise, warn or print; code that asks `torch.jit.is_tracing()` or `torch.onnx.is_in_onnx_export()`.

## Known limits
Sizes are recorded too, which matters where the traced module gets other sizes; branches on them are left alone.

## Sources
- `torch.jit.trace` and `torch.onnx.export` in PyTorch's documentation.
"""
from __future__ import annotations

import os
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, torch_calls
from flake8_torch_pitfalls.analysis.compiled import Compilation, Region, regions
from flake8_torch_pitfalls.analysis.data_dependent import depends_on_tensor, may_be_skipped, reads_tensor, tests_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, function_of, last_name, position
from flake8_torch_pitfalls.finding import Finding

WORDS = {"trace", "trace_module", "onnx"}

ONNX = "torch.onnx.export"
TRACES = ("torch.jit.trace", "torch.jit.trace_module")
_DYNAMO_BY_DEFAULT = (2, 9)
_CHECKS = frozenset("print warn warning warn_once info debug error".split())


def check(source: Source) -> Iterator[Finding]:
    """Yield the branches and loops on data in what the file traces."""
    reported: set[nodes.NodeNG] = set()
    for trace in torch_calls(source, ONNX, *TRACES):
        module = trace.given.get("func") or trace.given.get("mod") or trace.given.get("model")
        if module is None or trace.is_partial or not _runs_example(source, trace) or "script" in source.index.calls:
            continue
        for region in regions(source, Compilation(trace.node, module, {}, trace.is_open)):
            for node, what in _lost(source, region):
                place = region.place(node, source.module)
                if place not in reported:
                    reported.add(place)
                    where = f"'{region.name}'"
                    if place is not node:
                        where += f" ({os.path.basename(str(node.root().file))}:{node.lineno})"
                    yield Finding(place, f"'{trace.symbol}' keeps one outcome of {what} in {where}; use 'torch.where'")


def _runs_example(source: Source, trace: TorchCall) -> bool:
    """Return whether *trace* records what one run does."""
    if trace.symbol != ONNX:
        return True
    if "dynamo" in trace.given:
        return constant(trace.given["dynamo"]) is False
    return trace.lacks("dynamo") and source.settings.torch_version < _DYNAMO_BY_DEFAULT


def _lost(source: Source, region: Region) -> Iterator[tuple[nodes.NodeNG, str]]:
    """Yield the branches and loops of the function of *region* that a trace does not keep, in the order of the text."""
    function = region.function.node
    index = source.names.index_of(function)
    found: dict[nodes.NodeNG, str] = {}
    for node, test in tests_of(function, index):
        if isinstance(node, nodes.Assert) or _only_checks(node) or may_be_skipped(source, test, function):
            continue
        if depends_on_tensor(source, test) or reads_tensor(source, test):
            found[node] = "a loop on tensor data" if isinstance(node, nodes.While) else "a branch on tensor data"
    for node in index.within(function, nodes.For):
        if function_of(node) is function and _is_counted_by_tensor(source, node):
            if not may_be_skipped(source, node, function):
                found[node] = "a loop on tensor data"
    yield from sorted(found.items(), key=lambda item: position(item[0]))


def _only_checks(node: nodes.NodeNG) -> bool:
    """Return whether *node* raises, warns or prints, and does nothing else."""
    return isinstance(node, nodes.If) and not node.orelse and all(
        isinstance(statement, (nodes.Raise, nodes.Pass, nodes.Assert))
        or isinstance(statement, nodes.Expr)
        and isinstance(statement.value, nodes.Call)
        and last_name(statement.value.func) in _CHECKS
        for statement in node.body
    )


def _is_counted_by_tensor(source: Source, loop: nodes.For) -> bool:
    return (
        isinstance(loop.iter, nodes.Call)
        and last_name(loop.iter.func) == "range"
        and any(depends_on_tensor(source, given) or reads_tensor(source, given) for given in loop.iter.args)
    )
