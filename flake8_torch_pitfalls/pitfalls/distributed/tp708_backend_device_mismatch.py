"""The nccl backend moves tensors between GPUs only: without a GPU, or for a tensor on the CPU, it raises.

## What happens
A collective on a CPU tensor in a group of `nccl` alone raises "No backend type associated with device type cpu". And
where there is no GPU, `init_process_group("nccl")` raises "ProcessGroupNCCL is only supported with GPUs, no GPUs
found!": a device that falls back to the CPU is of no use behind it.

## What to write

    total = torch.tensor([correct, count], device=device)  # the GPU of this rank
    dist.all_reduce(total)

A program that also runs without GPUs chooses both together:

    device, backend = ("cuda", "nccl") if torch.cuda.is_available() else ("cpu", "gloo")
    dist.init_process_group(backend)

A group for tensors of both devices is `init_process_group("cpu:gloo,cuda:nccl")`, which is also what
`init_process_group()` makes where nothing is said.

## Silent
- `cpu:gloo,cuda:nccl`, no backend at all, and backends that the text does not decide.
- Tensors whose device is not known, and files that set the default device.
- Collectives of a group of their own, and those for objects, which nccl moves over the GPU by itself.
- A device that is chosen at run time where the group is made under a test, or the program asks for GPUs before.

## Known limits
nccl needs GPUs of NVIDIA, so that its errors were not run here but are those of PyTorch's source. That gloo takes
tensors on the CPU was run.

## Sources
- "Distributed communication package", PyTorch's documentation: "Backends".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.ranks import guards
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors, block_of, function_of, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"nccl", "NCCL"}

INIT = "torch.distributed.init_process_group"
NCCL = "nccl"
_TENSORS = {
    "all_reduce": ("tensor",), "broadcast": ("tensor",), "reduce": ("tensor",), "send": ("tensor",),
    "recv": ("tensor",), "isend": ("tensor",), "irecv": ("tensor",), "all_gather": ("tensor",),
    "gather": ("tensor",), "scatter": ("tensor",), "all_gather_into_tensor": ("output_tensor", "input_tensor"),
    "reduce_scatter": ("output",), "reduce_scatter_tensor": ("output", "input"),
    "all_to_all_single": ("output", "input"),
}  # fmt: skip
"""The collectives that move tensors, and the parameters that take one."""
_DEFAULT_DEVICE = frozenset(("set_default_device", "set_default_tensor_type"))
_ASKS_FOR_DEVICES = frozenset(("device_count", "is_nccl_available"))
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Yield the CPU tensors in collectives of nccl, and nccl beside a device that falls back to the CPU."""
    made = [call for call in torch_calls(source, INIT) if not call.is_open and not call.is_partial]
    if not made or not all(_is_nccl(source, call) for call in made):
        return
    yield from _cpu_tensors(source)
    fallback = _fallback(source)
    for call in made if fallback is not None else ():
        if _is_run_always(source, call.node):
            yield Finding(
                call.place_of("backend"),
                f"nccl raises without a GPU, where '{fallback}' falls back to the CPU; choose 'gloo' there",
            )


def _is_nccl(source: Source, call: TorchCall) -> bool:
    backend = call.given.get("backend")
    return backend is not None and {str(name).lower() for name in constants(source.names, backend) or ()} == {NCCL}


# -- tensors -----------------------------------------------------------------------------------------


def _cpu_tensors(source: Source) -> Iterator[Finding]:
    if not _DEFAULT_DEVICE.isdisjoint(source.index.calls):
        return
    for call in torch_calls(source, *(f"torch.distributed.{name}" for name in _TENSORS)):
        if call.given.get("group") is not None or call.is_open or expects_failure(call.node):
            continue
        for parameter in _TENSORS[call.symbol.rpartition(".")[2]]:
            tensor = call.given.get(parameter)
            fact = source.tensors.at(tensor) if tensor is not None else None
            if tensor is not None and isinstance(fact, Tensor) and fact.device == devices.CPU:
                yield Finding(
                    call.node, f"'{text_of(tensor)}' is on the CPU, where nccl moves nothing; move it to the GPU first"
                )


# -- machines without a GPU ----------------------------------------------------------------------------


def _fallback(source: Source) -> str | None:
    """Return the name of the device that is the CPU where there is no GPU, if the file always chooses one so."""
    if not _ASKS_FOR_DEVICES.isdisjoint(source.index.calls) or _demands_gpu(source):
        return None
    for choice in source.index.of(nodes.IfExp):
        if not _asks_for_gpu(source, choice.test) or devices.named(source.names, choice) is None:
            continue
        assign = choice.statement()
        if _is_run_always(source, choice) and isinstance(assign, nodes.Assign):
            return str(assign.targets[0].as_string())
    return None


def _asks_for_gpu(source: Source, test: nodes.NodeNG) -> bool:
    return isinstance(test, nodes.Call) and source.names.symbol(test.func) == "torch.cuda.is_available"


def _demands_gpu(source: Source) -> bool:
    """Return whether a statement of the program depends on there being a GPU: it may end without one."""
    return any("is_available" in node.test.as_string() for node in source.index.of(nodes.Assert, nodes.If))


def _is_run_always(source: Source, node: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether no test decides whether *node* runs, in its function and in those that call it."""
    function = function_of(node)
    if any(_is_test(above) for above in _within(node, function)) or any(guards(source, node)) or _may_be_left(node):
        return False
    if not isinstance(function, nodes.FunctionDef):
        return isinstance(function, nodes.Module)
    callers = source.names.call_sites(function) if depth < _DEEPEST else []
    return all(_is_run_always(source, call, depth + 1) for call in callers)


def _within(node: nodes.NodeNG, function: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    for above in ancestors(node):
        if above is function or isinstance(above, FUNCTIONS):
            return
        yield above


def _is_test(node: nodes.NodeNG) -> bool:
    match node:
        case nodes.If(test=test):
            return "__name__" not in test.as_string() and "is_initialized" not in test.as_string()
        case nodes.IfExp() | nodes.Try() | nodes.Match() | nodes.While():
            return True
    return False


def _may_be_left(node: nodes.NodeNG) -> bool:
    """Return whether the function may return before *node*."""
    statement = node.statement()
    block = block_of(statement)
    return any(
        isinstance(earlier, nodes.If) and isinstance(earlier.body[-1], (nodes.Return, nodes.Raise))
        for earlier in block[: block.index(statement)]
    )
