"""A tensor that is kept beyond its iteration keeps the graph that computed it, so memory grows.

## What happens
`total += loss` and `losses.append(loss)` keep more than a number: the tensor holds the graph that led to it.
Nodes of every iteration so far stay in memory, and where no `backward()` has freed them, the activations too.
Memory grows until it runs out, often in the second epoch.

## What to write
Keep the number: `total += loss.item()`. Where the value should stay a tensor, or on its device without a
wait, keep `loss.detach()`. An evaluation needs no graph at all: run it under `torch.no_grad()`.

## Silent
- `.item()`, `.detach()`, `float(loss)`, anything computed or summed up under `no_grad` or `inference_mode`.
- Sums and lists that are back-propagated themselves: several losses of one step, returns of an episode,
  windows of truncated backpropagation.
- Containers that each iteration starts anew.

## Known limits
A value that no `backward()` in view consumes is reported only where the sum or list is a local variable and
everything done with it is printing, formatting, comparing or turning it into a number, or where the function
puts the model into eval mode. A store in a class that cannot be read is not seen.

## Sources
- PyTorch FAQ, "My model reports cuda runtime error(2): out of memory".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.stores import Store, Stores
from flake8_torch_pitfalls.analysis.tree import dotted
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "manual_backward", "training_step", "eval", "criterion", "loss", "nn"}


def check(source: Source) -> Iterator[Finding]:
    """Report each store that keeps the graph of every iteration."""
    stores = Stores(source)
    for store in stores.all():
        if stores.keeps_graphs(store):
            yield Finding(store.node, _message(store, stores.carrier(store)))


def _message(store: Store, carrier: nodes.NodeNG) -> str:
    text = dotted(carrier)
    verb = "pass" if store.by_callee else "store"
    if text is None:
        fix = f"{verb} it detached"
    elif "loss" in text.lower():
        fix = f"{verb} '{text}.item()' or '{text}.detach()'"
    else:
        fix = f"{verb} '{text}.detach()'"
    return f"{store.name} keeps the graph of every iteration, so memory grows; {fix}"
