"""`.contiguous()` on images in `channels_last` copies them back into the format that was left.

## What happens
`x.to(memory_format=torch.channels_last)` keeps the sizes (N, C, H, W) and lays the channels of each pixel side by
side; convolutions, batch norm and pooling keep it so, and are faster for it. "Contiguous" without more means the
other order: `.contiguous()` in the middle of such a network copies the whole batch, and all that follows runs in the
slow format, or converts once more in each layer. Nothing says so.

`.view` that merges the channels with the pixels, as in `x.view(n, -1)`, raises `RuntimeError: view size is not
compatible with input tensor's size and stride`. `x.contiguous(memory_format=torch.preserve_format)` raises as well,
for every tensor that is not contiguous already.

## What to write
`x.contiguous(memory_format=torch.channels_last)`, or no `.contiguous()` at all. `x.flatten(1)` or
`x.reshape(n, -1)` in place of `.view`.

## Silent
- `memory_format=torch.channels_last` given.
- `.contiguous()` of a tensor that is about to be viewed with other sizes, `x.contiguous().view(n, -1)`.
- `.reshape(n, -1)`, `.flatten(1)`, and views that the strides allow: `x.view(n, c, -1)`.
- Tensors and modules of which the file does not show that they are put in `channels_last`.

## Known limits
A network is followed where the file that converts it, or its input, also shows its class.

## Sources
- PyTorch's tutorial "Channels Last Memory Format in PyTorch".
- `torch.Tensor.contiguous` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.layout import CHANNELS_LAST, Layout
from flake8_torch_pitfalls.analysis.sizes import unknown
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.strides import Strided, channels_last
from flake8_torch_pitfalls.analysis.tensors import Pass
from flake8_torch_pitfalls.analysis.tree import argument, dotted, function_of, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {*CHANNELS_LAST, "preserve_format"}
VIEWS = ("view", "reshape", "flatten")


def check(source: Source) -> Iterator[Finding]:
    """Yield where a tensor in ``channels_last`` loses its format, or is viewed against it."""
    _convert(source)
    for call in source.index.calls.get("contiguous", ()):
        if not isinstance(call.func, nodes.Attribute) or is_open(call):
            continue
        wanted = argument(call, 0, "memory_format")
        if wanted is None and not _is_for_view(call) and (name := _lost(source, call)):
            yield Finding(
                call,
                f"{_name(call)} leaves '{name}' here; use 'contiguous(memory_format=torch.{name})', or drop the call",
            )
        elif last_name(wanted) == "preserve_format" and source.names.symbol(wanted) == "torch.preserve_format":
            yield Finding(call, "'contiguous' has no 'preserve_format' and raises; name the format, or use 'clone'")
    for call in source.index.calls.get("view", ()):
        if isinstance(call.func, nodes.Attribute) and any(
            done.views.get(call) == (True, "channels_last") for done in source.shapes.passes(function_of(call))
        ):
            yield Finding(call, f"'view' raises: {_name(call)} is in 'channels_last'; use 'reshape' or 'flatten'")


def _convert(source: Source) -> None:
    """Let the value pass see what the file puts in another format, and the networks that are run on it."""
    for name in ("to", "contiguous"):
        for call in source.index.calls.get(name, ()):
            wanted = last_name(argument(call, None, "memory_format"))
            if wanted not in CHANNELS_LAST or not isinstance(call.func, nodes.Attribute):
                continue
            scope = function_of(call)
            source.shapes.of(scope)
            if isinstance(scope, nodes.FunctionDef):
                for site in source.names.call_sites(scope):
                    source.shapes.of(function_of(site))
            for value in source.names.values(call.func.expr):
                if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
                    _run(source, value, CHANNELS_LAST[wanted])


def _run(source: Source, module: Instance, rank: int) -> None:
    """Pass a batch in ``channels_last`` through *module*, one of the project's."""
    forward = source.names.method(module.cls, "forward")
    if forward is None or len(forward.args.args or ()) < 2:
        return
    batch = channels_last([unknown(forward, index) for index in range(rank)], "channels_last")
    source.shapes.through(Function(forward, module), {forward.args.args[1].name: Tensor(layout=Layout((batch,)))})


def _lost(source: Source, call: nodes.Call) -> str | None:
    """Return the format that the tensor of *call* had, or what it was made of, if it is lost there."""
    for done in source.shapes.passes(function_of(call)):
        form = _form(done, call.func.expr)
        if form is not None and form.rank in CHANNELS_LAST.values():
            if form.channels_last or form.contiguous and _is_restored(done, form):
                return next(name for name, rank in CHANNELS_LAST.items() if rank == form.rank)
    return None


def _is_restored(done: Pass, form: Strided) -> bool:
    """Return whether *form* has the sizes that a tensor in ``channels_last`` had before in the same function."""
    return any(
        isinstance(fact, Tensor) and fact.layout is not None and fact.layout.only is not None
        and fact.layout.only.channels_last and fact.layout.only.sizes == form.sizes
        for fact in done.facts.values()
    )  # fmt: skip


def _form(done: Pass, node: nodes.NodeNG) -> Strided | None:
    fact = done.facts.get(node)
    return fact.layout.only if isinstance(fact, Tensor) and fact.layout is not None else None


def _is_for_view(call: nodes.Call) -> bool:
    """Return whether the result of *call* is seen with other sizes at once."""
    return isinstance(call.parent, nodes.Attribute) and call.parent.attrname in VIEWS


def _name(call: nodes.Call) -> str:
    text = dotted(call.func.expr)
    return f"'{text}'" if text is not None else "the tensor"
