"""`view` raises on a tensor whose dimensions no longer lie in memory in their order.

## What happens
`transpose`, `permute`, `.t()`, `.T`, `expand` and slices move no data: they return the same memory with other
strides. `view` moves none either, so it can only merge dimensions that are neighbours in memory; asked for more,
it raises `RuntimeError: view size is not compatible with input tensor's size and stride`. The order survives
`clone`, `relu`, arithmetic, comparisons and `zeros_like`, so that the `transpose` may stand several operations
before the `view`: `correct = pred.t().eq(target.expand_as(pred.t()))` and `correct[:k].view(-1)`. A batch-first
`nn.LSTM`, `nn.GRU` or `nn.RNN` returns its output so, too: it works with time first inside and transposes at the end.

`view` with a dtype of another size needs a last dimension without gaps, and raises on a transposed tensor as well.

## What to write
`reshape`, which views where it can and copies where it must, or `.contiguous()` before `view`.

## Silent
- `.contiguous()` on the way, and operations whose result is always contiguous: `softmax`, `nn.Linear`, `matmul`,
  `cat`, reductions.
- Views that split a dimension, add or drop dimensions of size 1, or keep the moved dimensions apart:
  `x.transpose(0, 1).view(3, 2, 4)`.
- Views that merge dimensions in the order of memory: `x.permute(1, 2, 0).view(12, 2)`.
- `x[:k]` and leading dimensions made by `expand`.
- Sizes that the text does not show to disagree.
- A view inside a `try` that catches the `RuntimeError`, or in `pytest.raises` and the like.
- Tensors in `channels_last` format, which are TP304's.

## Known limits
Sizes that are not known are taken to be neither 1 nor equal by chance, a slice to leave something out, and
tensors that come from outside the file (parameters, batches of a loader) to be contiguous. Results of modules
and functions that cannot be read and of `einsum` are left alone, and so is `nn.MultiheadAttention` with the batch
first, whose output is transposed in training only.

## Sources
- `torch.Tensor.view` in PyTorch's documentation states the rule.
- `correct[:k].view(-1)` stood in PyTorch's ImageNet example, from where many programs have it.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.layout import CHANNELS_LAST
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, function_of, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"view", "view_as"}
REORDERING = (
    "transpose", "permute", "t", "swapaxes", "swapdims", "movedim", "moveaxis", "expand", "expand_as", "narrow",
    "chunk", "split", "unbind",
)  # fmt: skip
"""Calls that may leave a tensor out of order."""
TRANSPOSED = ("T", "mT", "H", "mH")
WORDING = {
    "slicing": "slicing", "indexing": "indexing", "unpacking": "unpacking", "batch_first": "a layer with 'batch_first'"
}  # fmt: skip
LONGEST_NAME = 40


def check(source: Source) -> Iterator[Finding]:
    """Yield views that torch refuses."""
    views = [call for name in sorted(WORDS) for call in source.index.calls.get(name, ())]
    views = [call for call in views if isinstance(call.func, nodes.Attribute)]
    if not views:
        return
    mixed = _out_of_order(source)
    for scope in dict.fromkeys(function_of(view) for view in views):
        _visit_callers(source, scope, mixed)
    for view in views:
        scope = function_of(view)
        if scope in mixed or source.shapes.out_of_order(scope):
            cause = _refused(source, view)
            is_tried = _is_tried(view) or expects_failure(view)
            if cause is not None and cause not in CHANNELS_LAST and not is_tried:
                yield Finding(view, _message(view, cause))


def _out_of_order(source: Source) -> set[nodes.NodeNG]:
    """Return the functions, by names alone, where a tensor may be put out of order: there, or in what they call."""
    index = source.index
    found = {function_of(node) for name in TRANSPOSED for node in index.attributes.get(name, ())}
    found |= {function_of(part) for part in index.of(nodes.Subscript) if isinstance(part.slice, nodes.Tuple)}
    layers = [class_of(keyword) for keyword in index.of(nodes.Keyword) if keyword.arg == "batch_first"]
    members = [member for owner in layers if owner is not None for member in owner.body]
    found.update(member for member in members if isinstance(member, nodes.FunctionDef))
    named = {scope.name for scope in found if isinstance(scope, nodes.FunctionDef)}
    names = reaching(source.module, source.project, frozenset((*REORDERING, *named)))
    return found | {function_of(call) for name in sorted(names) for call in index.calls.get(name, ())}


def _visit_callers(source: Source, scope: nodes.NodeNG, mixed: Collection[nodes.NodeNG]) -> None:
    """Let the value pass see what the callers in view that are among *mixed* hand over to *scope*."""
    if not isinstance(scope, nodes.FunctionDef):
        return
    if any(function_of(call) in mixed for call in source.index.calls.get(scope.name, ())):
        for call in source.names.call_sites(scope):
            if function_of(call) in mixed:
                source.shapes.of(function_of(call))


def _refused(source: Source, view: nodes.Call) -> str | None:
    """Return what makes torch refuse *view*, None if nothing is known to.

    Arguments that a caller in view hands over out of order decide; else parameters are taken to be in order.
    """
    scope = function_of(view)
    done = source.shapes.of(scope)
    if done is None:
        return None
    refused, cause = done.views.get(view, (None, ""))
    for special in source.shapes.out_of_order(scope):
        refused, cause = special.views.get(view, (None, ""))
        if refused:
            break
    return cause if refused else None


def _is_tried(view: nodes.Call) -> bool:
    """Return whether the program is ready for torch's refusal."""
    below: nodes.NodeNG = view
    for parent in ancestors(view):
        if isinstance(parent, nodes.Try) and below in parent.body:
            if any(_catches(handler) for handler in parent.handlers):
                return True
        below = parent
    return False


def _catches(handler: nodes.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, nodes.Tuple) else [handler.type]
    return any(kind is None or last_name(kind) in ("RuntimeError", "Exception", "BaseException") for kind in caught)


def _message(view: nodes.Call, cause: str) -> str:
    text = view.func.expr.as_string()
    tensor = f"'{text}'" if len(text) <= LONGEST_NAME and "\n" not in text else "its tensor"
    after = f" after {WORDING.get(cause, repr(cause))}" if cause else ""
    instead = "reshape_as" if view.func.attrname == "view_as" else "reshape"
    return f"'{view.func.attrname}' raises: {tensor} is not contiguous{after}; use '{instead}'"
