"""A new tensor is filled on the CPU and then copied to the device, where it could have been made.

## What happens
`torch.zeros(n, m).to(device)` allocates and fills memory on the CPU, copies it over the bus, and makes the CPU wait for
the copy. With `device=` the GPU fills its own memory and nothing is copied.

## What to write
`torch.zeros(n, m, device=device)`, or `device=x.device`.

## Silent
- Factories that are given a device, a generator, `requires_grad=True` or pinned memory.
- `torch.tensor(data)` and `torch.from_numpy(array)`, whose data come from the CPU anyway.
- Moves to the CPU, and changes of the type alone.
- Code that runs once when its module is loaded, and tensors that nobody uses: they start CUDA.

## Known limits
Random numbers differ between the devices: with `device=` a seeded program draws others than before.

## Sources
- "Performance Tuning Guide", PyTorch tutorials: "Create tensors directly on the target device".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import is_non_blocking, to_accelerator
from flake8_torch_pitfalls.analysis.tree import argument, function_of, is_open, last_name, loops_around, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"to", "cuda"}

_MAKES = frozenset(
    "zeros ones empty full rand randn randint randperm arange linspace logspace eye zeros_like ones_like empty_like "
    "full_like rand_like randn_like".split()
)
_OPTIONS = ("device", "generator", "requires_grad", "pin_memory", "out")


def check(source: Source) -> Iterator[Finding]:
    """Yield the moves of tensors that were made in the same expression."""
    for name in ("to", "cuda"):
        for call in source.index.calls.get(name, ()):
            made = getattr(call.func, "expr", None)
            if not isinstance(made, nodes.Call) or last_name(made.func) not in _MAKES or not _runs_often(call):
                continue
            if _takes_device(source, made) and _is_moved(source, call):
                maker = text_of(made.func)
                yield Finding(call, f"'{maker}' fills the CPU's memory, which is copied; give it 'device='")


def _runs_often(call: nodes.Call) -> bool:
    """Return whether *call* may run more than once, for something that is used."""
    if isinstance(call.parent, nodes.Expr):
        return False
    return not isinstance(function_of(call), nodes.Module) or bool(loops_around(call))


def _takes_device(source: Source, made: nodes.Call) -> bool:
    if is_open(made) or any(argument(made, None, option) is not None for option in _OPTIONS):
        return False
    return source.names.symbol(made.func) == f"torch.{last_name(made.func)}"


def _is_moved(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* moves its tensor to an accelerator, or to where another tensor is."""
    if is_non_blocking(call) or is_open(call):
        return False
    given = argument(call, 0, "device") if call.func.attrname == "to" else None
    return isinstance(given, nodes.Attribute) and given.attrname == "device" or to_accelerator(source.names, call)
