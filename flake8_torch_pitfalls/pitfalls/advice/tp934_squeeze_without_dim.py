"""`squeeze()` without a dimension also drops the batch dimension of a batch of one.

## What happens
`x.squeeze()` removes every dimension of size 1. Of outputs of shape (32, 1) it makes (32,), of (1, 1) a number without
dimensions. The last batch of a data set and a single request have one example now and then: then the shape of the
result is another, and the loss raises or spreads one over the other.

## What to write
`x.squeeze(1)`, or `x.squeeze(-1)`; `x.flatten(1)` after pooling.

## Silent
- `squeeze` with a dimension, and of what is not known to hold a batch.
- Losses, one example taken out of a batch, and batches made by `unsqueeze(0)`.
- Loaders with `drop_last=True`.

## Known limits
A batch is the result of a layer in `forward`, the result of a module that is given a batch of a `DataLoader`, or such
a batch itself.

## Sources
- `torch.squeeze` in PyTorch's documentation, which warns of a batch of size 1.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import holds_examples
from flake8_torch_pitfalls.analysis.tree import constant, function_of, is_open, quoted
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"squeeze"}

_LAYERS = ("Linear", "Conv", "Pool", "Norm", "Dropout", "ReLU", "Sigmoid", "Tanh", "Embedding", "Sequential")
_KEEPS = frozenset(("to", "float", "detach", "cpu", "cuda", "sigmoid", "relu"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls of ``squeeze`` that may drop the batch dimension."""
    for call in source.index.calls.get("squeeze", ()):
        squeezed = _squeezed(source, call)
        if squeezed is not None and _is_batch(source, squeezed) and not _drops_last(source):
            what = quoted(squeezed, "the output")
            yield Finding(call, f"'squeeze()' drops the batch dimension if {what} holds one example; name a dimension")


def _squeezed(source: Source, call: nodes.Call) -> nodes.NodeNG | None:
    """Return what *call* squeezes without naming a dimension."""
    if is_open(call) or call.keywords:
        return None
    if isinstance(call.func, nodes.Attribute) and not call.args:
        return call.func.expr
    return call.args[0] if len(call.args) == 1 and source.names.symbol(call.func) == "torch.squeeze" else None


def _is_batch(source: Source, node: nodes.NodeNG) -> bool:
    while _moves(node):
        node = node.func.expr
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
        if len(found) == 1 and isinstance(found[0].statement(), nodes.Assign):
            node = next(iter(given_to(found[0])), node)
    if isinstance(node, nodes.Name) or _moves(node):
        return holds_examples(source.names, node)
    if not isinstance(node, nodes.Call):
        return False  # one example, taken out of a batch
    modules = source.kinds.instances(node.func, "module")
    if not modules or not node.args:
        return False
    if _is_in_forward(source, node):
        return all(_is_layer(module) for module in modules)
    return len(node.args) == 1 and holds_examples(source.names, node.args[0])


def _moves(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Call) and isinstance(node.func, nodes.Attribute) and node.func.attrname in _KEEPS


def _is_in_forward(source: Source, node: nodes.NodeNG) -> bool:
    function = function_of(node)
    return (
        isinstance(function, nodes.FunctionDef)
        and function.name == "forward"
        and isinstance(function.parent, nodes.ClassDef)
        and source.names.derives(function.parent, "torch.nn.Module") is True
    )


def _is_layer(module: Instance) -> bool:
    """Return whether *module* is a layer of torch's, whose output has the batch dimension of its input."""
    return isinstance(module.cls, str) and any(name in module.cls.rpartition(".")[2] for name in _LAYERS)


def _drops_last(source: Source) -> bool:
    """Return whether the file asks a loader for whole batches only."""
    return any(
        keyword.arg == "drop_last" and constant(keyword.value) is True for keyword in source.index.of(nodes.Keyword)
    )
