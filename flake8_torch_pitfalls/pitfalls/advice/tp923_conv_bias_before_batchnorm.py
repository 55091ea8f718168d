"""A convolution adds a bias that the batch norm behind it subtracts again.

## What happens
Batch norm subtracts the mean of each channel, so a number added to a whole channel before it is gone behind it. The
bias gets a gradient of zero (up to rounding), takes memory, optimizer state and a pass over the feature map, and
weight decay is all that ever moves it. Batch norm has a bias of its own.

## What to write
`nn.Conv2d(64, 128, 3, padding=1, bias=False)`.

## Silent
- `bias=False`, and a bias that the program decides: `bias=not norm`.
- Anything between the two: an activation, a pooling, a second use of the convolution.
- Other normalisations: `GroupNorm` and `LayerNorm` do not cancel a bias, and `InstanceNorm` is left alone.
- A batch norm that is there under a condition only.

## Known limits
Seen are neighbours in an `nn.Sequential`, and `self.bn(self.conv(x))` in a `forward`, in one expression or with a
variable between. A checkpoint that holds the biases no longer loads without `strict=False` when they are left out.

## Sources
- "Performance Tuning Guide", PyTorch tutorials: "Disable bias for convolutions directly followed by a batch norm".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes, sequences
from flake8_torch_pitfalls.analysis.calls import arguments
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, constant, is_open, text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"}

_CONVOLUTIONS = frozenset(f"torch.nn.{kind}{n}d" for kind in ("Conv", "ConvTranspose") for n in (1, 2, 3))
_NORMS = frozenset(("torch.nn.BatchNorm1d", "torch.nn.BatchNorm2d", "torch.nn.BatchNorm3d", "torch.nn.SyncBatchNorm"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the convolutions with a bias whose only use is a batch norm."""
    found = {*_in_sequences(source), *_in_forwards(source)}
    for call in sorted(found, key=lambda call: (call.lineno, call.col_offset)):
        made = text_of(call.func)
        yield Finding(call, f"the batch norm behind this '{made}' cancels its bias; give it 'bias=False'")


def _in_sequences(source: Source) -> Iterator[nodes.Call]:
    """Yield the convolutions directly before a batch norm in an ``nn.Sequential``."""
    for call in source.index.calls.get("Sequential", ()):
        for value in source.names.values(call):
            if isinstance(value, Instance) and value.cls == sequences.SEQUENTIAL and value.made_at is call:
                layers = sequences.layers(source.names, value) or []
                for layer, following in zip(layers, layers[1:]):
                    if _makes_norm(source, following) and layer.statement().parent is following.statement().parent:
                        if _adds_bias(source, layer):
                            yield layer


def _in_forwards(source: Source) -> Iterator[nodes.Call]:
    """Yield the convolutions kept by a module whose one call is handed to a batch norm."""
    for call in _calls_of_norms(source):
        given = _computed_by(source, call.args[0]) if len(call.args) == 1 else None
        if given is None or not isinstance(given.func, nodes.Attribute):
            continue
        uses = [use for use in source.index.calls.get(given.func.attrname, ()) if class_of(use) is class_of(call)]
        values = source.names.values(given.func)
        if uses == [given] and len(values) == 1 and isinstance(values[0], Instance):
            made = values[0].made_at
            if made is not None and class_of(made) is class_of(call) and _adds_bias(source, made):
                yield made


def _calls_of_norms(source: Source) -> Iterator[nodes.Call]:
    """Yield the calls of attributes that always hold a batch norm."""
    for name in WORDS:
        for made in source.index.calls.get(name, ()):
            for target in made.parent.targets if isinstance(made.parent, nodes.Assign) else ():
                if isinstance(target, nodes.AssignAttr):
                    for call in source.index.calls.get(target.attrname, ()):
                        if class_of(call) is class_of(made) and _is_always_norm(source, call.func):
                            yield call


def _is_always_norm(source: Source, func: nodes.NodeNG) -> bool:
    return all(isinstance(value, Instance) and value.cls in _NORMS for value in source.names.values(func))


def _computed_by(source: Source, node: nodes.NodeNG) -> nodes.Call | None:
    """Return the call whose result *node* is: itself, or what its variable was assigned and nothing else reads."""
    if isinstance(node, nodes.Name):
        definitions = scopes.definitions(node, node.name)
        if len(definitions) != 1 or not isinstance(definitions[0].parent, nodes.Assign):
            return None
        others = (read for read in source.index.reads[node.name] if read is not node)
        if any(definitions[0] in scopes.definitions(read, node.name) for read in others):
            return None
        node = definitions[0].parent.value
    return node if isinstance(node, nodes.Call) else None


def _makes_norm(source: Source, node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Call) and source.names.symbol(node.func) in _NORMS


def _adds_bias(source: Source, call: nodes.NodeNG) -> bool:
    """Return whether *call*, in the file, surely makes a convolution with a bias."""
    if not isinstance(call, nodes.Call) or call.root() is not source.module or is_open(call):
        return False
    symbol = source.names.symbol(call.func)
    if symbol not in _CONVOLUTIONS:
        return False
    bias = arguments(call, symbol).get("bias")
    return bias is None or constant(bias) is True
