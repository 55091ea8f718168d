"""A custom operator that draws random numbers does not say so by a tag, and the compiler may leave out calls of it.

## What happens
Graph passes know an operator by its schema and its tags only. One without `nondeterministic_seeded` gives the same for
the same arguments, as far as they can see: `eliminate_dead_code` drops a call whose result is not used, so that the
random numbers drawn after it are others than before, and a pass that folds constants may keep its first result for
good.

## What to write
`@torch.library.custom_op("lib::jitter", mutates_args=(), tags=torch.Tag.nondeterministic_seeded)`.

## Silent
- Operators that are given `tags`, and calls with `**kwargs`.
- Operators without random functions in their body, for which there is no such tag.
- Functions that draw from a generator of their own.

## Known limits
Random functions are looked for in the operator's own body. Other tags, such as `pointwise`, are not asked for.

## Sources
- `torch.library.custom_op`, `tags`, and `torch.Tag` in PyTorch's documentation. Tried with torch 2.13.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.custom_ops import CustomOp, custom_ops
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"custom_op"}

_RANDOM = frozenset(
    "rand randn randint randperm rand_like randn_like randint_like bernoulli multinomial normal poisson dropout "
    "dropout1d dropout2d dropout3d alpha_dropout uniform_ normal_ bernoulli_ random_ exponential_".split()
)


def check(source: Source) -> Iterator[Finding]:
    """Yield the operators that draw random numbers and have no tags."""
    for op in custom_ops(source):
        if argument(op.node, None, "tags") is None and _is_random(source, op):
            yield Finding(op.node, f"'{op.name}' draws random numbers; pass 'tags=torch.Tag.nondeterministic_seeded'")


def _is_random(source: Source, op: CustomOp) -> bool:
    """Return whether the body of *op* calls a random function or method of torch without a generator."""
    return any(
        last_name(call.func) in _RANDOM and argument(call, None, "generator") is None and _is_torch(source, call)
        for call in source.names.index_of(op.function).calls_in.get(op.function, ())
    )


def _is_torch(source: Source, call: nodes.Call) -> bool:
    if (source.names.symbol(call.func) or "").startswith("torch."):
        return True
    return isinstance(call.func, nodes.Attribute) and source.kinds.inferred(call.func.expr, "tensor") is True
