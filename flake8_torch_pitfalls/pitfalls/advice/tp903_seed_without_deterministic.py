"""A seed alone does not make training on a GPU repeat itself.

## What happens
`torch.manual_seed` fixes the random numbers: weights, dropout masks, the order of batches. Some CUDA operations give
results that differ in the last digits from run to run all the same, since the order of their additions is not fixed
(`index_add_`, `scatter_add_`, the backward of interpolation), and cuDNN may choose another algorithm each time. Two
runs with one seed drift apart.

## What to write
```python
torch.manual_seed(seed)
torch.use_deterministic_algorithms(True)
```
together with `CUBLAS_WORKSPACE_CONFIG=:4096:8` in the environment, where runs must repeat exactly. It costs speed, and
an operation that has no deterministic form raises; `warn_only=True` makes that a warning.

## Silent
- Any word on determinism in the program: `use_deterministic_algorithms`, `cudnn.deterministic`,
  `Trainer(deterministic=True)`.
- Files that do not mention CUDA, and files that neither train nor define a function that seeds.
- The seed of one `torch.Generator`.

## Known limits
Whether runs must repeat exactly, or only alike, is not known: hence advice. The difference between runs shows on a
GPU only.

## Sources
- "Reproducibility", PyTorch notes.
- `torch.use_deterministic_algorithms` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.seeding import imported_words, seeding_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import Index, function_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"manual_seed", "manual_seed_all"}

_TRAINS = ("backward", "manual_backward", "fit")
_SETTINGS = frozenset(("use_deterministic_algorithms", "deterministic", "CUBLAS_WORKSPACE_CONFIG"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the first seed of a file that uses CUDA and says nothing of determinism."""
    if not _mentions_cuda(source.index) or _speaks_of_determinism(source):
        return
    trains = any(name in source.index.calls for name in _TRAINS)
    for call, _ in seeding_calls(source):
        symbol = source.names.symbol(call.func) or ""
        if symbol.startswith("torch.") and (trains or _seeds_for_others(call)):
            yield Finding(
                call, f"'{call.func.as_string()}' alone does not make CUDA repeat a run; "
                "add 'torch.use_deterministic_algorithms(True)'"
            )  # fmt: skip
            return


def _mentions_cuda(index: Index) -> bool:
    return "cuda" in index.attributes or any(
        isinstance(node.value, str) and node.value.startswith("cuda") for node in index.of(nodes.Const)
    )


def _speaks_of_determinism(source: Source) -> bool:
    index = source.index
    named = (*index.attributes, *index.stores, *index.calls, *(node.arg or "" for node in index.of(nodes.Keyword)))
    if any("deterministic" in name for name in named) or "CUBLAS_WORKSPACE_CONFIG" in source.text:
        return True
    return any(not words.isdisjoint(_SETTINGS) for words in imported_words(source))


def _seeds_for_others(call: nodes.Call) -> bool:
    function = function_of(call)
    return isinstance(function, nodes.FunctionDef) and "seed" in function.name
