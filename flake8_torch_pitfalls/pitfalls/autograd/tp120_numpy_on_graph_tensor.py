"""A tensor that requires grad, or that is on an accelerator, cannot become a NumPy array: `numpy()` raises.

## What happens
A NumPy array shares the memory of its tensor and knows nothing of graphs and devices. So `y.numpy()`,
`np.asarray(y)` and `np.array(y)` raise "Can't call numpy() on Tensor that requires grad. Use
tensor.detach().numpy() instead" where a graph was recorded, and "can't convert cuda:0 device type tensor to numpy" on
a GPU. The two are apart: `y.cpu().numpy()` still raises for a tensor with a graph, `y.detach().numpy()` for one on a
GPU. Where the device is chosen when the program runs, only those who have a GPU see the error.

## What to write
`y.detach().cpu().numpy()`, or compute `y` under `torch.no_grad()` and write `y.cpu().numpy()`.

## Silent
- `.detach()` or `.data` before it, and tensors computed under `no_grad` or `inference_mode`, as for the graph.
- `.cpu()` or `.to("cpu")` before it, as for the device.
- Files that switch the gradients of some parameters off, as for the graph: the tensor may come from these.
- Labels, inputs and predicted classes, which carry no graph.
- `numpy(force=True)`, which does all of it.

## Known limits
Tensors whose graph or device depends on the path are not reported. Arrays made of lists of tensors are not seen.

## Sources
- `torch.Tensor.numpy` in PyTorch's documentation. The errors for CUDA are from there; they need a GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis.cuts import Cuts, freezes
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, class_of, dotted, function_of, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"numpy", "asarray"}

_ARRAYS = ("array", "asarray")


def check(source: Source) -> Iterator[Finding]:
    """Yield the tensors that become arrays though they carry a graph or are on an accelerator."""
    cuts, may_be_frozen = Cuts(source), freezes(source.index)
    for call, tensor in _conversions(source):
        if _may_raise(tensor) and isinstance(fact := source.tensors.at(tensor), Tensor):
            message = _message(fact, tensor, bool(fact.graph) and not may_be_frozen and cuts.of(tensor).graph is True)
            if message is not None and not expects_failure(call) and not _is_for_others(source, call):
                yield Finding(call, message)


def _is_for_others(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* is in a method of a module that only other files call, perhaps without recording."""
    function = function_of(call)
    owner = class_of(function) if isinstance(function, nodes.FunctionDef) else None
    if owner is None or source.names.derives(owner, "torch.nn.Module") is False:
        return False
    return not source.names.call_sites(function)


def _conversions(source: Source) -> Iterator[tuple[nodes.Call, nodes.NodeNG]]:
    """Yield each call that makes an array, with the expression of what it is made of."""
    for call in source.index.calls.get("numpy", ()):
        if isinstance(call.func, nodes.Attribute) and not call.args and argument(call, None, "force") is None:
            yield call, call.func.expr
    for name in _ARRAYS:
        for call in source.index.calls.get(name, ()):
            given = call.args[0] if call.args else None
            if isinstance(given, (nodes.Name, nodes.Attribute, nodes.Call, nodes.BinOp, nodes.Subscript)):
                if _may_raise(given) and source.names.symbol(call.func) == f"numpy.{name}":
                    yield call, given


def _may_raise(node: nodes.NodeNG) -> bool:
    """Return whether the last thing done to *node* leaves both graph and device open; a test without inference."""
    return not ({"detach", "data"} & _done_to(node) and "cpu" in _done_to(node)) and not isinstance(node, nodes.Const)


def _done_to(node: nodes.NodeNG) -> set[str]:
    """Return the names in the chain of attributes and calls that *node* ends in."""
    found: set[str] = set()
    while isinstance(node, (nodes.Call, nodes.Attribute)):
        node = node.func if isinstance(node, nodes.Call) else node
        found.add(last_name(node) or "")
        node = getattr(node, "expr", None)
    return found


def _message(fact: Tensor, tensor: nodes.NodeNG, has_graph: bool) -> str | None:
    """Return what is wrong with making an array of *tensor*, None if nothing is known to be."""
    text = dotted(tensor)
    name = f"'{text}'" if text is not None else "the tensor"
    is_elsewhere = fact.device not in (None, devices.CPU, devices.FOLLOWED)
    if has_graph:
        fix = ".detach().cpu()" if is_elsewhere else ".detach()"
        return f"{name} carries a graph, so making an array of it raises; call '{fix}' on it first"
    if is_elsewhere:
        where = "may be" if fact.device == devices.CHOSEN else "is"
        return f"{name} {where} on an accelerator, where making an array raises; call '.cpu()' on it first"
    return None
