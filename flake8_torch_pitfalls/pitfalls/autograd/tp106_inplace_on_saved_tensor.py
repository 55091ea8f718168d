"""An in-place change destroys a tensor that autograd saved for the backward pass.

## What happens
Many ops keep a tensor for their gradient: `exp`, `sigmoid`, `relu` and `softmax` keep their output, `x * y`,
`pow`, `sin`, convolutions and linear layers their input. Changed in place before the backward pass, it makes
`backward()` raise "one of the variables needed for gradient computation has been modified by an inplace
operation". `torch.no_grad()` around the change does not help. Through `.data` the change goes unnoticed, and the
gradient is silently wrong.

## What to write
The op that makes a new tensor: `x = x + y` for `x += y`, `torch.relu(x)` for `torch.relu_(x)`,
`nn.ReLU()` for `nn.ReLU(inplace=True)`, or change a `clone()`.

## Silent
- Ops that keep nothing of what is changed: `y = x * 2; y[0] = 0`, a sum, an addition.
- Ops that ran without recording, and changes after the backward pass.
- Copies, and what may be one: `y.clone()`, `y + 0`, and the result of `to`, `contiguous` or `reshape`.

## Known limits
Only where a backward pass can come: in a module's `forward`, in functions that it calls, and before a
`backward()` in the same function. Which ops keep what is read from PyTorch's own derivative formulas; where
several functions may be called, only what all of them keep counts. Items of a list are not told apart, so a
change of one is left alone. Weights that were frozen count as trained.

## Sources
- "In-place operations with autograd", PyTorch notes on autograd mechanics.
"""
from __future__ import annotations

import functools
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.lineage import Lineage
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tensors import Overwrite, Pass
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, class_of, constant, function_of, last_name, loops_around
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "forward", "manual_backward", "training_step"}
EXAMPLE_WIDTH = 40
DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Report in-place changes of saved tensors in functions from which a backward pass can start."""
    rule = _Rule(source)
    reported: set[nodes.NodeNG] = set()
    for scope in (source.module, *source.index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)):
        if scope in rule.changing and rule.may_go_backward(scope) and (done := source.tensors.of(scope)) is not None:
            for finding in rule.findings(scope, done):
                if finding.node not in reported:  # a callee is passed through once for each caller
                    reported.add(finding.node)
                    yield finding


class _Rule:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = source.names
        self.lineage = Lineage(source.names)

    @functools.cached_property
    def changing(self) -> set[nodes.NodeNG]:
        """The functions that hold an in-place change, or call by name one that does."""
        index = self.source.index
        changes: list[nodes.NodeNG] = [change for change in index.of(nodes.AugAssign) if not _counts(change)]
        changes += [target for targets in index.items.values() for target in targets if not _is_of_dict(target)]
        for name, calls in index.calls.items():
            if name.endswith("_") and (op := torch_model.op(name)) is not None and op.in_place:
                changes += calls
        for keyword in index.of(nodes.Keyword):
            if keyword.arg == "out":
                changes.append(keyword)
            elif keyword.arg == "inplace" and constant(keyword.value):
                maker = class_of(keyword)
                if maker is None:  # a function makes modules that change their input, for anyone to call
                    return {self.source.module, *index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)}
                changes += [method for method in maker.body if isinstance(method, nodes.FunctionDef)]
        found = {change if isinstance(change, nodes.FunctionDef) else function_of(change) for change in changes}
        names = {function.name for function in found if isinstance(function, nodes.FunctionDef)}
        return found | {function_of(call) for name in names for call in index.calls.get(name, ())}

    def may_go_backward(self, scope: nodes.NodeNG) -> bool:
        """Return whether a backward pass follows what *scope* computes: in it, or after it as a forward."""
        calls = self.source.index.calls_in.get(scope, ())
        return self._is_forward(scope) or any(
            last_name(call.func) in ("backward", "manual_backward") for call in calls
        )

    def findings(self, scope: nodes.NodeNG, done: Pass, depth: int = 0) -> Iterator[Finding]:
        """Yield a finding for each saved tensor that *scope* or a callee overwrites before the backward pass."""
        for overwrite in done.overwrites.values():
            savers = [node for node in overwrite.saved_by if self._reaches_backward(node, overwrite, scope)]
            if savers:
                yield Finding(overwrite.node, _message(overwrite, savers[-1]))
        for callee, inner in done.callees.items():
            if callee.root() is self.source.module and callee is not scope and depth < DEEPEST:
                yield from self.findings(callee, inner, depth + 1)

    def _is_forward(self, scope: nodes.NodeNG) -> bool:
        owner = class_of(scope)
        return (
            isinstance(scope, nodes.FunctionDef)
            and scope.name in ("forward", "training_step")
            and owner is not None
            and scope.parent is owner
            and self.names.derives(owner, "torch.nn.Module") is True
        )

    def _reaches_backward(self, saver: nodes.NodeNG, overwrite: Overwrite, scope: nodes.NodeNG) -> bool:
        """Return whether the graph of *saver* leaves *scope*, or is back-propagated in it after the change."""
        if self.source.tensors.recording(saver) is not True:
            return False
        if isinstance(scope, FUNCTIONS):
            returns = self.names.index_of(scope).returns.get(scope, ())
            if any(self._flows(saver, statement.value) for statement in returns if statement.value is not None):
                return True
        return any(
            self._flows(saver, backward.start) and _may_follow(backward.node, overwrite.node)
            for backward in self.lineage.backwards(scope)
        )

    def _flows(self, saver: nodes.NodeNG, value: nodes.NodeNG) -> bool:
        """Return whether *value* is computed from what *saver* gives."""
        if saver in self.lineage.computed_by(value):
            return True
        if isinstance(saver.parent, nodes.Expr) and isinstance(saver, nodes.Call):  # y.exp_()
            return not self.lineage.sources(saver).isdisjoint(self.lineage.sources(value))
        return False


def _counts(change: nodes.AugAssign) -> bool:
    """Return whether *change* adds a number to a counter, which was made of a number."""
    if not isinstance(change.value, nodes.Const):
        return False
    if not isinstance(change.target, nodes.AssignName):
        return isinstance(change.target, nodes.AssignAttr) and type(change.value.value) is int
    made = [getattr(one.parent, "value", None) for one in definitions(change.target, change.target.name)]
    return all(isinstance(value, nodes.Const) for value in made)


def _is_of_dict(target: nodes.Subscript) -> bool:
    return isinstance(target.slice, nodes.Const) and isinstance(target.slice.value, str)


def _may_follow(later: nodes.NodeNG, earlier: nodes.NodeNG) -> bool:
    """Return whether *later* may run after *earlier* within one pass of the loops they share."""
    return (later.fromlineno or 0) > (earlier.fromlineno or 0) or bool(
        set(loops_around(later)) & set(loops_around(earlier)) and later.statement() is earlier.statement()
    )


def _message(overwrite: Overwrite, saver: nodes.NodeNG) -> str:
    changed = _changed(overwrite.node)
    op = _short(saver)
    where = f"line {saver.fromlineno}"
    if _is_data(overwrite.node):
        return f"{changed} is changed through '.data' after '{op}' ({where}) saved it: its gradient is silently wrong"
    return f"{changed} is changed in place after '{op}' ({where}) saved it, so backward raises; make a new tensor"


def _changed(node: nodes.NodeNG) -> str:
    match node:
        case nodes.AugAssign():
            target = node.target
        case nodes.Assign():
            target = node.targets[0]
        case nodes.Call(func=nodes.Attribute(attrname=name)) if name.endswith("_"):
            target = node.func.expr
        case nodes.Call() if node.args:
            target = node.args[0]
        case _:
            target = node
    return f"'{_short(target)}'"


def _short(node: nodes.NodeNG) -> str:
    text = " ".join(str(node.as_string()).split())
    return text if len(text) <= EXAMPLE_WIDTH else text[: EXAMPLE_WIDTH - 1] + "…"


def _is_data(node: nodes.NodeNG) -> bool:
    """Return whether the change at *node* goes through ``.data``, which autograd does not notice."""
    target = node.target if isinstance(node, nodes.AugAssign) else node
    target = node.targets[0] if isinstance(node, nodes.Assign) else target
    return any(child.attrname == "data" for child in target.nodes_of_class((nodes.Attribute, nodes.AssignAttr)))
