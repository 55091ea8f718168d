"""A CUDA stream, or an event that was not made for it, is handed to another process.

## What happens
A stream is a handle of one process and means nothing in another. PyTorch pickles tensors for other processes, but no
streams, and an event only through its inter-process handle, which the driver gives for events made with
`interprocess=True`. So the arguments of the process, or what is put into its queue, cannot be sent, or, after a fork,
where CUDA cannot be used at all, cannot be used.

## What to write
Make a stream in the process that uses it. To wait across processes, make the event with
`torch.cuda.Event(interprocess=True)` and send that or its `ipc_handle()`. Better, send tensors through a queue of
`torch.multiprocessing` and leave the order to it.

## Silent
- `torch.cuda.Event(interprocess=True)`, `event.ipc_handle()`.
- Threads and `queue.Queue`, which share the process.
- Queues and pools that are not known to be those of `multiprocessing`.

## Known limits
A stream that an object holds as an attribute is not seen when the object is sent.

## Sources
- `torch.cuda.Event` and `ipc_handle` in PyTorch's documentation, "Multiprocessing" there, and
  `torch/multiprocessing/reductions.py`. That a stream cannot be pickled was
  seen on the CPU; the rest needs a GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Stream", "Event", "ExternalStream", "current_stream", "default_stream"}

STREAMS = ("torch.cuda.Stream", "torch.cuda.ExternalStream", "torch.xpu.Stream", "torch.Stream")
EVENTS = ("torch.cuda.Event",)
_PACKAGES = ("multiprocessing.", "torch.multiprocessing.", "concurrent.futures.ProcessPoolExecutor")
_THREADS = ("multiprocessing.dummy.", "multiprocessing.pool.ThreadPool")
_MAKES = ("Process", "spawn", "start_processes")
"""Functions that are given what a new process starts with as ``args`` (or ``kwargs``)."""
_SENDS = ("put", "put_nowait", "send", "apply", "apply_async", "map", "map_async", "starmap", "starmap_async", "imap",
          "imap_unordered", "submit")  # fmt: skip
"""Methods of queues, pipes and pools that pickle their arguments."""


def check(source: Source) -> Iterator[Finding]:
    """Report streams and events that are sent to another process."""
    if WORDS.isdisjoint(source.index.calls):
        return
    for name in (*_MAKES, *_SENDS):
        for call in source.index.calls.get(name, ()):
            for sent in _sent(call):
                if (what := _of_one_process(source, sent)) and _reaches_process(source, call):
                    yield Finding(call, f"{what} '{text_of(sent)}' means nothing in another process; {_INSTEAD[what]}")


_INSTEAD = {"the stream": "make it there", "the event": "make it with interprocess=True"}


def _sent(call: nodes.Call) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that *call* hands on, those in displays one by one."""
    waiting = [*call.args, *(keyword.value for keyword in call.keywords or ())]
    while waiting:
        node = waiting.pop(0)
        match node:
            case nodes.Tuple() | nodes.List():
                waiting[:0] = node.elts
            case nodes.Dict():
                waiting[:0] = [value for _, value in node.items]
            case nodes.Name() | nodes.Attribute() | nodes.Call():
                yield node


def _of_one_process(source: Source, node: nodes.NodeNG) -> str | None:
    """Return what *node* is if it is surely a stream or an event of just this process."""
    found = source.names.known(node)
    if found and all(source.names.is_a(value, *STREAMS) for value in found):
        return "the stream"
    if found and all(source.names.is_a(value, *EVENTS) and _is_private(value) for value in found):
        return "the event"
    return None


def _is_private(event: Value) -> bool:
    """Return whether *event* was surely made without ``interprocess=True``."""
    if not isinstance(event, Instance) or not isinstance(event.made_at, nodes.Call):
        return False
    asked = argument(event.made_at, 2, "interprocess")
    return (asked is None or constant(asked) is False) and all(keyword.arg for keyword in event.made_at.keywords or ())


def _reaches_process(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* starts a process, or belongs to a queue, pipe or pool between processes."""
    if last_name(call.func) in _MAKES:
        return _is_of_multiprocessing(source, call.func)
    owner = getattr(call.func, "expr", None)
    if not isinstance(owner, nodes.Name):
        return isinstance(owner, nodes.Attribute) and any(
            _is_made_by_multiprocessing(source, target) for target in source.index.stores.get(owner.attrname, ())
        )
    return any(_is_made_by_multiprocessing(source, target) for target in definitions(owner, owner.name))


def _is_made_by_multiprocessing(source: Source, target: nodes.NodeNG) -> bool:
    """Return whether *target* is set from a call of something in ``multiprocessing``, also by ``with … as``."""
    parent = target.parent
    while isinstance(parent, nodes.Tuple):
        parent = parent.parent
    match parent:
        case nodes.Assign(value=nodes.Call() as made):
            return _is_of_multiprocessing(source, made.func)
        case nodes.With(items=items):
            return any(isinstance(made, nodes.Call) and _is_of_multiprocessing(source, made.func) for made, _ in items)
    return False


def _is_of_multiprocessing(source: Source, func: nodes.NodeNG) -> bool:
    symbol = source.names.symbol(func) or ""
    if symbol.startswith(_PACKAGES):
        return not symbol.startswith(_THREADS)
    match func:  # context.Process, where context = multiprocessing.get_context("spawn")
        case nodes.Attribute(expr=nodes.Call(func=maker)):
            return last_name(maker) == "get_context"
        case nodes.Attribute(expr=nodes.Name(name=name) as context):
            made = [target.parent for target in definitions(context, name)]
            return bool(made) and all(
                isinstance(one, nodes.Assign)
                and isinstance(one.value, nodes.Call)
                and last_name(one.value.func) == "get_context"
                for one in made
            )
    return False
