"""`backward()` goes through the same graph twice, though the first pass has freed it.

## What happens
`backward()` frees the tensors that the graph has saved. A second pass through any part of it raises "Trying to backward
through the graph a second time". That part may be hidden: the generator behind `discriminator(fake)`, an encoder
shared by two losses, the hidden state that a recurrent network hands from one iteration to the next.

## What to write
- One backward pass for the sum of the losses: `(loss_a + loss_b).backward()`.
- `fake.detach()` where only the discriminator learns, `hidden = hidden.detach()` between iterations.
- A fresh forward pass, or `backward(retain_graph=True)` for the first of two passes.

## Silent
- A fresh forward pass between the two.
- `retain_graph=True` or `create_graph=True` on the first.
- Two losses from disjoint graphs, or joined only by a detached tensor.
- A hidden state detached or renewed in the loop, also under a condition.
- Graphs that only functions out of view could share.

## Known limits
The shared part must hold the call of a module. What is kept in attributes, or has several definitions, is not followed.
Files that freeze parameters by `requires_grad` are left alone.

## Sources
- `torch.Tensor.backward` and "Autograd mechanics" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.protocol import guards, path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, loops_around, text_of, walk
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}

CUTS = frozenset("detach detach_ item tolist numpy data argmax long int bool".split())
"""What, called on a tensor, leaves its graph behind."""
LONGEST = 200


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward calls that meet a freed graph."""
    if _freezes(source):
        return
    for run in source.runs.roots:
        backwards = [stop for stop in run.events(Do.BACKWARD) if _is_plain(stop.event)]
        for first in backwards:
            assert first.event is not None
            if _keeps(first.event.node):
                continue
            shared = _operations(source, first.event.subject)
            for second in backwards:
                yield from _here(source, _again(source, run, first, second, shared))
            yield from _here(source, _carried(source, run, first, shared))


def _here(source: Source, finding: Finding | None) -> Iterator[Finding]:
    if finding is not None and finding.node.root() is source.module:
        yield finding


def _freezes(source: Source) -> bool:
    """Return whether the file decides which parameters take part in a graph."""
    return bool(source.index.stores.get("requires_grad")) or any(
        constant(node) is False for call in source.index.calls.get("requires_grad_", ()) for node in call.args
    )


def _is_plain(event: Event | None) -> bool:
    return event is not None and event.subject is not None and not optimizers.is_framework(event)


def _keeps(call: nodes.Call) -> bool:
    """Return whether *call* may keep the graph, as far as the text shows."""
    return len(call.args) > 1 or any(
        keyword.arg in ("retain_graph", "create_graph", None) and constant(keyword.value) not in (False, None)
        for keyword in call.keywords or ()
    )


def _again(source: Source, run: Run, first: Stop, second: Stop, freed: set[nodes.Call]) -> Finding | None:
    """Return that *second* goes through something that *first* has *freed*, and nothing has computed anew."""
    one, other = first.event, second.event
    assert one is not None and other is not None
    if not _run_together(one, other):
        return None
    for operation in freed & _operations(source, other.subject):
        if not any(stop.event is not None and stop.event.node is operation for stop in run.events(Do.FORWARD)):
            continue
        if path(run, first, lambda event: event is other, lambda event: event.node is operation) is not None:
            called = operation.as_string()
            called = called if len(called) < 30 else f"{operation.func.as_string()}(...)"
            how = "in the next pass" if one is other else "after another 'backward()' has freed it"
            return Finding(
                other.node,
                f"'{_name(other)}' goes through '{called}' {how}; compute it anew or detach it",
            )
    return None


def _name(backward: Event) -> str:
    called = f"{backward.node.func.as_string()}()"
    return called if len(called) < 40 else "backward()"


def _run_together(one: Event, other: Event) -> bool:
    """Return whether one of the two runs whenever the other does, as far as tests tell."""
    mine, theirs = set(guards(one)), set(guards(other))
    return mine <= theirs or theirs <= mine


def _carried(source: Source, run: Run, backward: Stop, operations: set[nodes.Call]) -> Finding | None:
    """Return that a recurrent state takes the graph of one pass of the loop into the next."""
    event = backward.event
    assert event is not None
    around = event.loops()
    for operation in operations if around else ():
        if loops_around(operation)[:1] != around[:1]:
            continue
        for state in _states(operation):
            if _is_only_carried(state, operation) and _comes_back(run, backward):
                name = state.name
                return Finding(
                    event.node,
                    f"'{_name(event)}' goes into the graph of the pass before through '{name}'; "
                    f"write '{name} = {name}.detach()' in the loop",
                )
    return None


def _states(operation: nodes.Call) -> Iterator[nodes.Name]:
    """Yield the variables that *operation* is given as they are, also in a tuple."""
    for given in (*operation.args, *(keyword.value for keyword in operation.keywords or ())):
        yield from (node for node in (given.elts if isinstance(given, nodes.Tuple) else [given]) if isinstance(node, nodes.Name))


def _is_only_carried(state: nodes.Name, operation: nodes.Call) -> bool:
    """Return whether *state* gets its value from *operation* itself, and else only from before the loop."""
    statement = operation.statement()
    if not isinstance(statement, nodes.Assign) or statement.value is not operation:
        return False
    inside = _assignments(loops_around(operation)[0], state.name)
    return bool(inside) and all(node.statement() is statement for node in inside)


def _assignments(loop: nodes.NodeNG, name: str) -> list[nodes.AssignName]:
    return [node for node in walk(loop) if isinstance(node, nodes.AssignName) and node.name == name]


def _comes_back(run: Run, backward: Stop) -> bool:
    return path(run, backward, lambda event: event is backward.event, lambda event: False) is not None


def _operations(source: Source, loss: nodes.NodeNG | None) -> set[nodes.Call]:
    """Return the calls of modules that the graph of *loss* surely holds."""
    found: set[nodes.Call] = set()
    stack = [] if loss is None else [loss]
    seen: set[nodes.NodeNG] = set()
    while stack and len(seen) < LONGEST:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        match node:
            case nodes.Name():
                if (definition := _only_definition(node)) is not None:
                    stack += given_to(definition)
            case nodes.Call():
                if _is_module_call(source, node):
                    found.add(node)
                    stack += node.args if not _may_detach(source, node) else []
                else:
                    stack += _operands(source, node)
            case nodes.BinOp() | nodes.UnaryOp() | nodes.Tuple() | nodes.List():
                stack += node.get_children()
            case nodes.Subscript():
                stack.append(node.value)
    return found


def _only_definition(use: nodes.Name) -> nodes.AssignName | None:
    """Return the assignment that gives *use* its value in every pass of the loops around it."""
    definitions = scopes.definitions(use, use.name)
    if len(definitions) != 1 or not isinstance(definitions[0].statement(), nodes.Assign):
        return None
    definition = definitions[0]
    around = loops_around(definition)
    others = [loop for loop in loops_around(use) if loop not in around]
    return None if any(_assignments(loop, use.name) for loop in others) else definition


def _is_module_call(source: Source, call: nodes.Call) -> bool:
    return source.kinds.of(call.func, "module") is True and source.tensors.recording(call) is True and not _is_loss(source, call)


def _is_loss(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* computes one of torch's losses, a small graph that matters only with what is below it."""
    return any(
        isinstance(value, Instance) and isinstance(value.cls, str) and value.cls.endswith("Loss")
        for value in source.names.known(call.func)
    )


def _may_detach(source: Source, call: nodes.Call) -> bool:
    """Return whether the forward of a module of the project mentions a way out of the graph."""
    return any(
        isinstance(node, (nodes.Attribute, nodes.Name)) and getattr(node, "attrname", getattr(node, "name", "")) in (*CUTS, "no_grad")
        for function in source.names.callee(call)
        for node in walk(function.node)
    )


def _operands(source: Source, call: nodes.Call) -> list[nodes.NodeNG]:
    """Return the tensors whose graphs the result of *call* surely continues: of torch's functions and methods."""
    func = call.func
    if isinstance(func, nodes.Attribute) and func.attrname in CUTS:
        return []
    if _is_loss(source, call):
        return list(call.args)
    symbol = source.names.symbol(func)
    if symbol is not None and symbol.startswith("torch."):
        receiver = [func.expr] if symbol.startswith("torch.Tensor.") and isinstance(func, nodes.Attribute) else []
        return [*receiver, *call.args]
    if isinstance(func, nodes.Attribute) and torch_model.member("torch.Tensor", func.attrname) is not None:
        return [func.expr, *call.args] if source.kinds.is_unknown(func.expr) else []
    return []
