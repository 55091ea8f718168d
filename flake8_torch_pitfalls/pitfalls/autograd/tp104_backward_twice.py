"""`backward()` goes through the same graph twice, though the first pass has freed it.

## What happens
`backward()` frees the tensors that the graph has saved. A second pass through any part of it raises "Trying to backward
through the graph a second time". That part may be hidden: the generator behind `discriminator(fake)`, an encoder
shared by two losses, the hidden state that a recurrent network hands from one iteration to the next, a sum of losses
that is never reset. Where nothing was saved, only sums and means, torch does not raise but doubles the gradient.

## What to write
- One backward pass for the sum of the losses: `(loss_a + loss_b).backward()`.
- `fake.detach()` where only the discriminator learns, `hidden = hidden.detach()` between iterations.
- A fresh forward pass, or `backward(retain_graph=True)` for the first of two passes.

## Silent
- A fresh forward pass between the two.
- `retain_graph=True` or `create_graph=True` on the first.
- Two losses from disjoint graphs, or joined only by a detached tensor.
- A hidden state detached or renewed in the loop, also under a condition; one whose `hidden.detach()` is dropped, which
  is a fault of its own.
- Graphs that only functions out of view could share.

## Known limits
The shared part must hold the call of a module. What is kept in attributes, or has several definitions, is not followed.
Files that freeze parameters by `requires_grad` are left alone.

## Sources
- `torch.Tensor.backward` and "Autograd mechanics" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.protocol import guards, path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import block_of, class_of, constant, dotted, last_name, loops_around, walk
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}

CUTS = frozenset("detach detach_ item tolist numpy data argmax argmin argsort long int bool eq ne gt ge lt le".split())
"""What, called on a tensor, leaves its graph behind."""
LONGEST = 200

_Part = tuple[nodes.Call, int | None]
"""A call of a module, and which of the values that a module of the project returns."""


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
            yield from _here(source, _carried(source, run, first, {operation for operation, _ in shared}))
            yield from _here(source, _summed(source, run, first))


def _here(source: Source, finding: Finding | None) -> Iterator[Finding]:
    if finding is not None and finding.node.root() is source.module:
        yield finding


def _freezes(source: Source) -> bool:
    """Return whether the file may take parameters out of a graph."""
    assigned = [getattr(target.parent, "value", None) for target in source.index.stores.get("requires_grad", ())]
    called = [node for call in source.index.calls.get("requires_grad_", ()) for node in call.args]
    return any(constant(node) is not True for node in (*assigned, *called))


def _is_plain(event: Event | None) -> bool:
    return event is not None and event.subject is not None and not optimizers.is_framework(event)


def _keeps(call: nodes.Call) -> bool:
    """Return whether *call* may keep the graph, as far as the text shows."""
    return len(call.args) > 1 or any(
        keyword.arg not in ("gradient", "inputs") and constant(keyword.value) not in (False, None)
        for keyword in call.keywords or ()
    )


def _again(source: Source, run: Run, first: Stop, second: Stop, freed: set[_Part]) -> Finding | None:
    """Return that *second* goes through something that *first* has *freed*, and nothing has computed anew."""
    one, other = first.event, second.event
    assert one is not None and other is not None
    if not _run_together(one, other):
        return None
    for operation, _ in freed & _operations(source, other.subject):
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
        carried = [state.name for state in _states(operation) if _is_only_carried(state, operation)]
        for name in [*carried, *_kept_states(source, operation)]:
            if _comes_back(run, backward):
                return Finding(
                    event.node,
                    f"'{_name(event)}' goes into the graph of the pass before through '{name}'; "
                    f"write '{name} = {name}.detach()' in the loop",
                )
    return None


def _summed(source: Source, run: Run, backward: Stop) -> Finding | None:
    """Return that each pass of a loop goes backward from the sum of its loss and those of all passes before."""
    event = backward.event
    assert event is not None
    total, around = event.subject, loops_around(event.node)
    if not isinstance(total, nodes.Name) or not around or not _comes_back(run, backward) or _leaves(event.node):
        return None
    sums = _assignments(around[0], total.name)
    added = [node for target in sums for node in given_to(target)]
    if not sums or not all(_adds_to_itself(target) for target in sums):
        return None
    if any(_operations(source, node) for node in added):
        return Finding(
            event.node,
            f"'{_name(event)}' goes into the graphs of the passes before, which '{total.name}' sums up; "
            "go backward from the loss of the pass",
        )
    return None


def _leaves(node: nodes.NodeNG) -> bool:
    """Return whether the block of *node* leaves the loop."""
    return any(isinstance(other, (nodes.Break, nodes.Return, nodes.Raise)) for other in block_of(node.statement()))


def _adds_to_itself(target: nodes.AssignName) -> bool:
    statement = target.parent
    if isinstance(statement, nodes.AugAssign):
        return bool(statement.op == "+=")
    if not isinstance(statement, nodes.Assign) or not isinstance(statement.value, nodes.BinOp):
        return False
    sides = (statement.value.left, statement.value.right)
    return any(isinstance(side, nodes.Name) and side.name == target.name for side in sides)


def _states(operation: nodes.Call) -> Iterator[nodes.Name]:
    """Yield the variables that *operation* is given as they are, also in a tuple."""
    for given in (*operation.args, *(keyword.value for keyword in operation.keywords or ())):
        yield from (node for node in _items(given) if isinstance(node, nodes.Name))


def _items(given: nodes.NodeNG) -> list[nodes.NodeNG]:
    return list(given.elts) if isinstance(given, nodes.Tuple) else [given]


def _is_only_carried(state: nodes.Name, operation: nodes.Call) -> bool:
    """Return whether *state* gets its value from *operation* itself, and else only from before the loop."""
    statement = operation.statement()
    if not isinstance(statement, nodes.Assign) or statement.value is not operation:
        return False
    loop = loops_around(operation)[0]
    inside = _assignments(loop, state.name)
    if not inside or any(node.statement() is not statement for node in inside):
        return False
    return not _drops_detached(loop, state.name)


def _kept_states(source: Source, operation: nodes.Call) -> Iterator[str]:
    """Yield the attributes in which a module of the project keeps its state from one call to the next."""
    for function in source.names.callee(operation):
        for statement in walk(function.node):
            if isinstance(statement, nodes.Assign) and isinstance(statement.value, nodes.Call):
                given = {dotted(node) for argument in statement.value.args for node in _items(argument)}
                for target in (node for one in statement.targets for node in walk(one)):
                    if isinstance(target, nodes.AssignAttr) and f"{dotted(target.expr)}.{target.attrname}" in given:
                        if _is_module_call(source, statement.value) and _is_stored_only_there(source, target):
                            yield f"{dotted(target.expr)}.{target.attrname}"


def _is_stored_only_there(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether nothing else but ``__init__`` gives the attribute a value."""
    others = [node for node in source.names.index_of(target).stores.get(target.attrname, ()) if node is not target]
    others += source.index.stores.get(target.attrname, []) if target.root() is not source.module else []
    return all(node.frame().name == "__init__" and class_of(node) is class_of(target) for node in others)


def _drops_detached(loop: nodes.NodeNG, name: str) -> bool:
    """Return whether *loop* has ``name.detach()`` as a statement: the fault is there."""
    return any(isinstance(node, nodes.Expr) and node.value.as_string() == f"{name}.detach()" for node in walk(loop))


def _assignments(loop: nodes.NodeNG, name: str) -> list[nodes.AssignName]:
    return [node for node in walk(loop) if isinstance(node, nodes.AssignName) and node.name == name]


def _comes_back(run: Run, backward: Stop) -> bool:
    return path(run, backward, lambda event: event is backward.event, lambda event: False) is not None


def _operations(source: Source, loss: nodes.NodeNG | None) -> set[_Part]:
    """Return the calls of modules that the graph of *loss* surely holds."""
    found: set[_Part] = set()
    stack: list[tuple[nodes.NodeNG, int | None]] = [] if loss is None else [(loss, None)]
    seen: set[object] = set()
    while stack and len(seen) < LONGEST:
        part = node, position = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        below: Iterable[nodes.NodeNG] = ()
        match node:
            case nodes.Name():
                if (definition := _only_definition(node)) is not None:
                    stack += [(value, _position(definition)) for value in given_to(definition)]
            case nodes.Call() if _is_module_call(source, node):
                found.add((node, position if source.names.callee(node) else None))
                below = () if _may_detach(source, node) else node.args
            case nodes.Call():
                below = _operands(source, node)
            case nodes.BinOp() | nodes.UnaryOp() | nodes.Tuple() | nodes.List():
                below = node.get_children()
            case nodes.Subscript():
                below = [node.value]
        stack += [(child, None) for child in below]
    return found


def _position(definition: nodes.AssignName) -> int | None:
    """Return which item of what is assigned *definition* gets; None for the whole."""
    target = definition.parent
    return target.elts.index(definition) if isinstance(target, (nodes.Tuple, nodes.List)) else None


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
    if source.kinds.of(call.func, "module") is not True or _is_loss(source, call):
        return False
    return source.tensors.recording(call) is True


def _is_loss(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* computes one of torch's losses, a small graph that matters only with what is below it."""
    return any(
        isinstance(value, Instance) and isinstance(value.cls, str) and value.cls.endswith("Loss")
        for value in source.names.known(call.func)
    )


def _may_detach(source: Source, call: nodes.Call) -> bool:
    """Return whether the forward of a module of the project mentions a way out of the graph."""
    return any(
        last_name(node) in CUTS or last_name(node) == "no_grad"
        for function in source.names.callee(call)
        for node in walk(function.node)
    )


def _operands(source: Source, call: nodes.Call) -> list[nodes.NodeNG]:
    """Return the tensors whose graphs the result of *call* surely continues: of torch's functions and methods."""
    func = call.func
    name = last_name(func) or ""
    fact = source.tensors.at(call)
    if name in CUTS or name.endswith("_like") or (isinstance(fact, Tensor) and fact.graph is False):
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
