"""A parameter wrapped in a new `nn.Parameter` is a second parameter over the same memory, not a tied one.

## What happens
`self.decoder.weight = nn.Parameter(self.encoder.weight)` looks like weight tying, and the two weights are equal at
first, for they share their memory. They are two parameters all the same: `parameters()` gives both, each collects
only the gradient of its own uses, and an optimizer steps each of them. The first move that makes a copy,
`to("cuda")` or `double()`, copies each for itself; from then on they differ, and nothing says so. A transposed view
(`nn.Parameter(self.encoder.weight.t())`) is no better.

## What to write
`self.decoder.weight = self.encoder.weight`: one parameter under two names, which moves and trains as one. For a
transposed weight, compute with the one there is: `F.linear(x, self.encoder.weight.t())`. For equal values at the
start only: `nn.Parameter(self.encoder.weight.detach().clone())`.

## Silent
- The parameter itself: `self.decoder.weight = self.encoder.weight`.
- An initial copy: `.clone()`, `copy.deepcopy`, and arithmetic, which makes new memory.
- A parameter of a module that is given up for the new one: `new.weight = nn.Parameter(old.weight)`.
- A parameter wrapped anew in its own place.

## Known limits
Only modules that one object holds, and pairs of local modules that both become part of it, are compared.

## Sources
- `torch.nn.parameter.Parameter` and `torch.nn.Module.to` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, dotted, function_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Parameter"}

PARAMETER = "torch.nn.Parameter"
_VIEWS = frozenset("detach t transpose permute view requires_grad_".split())
"""Methods whose result surely shares the memory of their tensor."""
_VIEW_ATTRIBUTES = ("data", "T", "mT")


def check(source: Source) -> Iterator[Finding]:
    """Yield where a parameter of one module is made a second parameter of another that lives beside it."""
    for made in torch_calls(source, PARAMETER):
        target = _attribute_given(made.node)
        shared = _shared(argument(made.node, 0, "data"))
        if target is None or shared is None:
            continue
        if _is_parameter(source, shared) and _live_side_by_side(source, target.expr, shared.expr):
            text = dotted(shared)
            yield Finding(
                made.node,
                f"'nn.Parameter' makes '{text}' a second parameter, untied by the first move; assign '{text}' itself",
            )


def _attribute_given(made: nodes.Call) -> nodes.AssignAttr | None:
    statement = made.parent
    if isinstance(statement, nodes.Assign) and len(statement.targets) == 1:
        [target] = statement.targets
        return target if isinstance(target, nodes.AssignAttr) else None
    return None


def _shared(node: nodes.NodeNG | None) -> nodes.Attribute | None:
    """Return the attribute whose memory *node* shares: ``a.weight`` of ``a.weight.data.t()``."""
    while True:
        match node:
            case nodes.Call(func=nodes.Attribute(attrname=name, expr=below)) if name in _VIEWS:
                node = below
            case nodes.Attribute(attrname=name, expr=below) if name in _VIEW_ATTRIBUTES:
                node = below
            case nodes.Attribute():
                return node
            case _:
                return None


def _is_parameter(source: Source, node: nodes.Attribute) -> bool:
    """Return whether *node* is a parameter of a module, by inference or by its name."""
    known = source.names.known(node)
    if known:
        return all(source.names.is_a(value, PARAMETER) for value in known)
    return node.attrname in ("weight", "bias") and source.kinds.of(node.expr, "module") is True


def _live_side_by_side(source: Source, target: nodes.NodeNG, owner: nodes.NodeNG) -> bool:
    """Return whether the modules *target* and *owner* are two, and parts of one object."""
    mine, other = dotted(target), dotted(owner)
    if mine is None or other is None or mine == other:
        return False
    roots = [mine.partition(".")[0], other.partition(".")[0]]
    if roots[0] == roots[1]:
        return True
    return all(root == "self" or _becomes_attribute(source, target, root) for root in roots)


def _becomes_attribute(source: Source, place: nodes.NodeNG, name: str) -> bool:
    """Return whether the local variable *name* is kept on ``self`` by the function around *place*."""
    function = function_of(place)
    return any(
        isinstance(value, nodes.Name) and value.name == name
        and isinstance(target, nodes.AssignAttr) and dotted(target.expr) == "self"
        for statement in source.index.within(function, nodes.Assign)
        for target, value in _pairs(statement)
    )


def _pairs(statement: nodes.Assign) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG]]:
    """Yield the targets of *statement*, each with what it is given."""
    for target in statement.targets:
        if isinstance(target, nodes.Tuple) and isinstance(statement.value, nodes.Tuple):
            yield from zip(target.elts, statement.value.elts)
        else:
            yield target, statement.value
