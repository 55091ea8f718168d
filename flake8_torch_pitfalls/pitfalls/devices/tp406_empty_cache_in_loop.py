"""The allocator's cache is emptied for every batch, and each batch pays to allocate its memory again.

## What happens
PyTorch keeps the memory of freed tensors and gives it to the next ones at once. `torch.cuda.empty_cache()` waits for
the device and hands unused blocks back to the driver. Called for every batch, or in `forward`, it makes each batch
ask the driver for the same memory again, which is slow and stops the device. It leaves PyTorch no more memory: what
still has a reference stays allocated, and what has none was free for the next batch anyway.

## What to write
Nothing. If memory grows from batch to batch, something keeps a reference: a loss with its graph, a list of outputs.
Against fragmentation, set `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`. To hand memory to another phase or
another process, empty the cache once, between the phases.

## Silent
- Between phases: outside loops, once per epoch, once for each model of a comparison.
- Under `except`, after running out of memory, and under a condition of the program's own, such as every 100 batches.
- Loops that measure memory: `reset_peak_memory_stats`, `max_memory_allocated`, `memory_reserved`.
- Loops that are not known to go through batches.

## Known limits
A loop goes through batches if it steps backward, goes through a `DataLoader` or something used and named like one,
counts by a batch size, or hands what it gives to one module that lives longer than the loop. A helper in another
file that empties the cache is not seen.

## Sources
- "CUDA semantics", "Memory management", in PyTorch's documentation: `empty_cache` does not increase the amount of
  GPU memory available for PyTorch.
- "Frequently Asked Questions" there: "My GPU memory isn't freed properly".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import SEQUENCES
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    block_of,
    class_of,
    dotted,
    function_of,
    last_name,
    loops_around,
    text_of,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"empty_cache"}

EMPTIES = ("torch.cuda.empty_cache", "torch.mps.empty_cache", "torch.xpu.empty_cache", "torch.npu.empty_cache",
           "torch.accelerator.empty_cache", "torch.accelerator.memory.empty_cache",
           "torch.cuda.memory.empty_cache")  # fmt: skip
MEASURES = ("reset_peak_memory_stats", "max_memory_allocated", "max_memory_reserved", "memory_reserved",
            "memory_allocated", "reset_max_memory_allocated", "mem_get_info", "elapsed_time")  # fmt: skip
PASSES_ON = SEQUENCES | {"enumerate", "zip"}
_ASKS_FOR_DEVICE = re.compile(r"cuda|gpu|device|mps|xpu|accelerator", re.IGNORECASE)
_NAMES_LOADER = re.compile(r"loader$|_dl$|batches$", re.IGNORECASE)
_WORKS = ("backward", "no_grad", "inference_mode")
_STEPS = ("forward", "training_step", "validation_step", "test_step", "predict_step")
"""Methods of modules that run for every batch."""
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Report calls of ``empty_cache`` that run for every batch."""
    for call in torch_calls(source, *EMPTIES):
        if not call.is_partial and not _measures(source, call.node):
            for place, when in _repeated(source, call.node, False):
                what = f"'{text_of(place.func)}()' {when}"
                yield Finding(place, f"{what} slows down and frees no memory that PyTorch could not use; remove it")


def _measures(source: Source, call: nodes.Call) -> bool:
    """Return whether the function of *call* looks at how much memory is in use."""
    function = function_of(call)
    return any(function_of(other) is function for name in MEASURES for other in source.index.calls.get(name, ()))


def _repeated(source: Source, call: nodes.Call, acts: bool, depth: int = 0) -> Iterator[tuple[nodes.Call, str]]:
    """Yield *call*, or the calls of the helper that it stands in, that run for every batch, and when.

    *acts* says that what *call* is part of steps backward.
    """
    function = function_of(call)
    loop = next(iter(loops_around(call)), None)
    if isinstance(function, nodes.FunctionDef) and _is_forward(source, function):
        if not _is_conditional(call, function):
            yield call, f"in '{function.name}'"
    elif _is_conditional(call, loop or function):
        return
    elif loop is not None:
        acts = acts or _steps_backward(source, function, loop)
        if (acts or _goes_through_batches(source, loop)) and not _makes_module(source, loop):
            yield call, "for every batch"
    elif isinstance(function, nodes.FunctionDef) and depth < _DEEPEST:
        acts = acts or _steps_backward(source, function, None)
        sites = [site for site in source.names.call_sites(function) if function_of(site) is not function]
        found = [each for site in sites for each in _repeated(source, site, acts, depth + 1)]
        if found and not _only_cleans(function):
            yield call, found[0][1]
        else:
            yield from found


def _only_cleans(function: nodes.FunctionDef) -> bool:
    """Return whether *function* is a helper that only calls this and that, and computes nothing."""
    return all(isinstance(one, (nodes.Expr, nodes.If, nodes.Import, nodes.Delete)) for one in function.body)


def _is_conditional(place: nodes.NodeNG, top: nodes.NodeNG) -> bool:
    """Return whether *place* runs only now and then when *top*, a loop or function around it, does."""
    below = place
    for above in ancestors(place):
        if above is top or isinstance(above, nodes.ExceptHandler):
            break
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test:
            if not _asks_for_device(above.test) and not _does_the_work(above):
                return True
        below = above
    block = block_of(place.statement())
    after = block[block.index(place.statement()) + 1 :] if block else []
    return isinstance(above, nodes.ExceptHandler) or any(isinstance(one, (nodes.Break, nodes.Raise)) for one in after)


def _asks_for_device(test: nodes.NodeNG) -> bool:
    """Return whether *test* asks for nothing but what the machine has."""
    asked = test.values if isinstance(test, nodes.BoolOp) else [test]
    return all(_ASKS_FOR_DEVICE.search(each.as_string()) for each in asked)


def _does_the_work(branch: nodes.If | nodes.IfExp) -> bool:
    """Return whether *branch* is where a batch is worked on: ``if phase == "train": … loss.backward()``."""
    return any(isinstance(node, nodes.Call) and last_name(node.func) in _WORKS for node in walk(branch))


def _is_forward(source: Source, function: nodes.FunctionDef) -> bool:
    owner = class_of(function)
    if owner is None or function.parent is not owner or function.name not in _STEPS:
        return False
    return source.names.derives(owner, "torch.nn.Module") is True


def _steps_backward(source: Source, function: nodes.NodeNG, loop: nodes.NodeNG | None) -> bool:
    """Return whether *function* steps backward in just *loop*, or outside its loops."""
    return any(
        function_of(call) is function and next(iter(loops_around(call)), None) is loop
        for call in source.index.calls.get("backward", ())
    )


def _makes_module(source: Source, loop: nodes.NodeNG) -> bool:
    """Return whether each round of *loop* makes a module of its own, so that a round is a phase."""
    made = {node.name for node in walk(loop) if isinstance(node, nodes.AssignName)}
    return any(
        isinstance(node, nodes.Name) and node.name in made and source.kinds.of(node, "module") is True
        for node in walk(loop)
    )


# -- loops over batches ----------------------------------------------------------------------------


def _goes_through_batches(source: Source, loop: nodes.NodeNG) -> bool:
    if _draws_batches(source, loop):
        return True
    if not isinstance(loop, nodes.For):
        return False
    iterated = _iterated(source, loop.iter)
    if source.kinds.inferred(iterated, "loader"):
        return True
    bound = {name.name for name in loop.target.nodes_of_class(nodes.AssignName)}
    calls = [call for call in source.index.within(loop, nodes.Call) if next(iter(loops_around(call)), None) is loop]
    if _NAMES_LOADER.search(last_name(iterated) or "") or _goes_by_batch_size(iterated):
        return any(_is_about(call, _derived(loop, bound)) for call in calls)
    return any(_runs_module(source, call, loop, bound) for call in calls)


def _draws_batches(source: Source, loop: nodes.For | nodes.While) -> bool:
    """Return whether each round of *loop* takes the next of something and runs a module on it: ``x = next(it)``."""
    for call in source.index.calls.get("next", ()):
        statement = call.statement()
        if isinstance(statement, nodes.Assign) and next(iter(loops_around(call)), None) is loop:
            bound = {name.name for name in statement.nodes_of_class(nodes.AssignName)}
            if any(_runs_module(source, other, loop, bound) for other in source.index.within(loop, nodes.Call)):
                return True
    return False


def _iterated(source: Source, node: nodes.NodeNG) -> nodes.NodeNG:
    """Return what *node* goes through in the end: ``loader`` of ``enumerate(tqdm(loader))``."""
    while isinstance(node, nodes.Call) and node.args and source.names.symbol(node.func) in PASSES_ON:
        node = node.args[0]
    return node


def _goes_by_batch_size(node: nodes.NodeNG) -> bool:
    """Return whether *node* counts in batches: ``range(0, len(xs), batch_size)``."""
    match node:
        case nodes.Call(func=nodes.Name(name="range"), args=[_, _, step]):
            return "batch" in (last_name(step) or "").lower()
    return False


def _is_about(call: nodes.Call, variables: set[str]) -> bool:
    """Return whether *call* takes one of *variables*, or is a method of one."""
    given = [call.func, *call.args, *(keyword.value for keyword in call.keywords or ())]
    return any(isinstance(node, nodes.Name) and node.name in variables for one in given for node in walk(one))


def _runs_module(source: Source, call: nodes.Call, loop: nodes.For | nodes.While, bound: set[str]) -> bool:
    """Return whether *call* runs a module that lives longer than *loop* on what *loop* goes through."""
    if not call.args or dotted(call.func) is None or not _is_about(call, _derived(loop, bound)):
        return False
    return source.kinds.of(call.func, "module") is True


def _derived(loop: nodes.For | nodes.While, bound: set[str]) -> set[str]:
    """Return *bound* and the variables that *loop* computes from them."""
    found = set(bound)
    for statement in loop.body:
        for node in walk(statement):
            if isinstance(node, nodes.Assign):
                read = {name.name for name in walk(node.value) if isinstance(name, nodes.Name)}
                if not read.isdisjoint(found):
                    found.update(name.name for name in walk(node) if isinstance(name, nodes.AssignName))
    return found
