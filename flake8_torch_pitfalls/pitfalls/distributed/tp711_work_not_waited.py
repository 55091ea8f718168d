"""A tensor that an asynchronous transfer has not finished with is read or written.

## What happens
`async_op=True`, `isend` and `irecv` start a transfer and return at once. Until the `wait()` of the object they
return, the tensor may hold the old values, the new ones, or some of each, and a tensor that is being sent must not be
changed: the other side receives whatever stands there when it is read. Nothing is raised. A barrier with
`async_op=True` that nobody waits for holds nobody up. If the returned object is dropped, nobody can wait.

## What to write

    work = dist.all_reduce(total, async_op=True)
    ...  # something that needs no total
    work.wait()
    print(total.item())

For several transfers, collect what they return and wait for each. Where nothing is to be done in the meantime, leave
`async_op` out, or call `send` and `recv`.

## Silent
- `wait()` before the tensor is used, also through a list, a helper, `get_future()` or an attribute.
- What is returned or handed on for others to wait for.
- A transfer whose function synchronizes the device afterwards: `torch.cuda.synchronize()`.
- Looking at the tensor's shape or type in the meantime, and reading a tensor that is being sent.

## Where it is reported
At the call that starts the transfer if nobody ever waits for it, else at the statement that uses the tensor too
early.

## Known limits
A `wait` on some paths only counts as one on all. Whether a tensor is used too early is judged within one block.

## Sources
- "Distributed communication package", PyTorch's documentation: "Synchronous and asynchronous collective operations",
  "Point-to-point communication".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.events import COLLECTIVES
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FILLERS,
    ancestors,
    block_of,
    dotted,
    function_of,
    last_name,
    target_text,
    text_of,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"async_op", "isend", "irecv", "batch_isend_irecv"}

POINT_TO_POINT = ("isend", "irecv", "batch_isend_irecv")
_STARTERS = tuple(f"torch.distributed.{name}" for name in sorted(COLLECTIVES.union(POINT_TO_POINT)))
_READ_ONLY = frozenset("shape size dim ndim numel dtype device data_ptr element_size nbytes".split())
"""What may be asked of a tensor while it is under way."""
_READERS = frozenset("print float int sum max min".split())
_SENDS = frozenset(("isend", "gather"))
"""What only reads the tensor that it is first given."""
_SIMPLE = (nodes.Expr, nodes.Assign, nodes.AugAssign, nodes.AnnAssign, nodes.Return)


def check(source: Source) -> Iterator[Finding]:
    """Yield the asynchronous transfers that nobody waits for, and the uses of their tensors before the wait."""
    for call in torch_calls(source, *_STARTERS, where=_may_be_asynchronous):
        if call.is_partial or not _is_asynchronous(source, call) or _is_synchronized(source, call.node):
            continue
        handle = _handle(call.node)
        if handle is None:
            continue
        if not _is_read(source, handle):
            yield Finding(call.node, _message_on_drop(call))
        elif isinstance(handle, nodes.AssignName) and (use := _early_use(source, call, handle)) is not None:
            yield Finding(use, f"'{_buffer(call)}' is still under way here; call '{handle.name}.wait()' first")


def _message_on_drop(call: TorchCall) -> str:
    buffer = _buffer(call)
    done = f"'{buffer}' is done" if buffer else "it is done"
    return f"'{text_of(call.node.func)}' returns before {done}, and nobody waits; call 'wait()' on what it returns"


def _may_be_asynchronous(call: nodes.Call) -> bool:
    if last_name(call.func) in POINT_TO_POINT:
        return True
    return len(call.args) > 1 or any(keyword.arg == "async_op" for keyword in call.keywords or ())


def _is_asynchronous(source: Source, call: TorchCall) -> bool:
    if call.symbol.rpartition(".")[2] in POINT_TO_POINT:
        return True
    given = call.given.get("async_op")
    return given is not None and constants(source.names, given) == {True}


def _is_synchronized(source: Source, node: nodes.Call) -> bool:
    """Return whether the device is waited for after *node*, or transfers are collected around it."""
    function = function_of(node)
    waits = (*source.index.calls.get("synchronize", ()), *source.index.calls.get("wait_stream", ()))
    if any(function_of(wait) is function and wait.fromlineno > node.fromlineno for wait in waits):
        return True
    contexts = [context for above in ancestors(node) if isinstance(above, nodes.With) for context, _ in above.items]
    return any("coalescing" in context.as_string() for context in contexts)


# -- the object to wait for ------------------------------------------------------------------------


def _handle(call: nodes.Call) -> nodes.NodeNG | None:
    """Return where what *call* returns is kept: a variable, a list's name, *call* itself if nowhere.

    None: it is waited for, or handed on.
    """
    kept = call.parent if isinstance(call.parent, nodes.ListComp) else call
    match kept.parent:
        case nodes.Expr():
            return call
        case nodes.Assign(targets=[nodes.AssignName() as target]):
            return target
        case nodes.Call(func=nodes.Attribute(attrname=name, expr=nodes.Name() as collected)) if name in FILLERS:
            return collected
    return None


def _is_read(source: Source, handle: nodes.NodeNG) -> bool:
    """Return whether *handle*, a variable of its function, is read other than to put more into it."""
    if isinstance(handle, nodes.Call):
        return False
    scope = function_of(handle)
    if not isinstance(scope, (nodes.FunctionDef, nodes.Module)) or not _is_own(scope, handle.name):
        return True
    return any(
        node.name == handle.name and not _is_filled(node)
        for node in source.index.within(scope, nodes.Name)
    )


def _is_own(scope: nodes.FunctionDef | nodes.Module, name: str) -> bool:
    """Return whether *name* is a variable of *scope* alone: no parameter, no global of another scope."""
    found = scope.locals.get(name, ())
    return bool(found) and all(isinstance(node, nodes.AssignName) and _is_assigned(node) for node in found)


def _is_assigned(node: nodes.AssignName) -> bool:
    return isinstance(node.parent, (nodes.Assign, nodes.AnnAssign))


def _is_filled(node: nodes.Name) -> bool:
    """Return whether *node* is the list in ``works.append(…)``."""
    method = node.parent
    return isinstance(method, nodes.Attribute) and method.attrname in FILLERS and isinstance(method.parent, nodes.Call)


# -- the tensor --------------------------------------------------------------------------------------


def _buffer(call: TorchCall) -> str | None:
    """Return the text of the variable or attribute that is transferred."""
    first = next(iter(call.given.values()), None)
    return dotted(first) if call.symbol.rpartition(".")[2] not in ("barrier", "batch_isend_irecv") else None


def _early_use(source: Source, call: TorchCall, handle: nodes.AssignName) -> nodes.NodeNG | None:
    """Return the first statement behind *call*, in its block, that uses the tensor before anything asks *handle*."""
    tensor = _buffer(call)
    is_sent = call.symbol.rpartition(".")[2] in _SENDS
    statement = call.node.statement()
    block = block_of(statement)
    if tensor is None or not block:
        return None
    for later in block[block.index(statement) + 1 :]:
        mentioned = list(walk(later))
        if any(isinstance(node, nodes.Name) and node.name == handle.name for node in mentioned):
            return None
        uses = [node for node in mentioned if _text(node) == tensor]
        if any(_changes(use) if is_sent else _needs_values(source, use) for use in uses):
            return later if isinstance(later, _SIMPLE) else None
        if any(isinstance(node, (nodes.AssignName, nodes.AssignAttr)) and _text(node) == tensor for node in mentioned):
            return None
    return None


def _text(node: nodes.NodeNG) -> str | None:
    return target_text(node) or dotted(node)


def _changes(node: nodes.NodeNG) -> bool:
    """Return whether *node*, the tensor, is changed in place."""
    match node.parent:
        case nodes.Attribute(attrname=name, parent=nodes.Call()):
            return bool(name.endswith("_"))
        case nodes.Subscript() as item:
            return isinstance(item.parent, (nodes.Assign, nodes.AugAssign)) and item is not item.parent.value
        case nodes.AugAssign(target=target):
            return node is target
    return False


def _needs_values(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node*, the tensor, is read or changed, and not just looked at, handed on or renewed."""
    match node.parent:
        case nodes.Attribute(attrname=name):
            return name not in _READ_ONLY
        case nodes.BinOp() | nodes.AugAssign() | nodes.Subscript() | nodes.UnaryOp() | nodes.FormattedValue():
            return True
        case nodes.Call(func=function) if node is not function:
            symbol = source.names.symbol(function) or ""
            return symbol in _READERS or symbol.startswith("torch.") and not symbol.startswith("torch.distributed.")
    return False
