"""The optimizer is made before FSDP puts other parameters into the module.

## What happens
`FullyShardedDataParallel`, `fully_shard` and `parallelize_module` replace the parameters of a module by their shards,
and `to()` an XLA device makes new ones. An optimizer made before that holds the old parameters, which nothing computes
with any more. They never get a gradient, so `step()` changes nothing: the model does not learn, and no error is raised.

## What to write
Wrap first, then make the optimizer:
```python
model = FSDP(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
```

## Silent
- The optimizer is made, or made anew, after the wrapping.
- `DistributedDataParallel` and `DataParallel`, which keep the parameters, and moves to CPU and CUDA.
- FSDP with `use_orig_params=True`, which keeps the parameters as views of its shards.
- An optimizer that takes no step after the wrapping.

## Known limits
An optimizer whose steps are out of view is left alone; the file must name an optimizer of torch's. What happens on an
XLA device is taken from PyTorch/XLA's documentation.

## Sources
- `FullyShardedDataParallel` and `fully_shard` in PyTorch's documentation: "The optimizer must be initialized after the
  module has been wrapped".
- "Moving tensors to XLA devices", PyTorch/XLA's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import parameters
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.renewals import Renewals
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, is_open, last_name, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = parameters.OPTIMIZERS

SHARDING = frozenset(
    ("FullyShardedDataParallel", "XlaFullyShardedDataParallel", "fully_shard", "parallelize_module")
)
CALLED = SHARDING | {"FSDP", "XlaFSDP", "XLAFSDP", "to"}
"""How programs call them."""
OWNERS = ("torch.distributed.", "torch_xla.", "fairscale.")
XLA_DEVICES = ("torch_xla.core.xla_model.xla_device", "torch_xla.device")


def check(source: Source) -> Iterator[Finding]:
    """Yield what gives a module other parameters after an optimizer was made over the old ones."""
    leading = reaching(source.module, source.project, CALLED - {"to"}) | {"xla_device"}
    if source.index.calls.keys().isdisjoint(leading):
        return
    reported: set[nodes.NodeNG] = set()
    renewals = Renewals(
        source,
        lambda scope, wanted: _candidates(source, scope),
        lambda making, change: _replaces(source, change.cause),
    )
    for making, change in renewals.left_behind():
        if reported.isdisjoint((making.call, change.node)):
            reported.update((making.call, change.node))
            yield Finding(change.node, _message(change.cause, text_of(making.call.func)))


def _message(cause: nodes.NodeNG, optimizer: str) -> str:
    by = text_of(cause.func)
    return f"'{by}' replaces the parameters that '{optimizer}' was given before; make the optimizer after it"


def _candidates(source: Source, scope: nodes.NodeNG) -> Iterator[tuple[nodes.Call, nodes.NodeNG]]:
    """Yield the calls in *scope* that may replace the parameters of a module, and the module."""
    for call in source.names.index_of(scope).calls_in.get(scope, ()):
        name = last_name(call.func)
        if name in CALLED:
            module = call.func.expr if name == "to" and isinstance(call.func, nodes.Attribute) else None
            module = argument(call, 0, "module") if name != "to" else module
            if module is not None:
                yield call, module


def _replaces(source: Source, call: nodes.NodeNG) -> bool:
    """Return whether *call* surely puts other parameters in the place of the module's."""
    assert isinstance(call, nodes.Call)
    if last_name(call.func) == "to":
        return _is_xla(source, argument(call, 0, "device"))
    symbol = source.names.symbol(call.func) or ""
    if symbol.rpartition(".")[2] not in SHARDING or not symbol.startswith(OWNERS) or is_open(call):
        return False
    keeps = argument(call, None, "use_orig_params")
    return keeps is None or constant(keeps) is False


def _is_xla(source: Source, device: nodes.NodeNG | None) -> bool:
    """Return whether *device* is what PyTorch/XLA gives as its device."""
    match device:
        case nodes.Name():
            made = [value for one in definitions(device, device.name) for value in given_to(one)]
            return bool(made) and all(isinstance(call, nodes.Call) and _is_xla(source, call) for call in made)
        case nodes.Call():
            return source.names.symbol(device.func) in XLA_DEVICES
    return constant(device) == "xla"
