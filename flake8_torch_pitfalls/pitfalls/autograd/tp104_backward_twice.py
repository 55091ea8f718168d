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
The shared part must hold the call of a module, but for one loss that a loop goes backward from. What is kept in
attributes, or has several definitions, is not followed, nor is what an unknown callable is given: `head(features)` in
a loop over heads. Files that freeze parameters by `requires_grad` are left alone.

## Sources
- `torch.Tensor.backward` and "Autograd mechanics" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.graphs import Part, assignments, is_module_call, operations
from flake8_torch_pitfalls.analysis.lineage import given_to
from flake8_torch_pitfalls.analysis.protocol import guards, path
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import block_of, class_of, constant, dotted, loops_around, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward calls that meet a freed graph."""
    if _freezes(source):
        return
    for run in source.runs.roots:
        backwards = [stop for stop in run.events(Do.BACKWARD) if optimizers.is_plain(stop.event)]
        for first in backwards:
            assert first.event is not None
            if _keeps(first.event.node):
                continue
            shared = operations(source, first.event.subject, first.event.stack)
            for second in backwards:
                yield from _here(source, _again(source, run, first, second, shared))
            yield from _here(source, _carried(source, run, first, {operation for operation, _, _ in shared}))
            yield from _here(source, _summed(source, run, first))
            if not shared:
                yield from _here(source, _made_before_loop(source, run, first))


def _here(source: Source, finding: Finding | None) -> Iterator[Finding]:
    if finding is not None and finding.node.root() is source.module:
        yield finding


def _freezes(source: Source) -> bool:
    """Return whether the file may take parameters out of a graph."""
    assigned = [getattr(target.parent, "value", None) for target in source.index.stores.get("requires_grad", ())]
    called = [node for call in source.index.calls.get("requires_grad_", ()) for node in call.args]
    return any(constant(node) is not True for node in (*assigned, *called))


def _keeps(call: nodes.Call) -> bool:
    """Return whether *call* may keep the graph, as far as the text shows."""
    return len(call.args) > 1 or any(
        keyword.arg not in ("gradient", "inputs") and constant(keyword.value) not in (False, None)
        for keyword in call.keywords or ()
    )


def _again(source: Source, run: Run, first: Stop, second: Stop, freed: set[Part]) -> Finding | None:
    """Return that *second* goes through something that *first* has *freed*, and nothing has computed anew."""
    one, other = first.event, second.event
    assert one is not None and other is not None
    if not _run_together(one, other):
        return None
    for operation, _, _ in freed & operations(source, other.subject, other.stack):
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
    sums = assignments(around[0], total.name)
    added = [node for target in sums for node in given_to(target)]
    if not sums or not all(_adds_to_itself(target) for target in sums):
        return None
    if any(operations(source, node) for node in added):
        return Finding(
            event.node,
            f"'{_name(event)}' goes into the graphs of the passes before, which '{total.name}' sums up; "
            "go backward from the loss of the pass",
        )
    return None


def _made_before_loop(source: Source, run: Run, backward: Stop) -> Finding | None:
    """Return that each pass of a loop goes backward from one and the same loss."""
    event = backward.event
    assert event is not None
    loss, around = event.subject, loops_around(event.node)
    if not isinstance(loss, nodes.Name) or not around or not isinstance(event.node.parent, nodes.Expr):
        return None
    fact = source.tensors.at(loss)
    if not isinstance(fact, Tensor) or not fact.graph or fact.leaf or assignments(around[0], loss.name):
        return None
    if event.node.statement().parent is not around[0] or not _comes_back(run, backward):
        return None
    if any(isinstance(node, (nodes.Break, nodes.Return, nodes.Raise)) for node in walk(around[0])):
        return None
    return Finding(event.node, f"'{_name(event)}' goes backward from one '{loss.name}' in each pass; compute it anew")


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
    inside = assignments(loop, state.name)
    if not inside or any(node.statement() is not statement for node in inside):
        return False
    return not _drops_detached(loop, state.name) and not _is_detached_in_place(loop, state.name)


def _kept_states(source: Source, operation: nodes.Call) -> Iterator[str]:
    """Yield the attributes in which a module of the project keeps its state from one call to the next."""
    for function in source.names.callee(operation):
        for statement in walk(function.node):
            if isinstance(statement, nodes.Assign) and isinstance(statement.value, nodes.Call):
                given = {dotted(node) for argument in statement.value.args for node in _items(argument)}
                for target in (node for one in statement.targets for node in walk(one)):
                    if isinstance(target, nodes.AssignAttr) and f"{dotted(target.expr)}.{target.attrname}" in given:
                        if is_module_call(source, statement.value) and _is_stored_only_there(source, target):
                            yield f"{dotted(target.expr)}.{target.attrname}"


def _is_stored_only_there(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether nothing else but ``__init__`` gives the attribute a value."""
    others = [node for node in source.names.index_of(target).stores.get(target.attrname, ()) if node is not target]
    others += source.index.stores.get(target.attrname, []) if target.root() is not source.module else []
    return all(node.frame().name == "__init__" and class_of(node) is class_of(target) for node in others)


def _drops_detached(loop: nodes.NodeNG, name: str) -> bool:
    """Return whether *loop* has ``name.detach()`` as a statement: the fault is there."""
    return any(isinstance(node, nodes.Expr) and node.value.as_string() == f"{name}.detach()" for node in walk(loop))


def _is_detached_in_place(loop: nodes.NodeNG, name: str) -> bool:
    """Return whether *loop* calls ``detach_`` on *name*, on a part of it, or on each of its items."""
    for call in walk(loop):
        if isinstance(call, nodes.Call) and isinstance(call.func, nodes.Attribute) and call.func.attrname == "detach_":
            held = {node.name for node in walk(call.func.expr) if isinstance(node, nodes.Name)}
            if name in held or any(not held.isdisjoint(bound) for bound in _bound_by_items(loop, name)):
                return True
    return False


def _bound_by_items(loop: nodes.NodeNG, name: str) -> Iterator[set[str]]:
    """Yield the variables to which a loop or comprehension in *loop* gives the items of *name*."""
    for node in walk(loop):
        if isinstance(node, (nodes.For, nodes.Comprehension)):
            if any(isinstance(part, nodes.Name) and part.name == name for part in walk(node.iter)):
                yield {part.name for part in walk(node.target) if isinstance(part, nodes.AssignName)}


def _comes_back(run: Run, backward: Stop) -> bool:
    return path(run, backward, lambda event: event is backward.event, lambda event: False) is not None
