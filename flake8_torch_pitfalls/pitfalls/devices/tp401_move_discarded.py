"""A tensor is moved or converted in a statement that drops the result, so the tensor stays as it was.

## What happens
`to`, `cuda`, `cpu`, `half`, `float`, `double`, `bfloat16`, `type` and `contiguous` of a *tensor* return another
tensor and change nothing. `x.to(device)` on a line of its own leaves `x` on its old device, with its old dtype.
Modules are different: `model.to(device)` moves the parameters of `model` itself. A later operation may then raise
because its tensors are on two devices, or silently compute with the dtype that was to be replaced.

## What to write
`x = x.to(device)`. For the tensors of a list or a dictionary, build a new one:
`batch = {key: value.to(device) for key, value in batch.items()}`.

## Silent
- Modules, optimizers' and metrics' own `to`, Lightning objects, and every object that is not known to be a tensor.
  Several classes move in place, such as the `BatchEncoding` of transformers and the `Data` of torch_geometric.
- Attempts: the only statement of a `try`, or inside `pytest.raises`.
- Warming up and timing: `torch.zeros(1).cuda()`, or a loop or `with` block in which nothing else happens.

## Known limits
A tensor is known by how it was made, by its annotation, by an `isinstance` test around the statement, or as part of
a batch of a `DataLoader` with the default collate function; not by how it is used. In a notebook, a last line
`x.cpu()` that shows the tensor is reported where nothing but the cell's end tells that it is a display.

## Sources
- `torch.Tensor.to` and `torch.nn.Module.to` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.batches import is_of_batch
from flake8_torch_pitfalls.analysis.purpose import binds, is_dropped, is_last_use, is_on_purpose, root_of
from flake8_torch_pitfalls.analysis.scopes import definitions
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, dotted, function_of, loops_around, text_of
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "type", "contiguous"}
NEEDS_ARGUMENT = ("to", "type")
PACKED = "torch.nn.utils.rnn.PackedSequence"
LONGEST = 40


def check(source: Source) -> Iterator[Finding]:
    """Report moves of tensors whose results go nowhere."""
    for name in sorted(WORDS):
        for call in source.index.calls.get(name, ()):
            if not isinstance(call.func, nodes.Attribute):
                continue
            if name in NEEDS_ARGUMENT and not call.args and not call.keywords:
                continue
            if is_dropped(call) and not is_on_purpose(source.names, call, call.func.expr) and _is_tensor(source, call):
                yield Finding(call, _message(call))
            elif _is_lost_in_loop(call) and _is_tensor(source, call):
                yield Finding(call.parent, _message_for_loop(call))


def _is_lost_in_loop(call: nodes.Call) -> bool:
    """Return whether *call* rebinds a loop's variable that nothing reads before the next round."""
    match call:
        case nodes.Call(
            func=nodes.Attribute(expr=nodes.Name(name=name)),
            parent=nodes.Assign(targets=[nodes.AssignName(name=target)]) as statement,
        ) if name == target:
            loop = next(iter(loops_around(call)), None)
            if not isinstance(loop, nodes.For) or statement not in loop.body or not binds(loop.target, name):
                return False
            return not any(
                use.name == name and statement.targets[0] in definitions(use, name)
                for use in function_of(call).nodes_of_class(nodes.Name)
            )
    return False


# -- what is a tensor ------------------------------------------------------------------------------


def _is_tensor(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* is surely a method of a tensor that returns another."""
    receiver = call.func.expr
    found = [value for value in source.names.values(receiver) if value != NOTHING]
    if found and all(_moves_into_new(source, value, call.func.attrname) for value in found):
        return True
    if any(source.kinds.is_kind(value, "tensor") is False for value in found):
        return False
    return _is_tested(source, receiver) or is_of_batch(source.names, receiver)


def _moves_into_new(source: Source, value: Value, method: str) -> bool:
    if not source.names.is_a(value, "torch.Tensor", PACKED):
        return False
    own = isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef)
    return not own or source.names.method(value.cls, method) is None  # type: ignore[union-attr]


def _is_tested(source: Source, receiver: nodes.NodeNG) -> bool:
    """Return whether *receiver* stands in the branch of a test that it is a tensor."""
    text = dotted(receiver)
    below = receiver
    for above in ancestors(receiver):
        inside = above.body if isinstance(above, nodes.If) else [above.body] if isinstance(above, nodes.IfExp) else []
        if below in inside:
            if text is not None and any(_tests_for_tensor(source, test, text) for test in _conditions(above.test)):
                return True
        if isinstance(above, (nodes.FunctionDef, nodes.Lambda)):
            return False
        below = above
    return False


def _conditions(test: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return what surely holds where *test* does."""
    if isinstance(test, nodes.BoolOp):
        return list(test.values) if test.op == "and" else []
    return [test]


def _tests_for_tensor(source: Source, test: nodes.NodeNG, text: str) -> bool:
    match test:
        case nodes.Call(args=[tested, *rest]) if dotted(tested) == text:
            symbol = source.names.symbol(test.func)
            if symbol == "isinstance" and rest:
                return source.names.symbol(rest[0]) == "torch.Tensor"
            return symbol == "torch.is_tensor"
    return False


# -- messages --------------------------------------------------------------------------------------


def _message(call: nodes.Call) -> str:
    receiver = text_of(call.func.expr)
    text = _short(call)
    if len(receiver) > LONGEST or isinstance(call.func.expr, nodes.Call):
        return f"the result of '{text}' is dropped and nothing else changes; keep it in a variable"
    dropped = f"'{text}' leaves '{receiver}' as it is and its result is dropped"
    root = root_of(call)
    if isinstance(root, nodes.Name) and is_last_use(call, root):
        return f"{dropped}; build a new container of the results"
    return f"{dropped}; write '{receiver} = {text}'"


def _message_for_loop(call: nodes.Call) -> str:
    name = text_of(call.func.expr)
    return f"'{name} = {_short(call)}' only rebinds the loop variable; build a new container of the results"


def _short(call: nodes.Call) -> str:
    text = " ".join(str(call.as_string()).split())
    return text if len(text) <= LONGEST else f"{text_of(call.func)}(...)"
