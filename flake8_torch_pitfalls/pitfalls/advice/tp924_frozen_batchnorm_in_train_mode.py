"""A frozen module's batch norms go on changing, for it runs in train mode.

## What happens
`requires_grad = False` keeps the optimizer from the weights. The running mean and variance of a batch norm are no
parameters: every forward in train mode moves them towards the batches at hand, and normalises by these batches. The
features that were to be kept drift while the head is trained, and evaluation runs with other statistics than those of
the pretrained network.

## What to write
```python
model.train()
model.backbone.eval()  # after each train(), or in an override of it
```

## Silent
- An `eval()` on something that no `train()` is called on; an override of `train`; batch norms that are picked out.
- Modules without batch norm, or of which that is not known: transformers, VGG, layer norm.
- Modules whose gradients are switched on again, as in a GAN.
- Files that do not train.

## Known limits
Statistics that adapt to the new data may be wanted: hence advice. Only loops over all `parameters()`, and
`requires_grad_(False)` on a module, count as freezing.

## Sources
- `torch.nn.BatchNorm2d` in PyTorch's documentation: `track_running_stats`.
- "Evaluation mode", PyTorch notes on autograd mechanics: `requires_grad` does not change modes.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers, scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, block_of, constant, last_name, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"requires_grad", "requires_grad_"}


def check(source: Source) -> Iterator[Finding]:
    """Yield where a module with batch norms is frozen in a file that keeps it in train mode."""
    if not _trains(source) or _takes_care_of_modes(source):
        return
    switched = list(_switched(source))
    reopened = {text_of(module) for _, module, on in switched if on}
    for node, module, on in switched:
        if not on and text_of(module) not in reopened and _keeps_statistics(source, module):
            yield Finding(
                node, f"the batch norms of '{text_of(module)}' still change in train mode; call 'eval()' on it, too"
            )


def _trains(source: Source) -> bool:
    """Return whether the file goes backward, or leaves that to Lightning."""
    return "backward" in source.index.calls or any(
        node.name == "training_step" for node in source.index.of(nodes.FunctionDef)
    )


def _takes_care_of_modes(source: Source) -> bool:
    """Return whether the file puts something into eval mode for good, or picks out batch norms."""
    index = source.index
    if any(node.name == "train" and isinstance(node.parent, nodes.ClassDef) for node in index.of(nodes.FunctionDef)):
        return True
    if any("BatchNorm" in call.as_string() for call in index.calls.get("isinstance", ())):
        return True
    trained = {last_name(getattr(call.func, "expr", None)) for call in index.calls.get("train", ())}
    evaluated = {last_name(getattr(call.func, "expr", None)) for call in index.calls.get("eval", ())}
    return not evaluated <= trained


def _switched(source: Source) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG, bool]]:
    """Yield (where, module, on or off) for each place that sets ``requires_grad`` of all parameters of a module."""
    for call in source.index.calls.get("requires_grad_", ()):
        on = constant(argument(call, 0, "requires_grad")) if call.args or call.keywords else True
        if isinstance(on, bool) and isinstance(call.func, nodes.Attribute):
            over = _parameters_of(call.func.expr, call)
            if over is not None:
                yield over.parent, over.func.expr, on
            elif source.kinds.of(call.func.expr, "module"):
                yield call, call.func.expr, on
    for target in source.index.stores.get("requires_grad", ()):
        on = constant(getattr(target.parent, "value", None))
        over = _parameters_of(target.expr, target)
        if isinstance(on, bool) and over is not None:
            yield over.parent, over.func.expr, on


def _parameters_of(variable: nodes.NodeNG, use: nodes.NodeNG) -> nodes.Call | None:
    """Return ``net.parameters()`` if *use* is done to each of them: *variable* is that of a loop over it."""
    if not isinstance(variable, nodes.Name):
        return None
    for definition in scopes.definitions(variable, variable.name):
        loop = definition.statement()
        if isinstance(loop, nodes.For) and use.statement() in loop.body and block_of(use.statement()) is loop.body:
            match loop.iter:
                case nodes.Call(func=nodes.Attribute(attrname="parameters" | "named_parameters")):
                    return loop.iter
    return None


def _keeps_statistics(source: Source, module: nodes.NodeNG) -> bool:
    found = source.kinds.instances(module, "module")
    return layers.any_has(source.names, found, layers.Trait.BATCH_STATISTICS) is True
