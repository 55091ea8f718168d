"""A Python loop over the samples of a batch asks autograd for a gradient once for each.

## What happens
Each pass builds a graph for one sample and goes back through it: many small operations, between which an accelerator
waits. `torch.func` computes the gradients of all samples in one pass.

## What to write
```python
from torch.func import functional_call, grad, vmap

def loss_of(parameters, x, y):
    return F.cross_entropy(functional_call(model, parameters, (x[None],)), y[None])

gradients = vmap(grad(loss_of), in_dims=(None, 0, 0))(dict(model.named_parameters()), images, labels)
```
For the rows of a Jacobian: `torch.func.jacrev`.

## Silent
- Loops over batches, epochs, layers or tasks, and over anything that is not known to be a tensor.
- A gradient that has nothing to do with the sample of the pass.
- An optimizer that steps in each pass: training with batches of one.
- `backward()` whose `.grad` the loop does not read: gradients that add up.

## Known limits
Models that change their state in `forward`, such as batch norm in train mode, do not run under `vmap`.

## Sources
- "Per-sample-gradients", PyTorch tutorials; `torch.func.vmap` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.lineage import Lineage
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name, loops_around, text_of, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "grad"}

_GRAD = "torch.autograd.grad"


def check(source: Source) -> Iterator[Finding]:
    """Yield the gradients that are computed sample by sample."""
    for name in ("grad", "backward"):
        for call in source.index.calls.get(name, ()):
            loop = next(iter(loops_around(call)), None)
            if not isinstance(loop, nodes.For) or not isinstance(call.func, (nodes.Attribute, nodes.Name)):
                continue
            batch = _batch_of(loop)
            if batch is not None and _is_per_sample(source, call, loop) and source.kinds.of(batch, "tensor"):
                yield Finding(
                    call, f"autograd runs once per row of '{text_of(batch)}'; 'torch.func.vmap' does all at once"
                )


def _batch_of(loop: nodes.For) -> nodes.NodeNG | None:
    """Return what *loop* goes over: ``xs`` of ``xs``, ``zip(xs, …)``, ``enumerate(xs)``, ``range(len(xs))`` …"""
    over = loop.iter
    if isinstance(over, nodes.Call) and last_name(over.func) in ("zip", "enumerate", "tqdm", "trange") and over.args:
        over = over.args[0]
    match over:
        case nodes.Name() | nodes.Attribute():
            return over
        case nodes.Call(func=nodes.Name(name="range"), args=[count]):
            return _counted(count)
    return None


def _counted(count: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return ``xs`` of ``len(xs)``, ``xs.shape[0]`` and ``xs.size(0)``."""
    match count:
        case nodes.Call(func=nodes.Name(name="len"), args=[counted]):
            return counted
        case nodes.Subscript(value=nodes.Attribute(attrname="shape", expr=counted), slice=index):
            return counted if constant(index) == 0 else None
        case nodes.Call(func=nodes.Attribute(attrname="size", expr=counted)):
            return counted if constant(argument(count, 0, "dim")) == 0 else None
    return None


def _is_per_sample(source: Source, call: nodes.Call, loop: nodes.For) -> bool:
    """Return whether *call* asks autograd for the gradient of the sample that this pass of *loop* is about."""
    within = [node for statement in loop.body for node in walk(statement)]
    if any(isinstance(node, nodes.Call) and last_name(node.func) == "step" for node in within):
        return False
    if last_name(call.func) == "backward":
        if not any(isinstance(node, nodes.Attribute) and node.attrname == "grad" for node in within):
            return False
        output = getattr(call.func, "expr", None)
    else:
        output = argument(call, 0, "outputs") if source.names.symbol(call.func) == _GRAD else None
    if output is None:
        return False
    bound = {node.name for node in walk(loop.target) if isinstance(node, nodes.AssignName)}
    computed = Lineage(source.names).computed_by(output)
    reads = (node for part in (output, *computed) for node in walk(part) if isinstance(node, nodes.Name))
    return any(node.name in bound for node in reads)
