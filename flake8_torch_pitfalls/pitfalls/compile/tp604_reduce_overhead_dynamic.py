"""CUDA graphs (`mode="reduce-overhead"`) are recorded anew for every input size, so that varying sizes cost more.

## What happens
`mode="reduce-overhead"` and `mode="max-autotune"` record the kernels as a CUDA graph, for one size of the inputs. With
`dynamic=True`, or where the sizes vary, the code is compiled once for all of them, but a graph is still recorded for
each new size: each recording runs the kernels slowly and keeps its memory. Above eight sizes torch warns.

## What to write
- One size: pad the batches to a fixed length, or to a few lengths, and leave `dynamic` out.
- Varying sizes: `torch.compile(model, dynamic=True)` without the mode, or `mode="max-autotune-no-cudagraphs"`.

## Silent
- Fixed shapes, and one last batch that is smaller.
- `mode="max-autotune-no-cudagraphs"`, other backends, `dynamic=False`.
- `torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True`, which leaves dynamic graphs unrecorded.
- Up to eight sizes in a literal list: warming up one graph for each.

## Known limits
That sizes vary is seen where a loop makes them: from its counter, by `torch.cat` to the input of the call, or through a
`collate_fn` that pads to the longest of its batch.

## Sources
- "CUDAGraph Trees" and `torch.compile` in PyTorch's documentation. CUDA graphs need a GPU: what is said of them follows
  the documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.compiled import Compilation, calls_of, compilations, has_option
from flake8_torch_pitfalls.analysis.size_changes import changes_size_each_pass
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}

_RECORDING = ("reduce-overhead", "max-autotune")
_FREE = 8
"""How many sizes torch records without a warning."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the compilations with CUDA graphs of what is called with many sizes."""
    if "cudagraph_skip_dynamic_graphs" in source.index.stores:
        return
    for compilation in compilations(source):
        if not _records_graphs(source, compilation):
            continue
        if has_option(source, compilation, "dynamic", True):
            harm = "for each size that 'dynamic=True' lets in; drop one of them"
            yield Finding(compilation.node, f"{_mode(compilation)} records a CUDA graph {harm}")
        elif not has_option(source, compilation, "dynamic", False):
            for call in calls_of(source, compilation):
                if changes_size_each_pass(source, call, _FREE):
                    harm = f"for each input size, and line {call.lineno} varies it; pad to one size"
                    yield Finding(compilation.node, f"{_mode(compilation)} records a CUDA graph {harm}")
                    break


def _mode(compilation: Compilation) -> str:
    given = compilation.options.get("mode")
    if given is None:
        return "'triton.cudagraphs'"
    text = f'"{given.value}"' if isinstance(given, nodes.Const) else given.as_string()
    return f"'mode={text}'"


def _records_graphs(source: Source, compilation: Compilation) -> bool:
    if "backend" in compilation.options and not has_option(source, compilation, "backend", "inductor"):
        return False
    if has_option(source, compilation, "disable", True):
        return False
    return has_option(source, compilation, "mode", *_RECORDING) or _asks_for_graphs(compilation)


def _asks_for_graphs(compilation: Compilation) -> bool:
    options = compilation.options.get("options")
    return isinstance(options, nodes.Dict) and any(
        constant(key) == "triton.cudagraphs" and constant(value) is True for key, value in options.items
    )
