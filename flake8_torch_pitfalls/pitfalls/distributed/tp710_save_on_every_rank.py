"""Every rank of a distributed program writes the same checkpoint file.

## What happens
The processes open one path at the same time. Each truncates what the others have written so far, and their writes
mix: the file may be broken, or be read while another rank still writes it. Where it survives, the work was done as
many times as there are ranks.

## What to write

    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)
    dist.barrier()  # before another rank reads it

`torch.distributed.checkpoint` is made to be called on every rank.

## Silent
- A test on the rank around the call or around its callers, an early return of the other ranks, a decorator such as
  `rank_zero_only`, and any test whose words speak of ranks, processes, devices or being distributed.
- A path with the rank, the device, the process, the host or the time in it; temporary files and buffers.
- Groups of one process, and files without `init_process_group` or `DistributedDataParallel` on the way to the call.

## Known limits
A function that nothing in view calls counts only if it, or a method of its class, joins the group or wraps the
model itself.

## Sources
- "Getting Started with Distributed Data Parallel", PyTorch tutorials: "Save and Load Checkpoints".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.ranks import guards
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    argument,
    block_of,
    class_of,
    dotted,
    function_of,
    text_of,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Function
from flake8_torch_pitfalls.finding import Finding

WORDS = {"init_process_group", "DistributedDataParallel", "DDP", "distributed"}

SAVE = "torch.save"
INIT = "torch.distributed.init_process_group"
DDP = "torch.nn.parallel.DistributedDataParallel"
_ABOUT_RANKS = re.compile(
    r"rank|master|main|chief|primary|leader|coordinator|distribut|ddp|world|proc|node|gpu|local|device|should_save"
    r"|dist\b",
    re.IGNORECASE,
)
_OWN_PATH = re.compile(
    r"rank|gpu|local|proc|pid|device|worker|node|host|uuid|te?mp|time|date|buf|BytesIO|master|main", re.IGNORECASE
)
_DEEPEST = 4


def check(source: Source) -> Iterator[Finding]:
    """Yield the ``torch.save`` that every process of a distributed program runs on one path."""
    for save in torch_calls(source, SAVE):
        path = save.given.get("f")
        if path is None or save.is_open or save.is_partial:
            continue
        if _is_reached_by_all(source, save.node, ()) and not _OWN_PATH.search(_spelled_out(source, path)):
            yield Finding(save.node, _message(save, path))


def _message(save: TorchCall, path: nodes.NodeNG) -> str:
    what = save.node.func.as_string()
    return f"'{what}' writes '{text_of(path)}' on every rank at once; save under 'if dist.get_rank() == 0'"


def _is_reached_by_all(source: Source, node: nodes.NodeNG, inner: tuple[nodes.NodeNG, ...]) -> bool:
    """Return whether every rank comes to *node* on some way from code that makes the program distributed.

    *inner* is the functions from the call of that code down to the save.
    """
    function = function_of(node)
    if function in inner or len(inner) > _DEEPEST or _is_guarded(source, node):
        return False
    if any(_is_distributed(source, scope) for scope in _related(source, function)):
        return not isinstance(function, nodes.FunctionDef) or _has_free_caller(source, function)
    if not isinstance(function, nodes.FunctionDef):
        return False
    return any(
        _is_reached_by_all(source, call, (*inner, function))
        for call in source.names.call_sites(function)
        if call.root() is source.module
    )


def _has_free_caller(source: Source, function: nodes.FunctionDef) -> bool:
    """Return whether *function* has no caller in view, or one that no test on the rank stands around."""
    calls = source.names.call_sites(function)
    return not calls or any(not _is_guarded(source, call) for call in calls)


def _related(source: Source, function: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield *function*, and the other methods of its class and of the bases that are in view."""
    yield function
    owner = class_of(function) if isinstance(function, nodes.FunctionDef) else None
    for cls in source.names.mro(owner) if owner is not None else ():
        if isinstance(cls, nodes.ClassDef):
            yield from (method for method in cls.mymethods() if method is not function)


def _is_distributed(source: Source, function: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *function*, or a function it calls, joins a group of processes or wraps a model for one."""
    for call in source.names.index_of(function).calls_in.get(function, ()):
        symbol = source.names.symbol(call.func)
        if symbol == DDP or symbol == INIT and not _is_of_one(source, call):
            return True
        if depth < 2 and isinstance(function, (nodes.FunctionDef, nodes.Module)):
            for value in source.names.values(call.func):
                if isinstance(value, Function) and value.node is not function:
                    if _is_distributed(source, value.node, depth + 1):
                        return True
    return False


def _is_of_one(source: Source, call: nodes.Call) -> bool:
    size = argument(call, 3, "world_size")
    return size is not None and 1 in (constants(source.names, size) or ())


# -- tests on the rank -----------------------------------------------------------------------------


def _is_guarded(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether a test in the function of *node* may keep other ranks away from it."""
    if any(guards(source, node)):
        return True
    return any(_may_tell_ranks(source, test) for test in _tests(node))


def _tests(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the tests that decide, in its function, whether *node* runs."""
    below = node
    for above in ancestors(node):
        if isinstance(above, FUNCTIONS):
            yield from above.decorators.nodes if getattr(above, "decorators", None) is not None else ()
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test and not _is_main_block(above):
            yield above.test
        if isinstance(above, nodes.BoolOp):
            yield above
        block = block_of(below)
        for earlier in block[: block.index(below)] if block else ():
            if isinstance(earlier, nodes.If) and isinstance(
                earlier.body[-1], (nodes.Return, nodes.Continue, nodes.Break)
            ):
                yield earlier.test
        if isinstance(above, FUNCTIONS):
            return
        below = above


def _is_main_block(branch: nodes.NodeNG) -> bool:
    return "__name__" in branch.test.as_string()


def _may_tell_ranks(source: Source, test: nodes.NodeNG) -> bool:
    """Return whether *test* speaks of ranks, or is a bare flag that a caller may have set by rank."""
    parts = [test]
    while parts:
        part = parts.pop()
        if isinstance(part, nodes.BoolOp):
            parts += part.values
        elif isinstance(part, nodes.Name):
            definitions = scopes.definitions(part, part.name)
            if any(isinstance(found.parent, nodes.Arguments) for found in definitions):
                return True
            if any(_ABOUT_RANKS.search(found.statement().as_string()) for found in definitions):
                return True
        elif isinstance(part, nodes.Attribute):  # args.save_logs = args.logs and is_master(args)
            stores = source.index.stores.get(part.attrname, ())
            if any(_ABOUT_RANKS.search(found.statement().as_string()) for found in stores):
                return True
    return _ABOUT_RANKS.search(test.as_string()) is not None


# -- paths -----------------------------------------------------------------------------------------


def _spelled_out(source: Source, path: nodes.NodeNG) -> str:
    """Return the text of *path* and of what the variables and attributes in it are set from."""
    texts = []
    seen: set[nodes.NodeNG] = set()
    waiting = [(path, 0)]
    while waiting:
        node, depth = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        texts.append(node.as_string())
        if depth < _DEEPEST:
            waiting += [(each, depth + 1) for part in walk(node) for each in _sources_of(source, part)]
    return "\n".join(texts)


def _sources_of(source: Source, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions from which *node*, a variable, call or attribute of ``self``, gets its value."""
    if isinstance(node, nodes.Name):
        for found in scopes.definitions(node, node.name):
            match found.parent:
                case nodes.Assign() | nodes.AnnAssign() | nodes.AugAssign():
                    if found.parent.value is not None:
                        yield found.parent.value
                case nodes.With():
                    yield from (context for context, _ in found.parent.items)
                case nodes.Arguments():
                    for call in source.names.call_sites(found.parent.parent):
                        yield from call.args
                        yield from (keyword.value for keyword in call.keywords or ())
    elif isinstance(node, nodes.Call):
        for function in source.names.callee(node):
            for statement in source.names.index_of(function.node).returns.get(function.node, ()):
                if statement.value is not None:
                    yield statement.value
    elif isinstance(node, nodes.Attribute) and dotted(node) == f"self.{node.attrname}":
        for store in source.index.stores.get(node.attrname, ()):
            if isinstance(store.parent, nodes.Assign):
                yield store.parent.value
