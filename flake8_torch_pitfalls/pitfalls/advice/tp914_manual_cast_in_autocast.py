"""A tensor or module is cast to half precision by hand where autocast casts by itself.

## What happens
Autocast picks the dtype of each operation: matrix products and convolutions run in half precision, reductions and
losses in float32. A `.half()` in its region is needless for the former; for the latter it throws away digits that
autocast would have kept. A module whose weights are cast by hand loses its float32 weights altogether, and a
`GradScaler` refuses its gradients: "Attempting to unscale FP16 gradients".

## What to write
```python
with torch.autocast("cuda", dtype=torch.float16):
    output = model(images)
```

## Silent
- Casts up to float32, and casts under `autocast(enabled=False)`, or under a switch that the program decides.
- Casts of results that leave the region: returned, stored, moved on.
- Casts outside the region, of a module for pure half-precision inference.

## Known limits
A cast counts where its result is handed to a module or a function of torch in the same region, at once or by its name.

## Sources
- "Automatic Mixed Precision package" in PyTorch's documentation: "you should not call `half()` or `bfloat16()` on your
  model(s) or inputs when using autocasting".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.autocasts import SYMBOLS, autocasts, is_on, region_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, function_of, last_name, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"autocast"}

_CASTS = ("half", "bfloat16", "to", "type")
_DTYPES = frozenset(("torch.float16", "torch.half", "torch.bfloat16"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the casts to half precision inside an autocast region, whose results run on in it."""
    regions = {region_of(call.node) for call in autocasts(source) if is_on(source, call)} - {None}
    for name in _CASTS if regions else ():
        for call in source.index.calls.get(name, ()):
            if not isinstance(call.func, nodes.Attribute) or not _casts_down(source, call):
                continue
            region = _innermost(source, call)
            if region in regions and (_is_module(source, call.func.expr) or _runs_on(source, call, region)):
                yield Finding(
                    call, f"autocast casts by itself; drop '.{name}(…)' and pass '{text_of(call.func.expr)}' as it is"
                )


def _casts_down(source: Source, call: nodes.Call) -> bool:
    """Return whether *call*, by its name a cast, surely gives half precision."""
    if call.func.attrname in ("half", "bfloat16"):
        return not call.args and not call.keywords
    given = [*call.args, *(keyword.value for keyword in call.keywords or () if keyword.arg == "dtype")]
    return any(last_name(node) is not None and source.names.symbol(node) in _DTYPES for node in given)


def _innermost(source: Source, node: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the innermost region around *node* in its function, be autocast on in it or off."""
    frame = function_of(node)
    for above in ancestors(node):
        if isinstance(above, nodes.With) and any(_makes_autocast(source, context) for context, _ in above.items):
            return above
        if above is frame:
            break
    return frame


def _makes_autocast(source: Source, context: nodes.NodeNG) -> bool:
    return isinstance(context, nodes.Call) and source.names.symbol(context.func) in SYMBOLS


def _is_module(source: Source, node: nodes.NodeNG) -> bool:
    return source.kinds.of(node, "module") is True


def _runs_on(source: Source, call: nodes.Call, region: nodes.NodeNG) -> bool:
    """Return whether the result of *call* is handed to a module or function of torch in *region*."""
    if isinstance(call.parent, nodes.Call):
        return _computes(source, call.parent)
    if not isinstance(call.parent, nodes.Assign) or len(call.parent.targets) != 1:
        return False
    target = call.parent.targets[0]
    return isinstance(target, nodes.AssignName) and any(
        (read.lineno, read.col_offset) > (call.lineno, call.col_offset)
        and isinstance(read.parent, nodes.Call)
        and region.parent_of(read)
        and _computes(source, read.parent)
        for read in source.index.reads.get(target.name, ())
    )


def _computes(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* runs a module, or one of the functions for which autocast has a dtype in mind."""
    symbol = source.names.symbol(call.func) or ""
    if symbol.startswith("torch.nn.functional.") or symbol in ("torch.matmul", "torch.mm", "torch.bmm", "torch.einsum"):
        return True
    return last_name(call.func) is not None and _is_module(source, call.func)
