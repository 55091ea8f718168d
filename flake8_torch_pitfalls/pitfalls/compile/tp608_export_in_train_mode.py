"""A module exported in train mode keeps its dropout and batch statistics in the exported program.

## What happens
`torch.export.export`, `torch.jit.trace` and `torch.onnx.export` record what the module does when they run. In train
mode that is dropout, and batch norm with the statistics of the batch: a saved program goes on to drop activations at
random, where `eval()` on it later is refused (`torch.export`) or too late (ONNX).

## What to write

    model.eval()
    torch.onnx.export(model, (example,), "model.onnx")

## Silent
- `eval()` or `train(False)` before the export, and any in the file where the order cannot be told.
- `torch.onnx.export(..., dynamo=False)` and the default before torch 2.9: that exporter switches to eval mode itself.
  An explicit `training=` is a decision.
- Modules whose layers do the same in both modes, and modules that are not made in view.
- Traced and exported programs that are not saved: they may be trained.

## Known limits
Modules loaded by code out of view may be in either mode, and are left alone.

## Sources
- `torch.onnx.export`, `torch.jit.trace` and `torch.export` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.calls import TorchCall, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, block_of, constant, dotted, function_of, text_of
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"export", "trace"}

ONNX = "torch.onnx.export"
TRACE = "torch.jit.trace"
EXPORT = "torch.export.export"
_DYNAMO_BY_DEFAULT = (2, 9)


def check(source: Source) -> Iterator[Finding]:
    """Yield the exports of modules that nothing puts in eval mode."""
    for export in torch_calls(source, ONNX, TRACE, EXPORT):
        module = export.node.args[0] if export.node.args else None
        if module is None or export.is_partial or not _keeps_mode(source, export):
            continue
        if _depends_on_mode(source, module) and _is_in_train_mode(source, export.node, module):
            yield Finding(
                export.node,
                f"'{text_of(module)}' is exported in train mode, with dropout and batch statistics; call "
                f"'{text_of(module)}.eval()' first",
            )


def _keeps_mode(source: Source, export: TorchCall) -> bool:
    """Return whether *export* makes a lasting program of the mode that the module is in."""
    if export.symbol != ONNX:
        return _is_saved(source, export.node)
    if export.is_open or "training" in export.given:
        return False
    if "dynamo" in export.given:
        return constant(export.given["dynamo"]) is True
    return source.settings.torch_version >= _DYNAMO_BY_DEFAULT


def _is_saved(source: Source, export: nodes.Call) -> bool:
    """Return whether the program that *export* gives is written to a file in the same function."""
    saves = [call for call in source.index.calls.get("save", ()) if function_of(call) is function_of(export)]
    results = {export.as_string()}
    if isinstance(export.parent, nodes.Assign):
        results |= {target.as_string() for target in export.parent.targets}
    return any(
        given.as_string() in results
        for call in saves
        for given in (*call.args[:1], *([call.func.expr] if isinstance(call.func, nodes.Attribute) else ()))
    )


def _depends_on_mode(source: Source, module: nodes.NodeNG) -> bool:
    values = [value for value in source.names.values(module) if value != NOTHING]
    return bool(values) and all(
        _is_made_in_train_mode(value) and layers.has(source.names, value, layers.Trait.MODES) is True
        for value in values
    )


def _is_made_in_train_mode(value: Value) -> bool:
    return isinstance(value, Instance) and (
        isinstance(value.cls, nodes.ClassDef) or value.cls.startswith(("torch.nn.", "torchvision.models."))
    )


def _is_in_train_mode(source: Source, export: nodes.Call, module: nodes.NodeNG) -> bool:
    """Return whether the last word on the mode of *module* is ``train()``, or nothing in view says another."""
    said = [
        call
        for word in ("eval", "train")
        for call in source.index.calls.get(word, ())
        if isinstance(call.func, nodes.Attribute)
        and dotted(call.func.expr) == dotted(module)
        and function_of(call) is function_of(export)
        and call.fromlineno <= export.fromlineno
    ]
    if said:
        last = max(said, key=lambda call: call.fromlineno)
        return last.func.attrname == "train" and not (last.args or last.keywords) and _surely_precedes(last, export)
    return not any(_mentions_eval(source, node) for node in (source.module, *_makers(source, module)))


def _surely_precedes(call: nodes.Call, export: nodes.Call) -> bool:
    return any(call.statement() in block_of(node) for node in (export.statement(), *ancestors(export)))


def _makers(source: Source, module: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the classes that *module* may be of, and where its objects are made."""
    for value in source.names.known(module):
        if isinstance(value, Instance):
            yield from (node for node in (value.cls, value.made_at) if isinstance(node, nodes.NodeNG))


def _mentions_eval(source: Source, node: nodes.NodeNG) -> bool:
    index = source.names.index_of(node)
    return "eval" in index.attributes or any(
        call.args or call.keywords for call in index.calls.get("train", ()) if isinstance(call.func, nodes.Attribute)
    )
