"""Gradients accumulate over iterations because nothing clears them.

## What happens
`backward()` adds to `p.grad`; it does not replace it. Where nothing clears the gradients between one iteration's
`step()` and the next `backward()`, every step follows the sum of all gradients so far: the effective step grows,
training drifts or diverges, and no error is raised.

## What to write
```python
for x, y in loader:
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()
```
Clearing after `step()` is as good. To accumulate over several batches, clear where you step, under the same
condition.

## Silent
- Accumulation that clears where it steps, or that clears in the loop around the micro-batches.
- Clearing through the module (`model.zero_grad()`), parameter by parameter (`p.grad = None`, `p.grad.zero_()`),
  in a helper, in the closure given to `step(closure)`, or in a wrapper whose own `step` clears.
- Frameworks that go backward themselves: Lightning and its Fabric, Accelerate, DeepSpeed, the Hugging Face `Trainer`.
- A single backward and step in a script, or an optimizer and model made anew in every iteration.
- An optimizer, or an object that holds it, that is handed to code which cannot be read.

## Known limits
Where the loop is not in view, a function is reported only if its optimizer outlives the call (an attribute, a
parameter, a global) and nothing in the file clears it. Clearing under a condition counts as clearing, unless
the condition picks some iterations by the loop's counter and the step is taken in all.

## Sources
- "Zeroing out gradients in PyTorch", PyTorch recipes.
- `torch.optim.Optimizer.zero_grad` and "Autograd mechanics" in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from astroid import nodes

from flake8_torch_pitfalls.analysis import optimizers, scopes
from flake8_torch_pitfalls.analysis.events import CLEARERS, GRADIENTS, Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.protocol import guards, reachable
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, function_of, last_name, loops_around, walk
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}
Loop: TypeAlias = nodes.For | nodes.While


def check(source: Source) -> Iterator[Finding]:
    """Yield the backward calls whose gradients are added to those of the step before."""
    for run in source.runs.roots:
        for step in run.events(Do.STEP):
            backward = _Question(source, run, step).accumulates()
            if backward is not None and backward.node.root() is source.module:
                yield Finding(backward.node, _message(backward, step.event))


def _message(backward: Event, step: Event | None) -> str:
    assert step is not None and step.subject is not None
    optimizer, call = step.subject.as_string(), backward.node.func.as_string()
    call = f"{call}()" if len(call) < 40 else "backward()"
    return (
        f"gradients of '{optimizer}' accumulate: nothing clears them before the next '{call}'; "
        f"call '{optimizer}.zero_grad()' each iteration"
    )


class _Question:
    """Whether gradients pile up under one step of an optimizer in one run."""

    def __init__(self, source: Source, run: Run, step: Stop) -> None:
        assert step.event is not None
        self.source = source
        self.run = run
        self.stop = step
        self.step: Event = step.event

    def accumulates(self) -> Event | None:
        """Return the backward pass that adds to the gradients of an earlier step, None if there is none."""
        if not self._is_plain():
            return None
        backwards = self._backwards(past_steps=False) or self._backwards(past_steps=True)
        if not backwards:
            return None
        first = backwards[0].event
        assert first is not None
        loop = self._loop(first)
        if loop is None:
            found = (
                self._outlives()
                and not self._is_given_to(first)
                and self._comes_again(backwards)
                and not self._is_cleared_elsewhere()
            )
        else:
            around = set(reachable(self.run, self.stop, self._may_clear))
            found = not around.isdisjoint(backwards) and not self._is_fresh_in(loop)
        silent = not found or self._is_cleared_sometimes(loop) or self._is_clearing_handed_over()
        return None if silent else first

    def _is_plain(self) -> bool:
        """Return whether the step does nothing else: no closure that cannot be read, no options of its own."""
        call = self.step.node
        if self.step.subject is None:
            return False
        if self.step.detail == "closure":
            return any(call in event.stack for event in self._events(Do.BACKWARD))
        return self.step.detail == "scaler" or not (call.args or call.keywords)

    def _events(self, kind: Do) -> list[Event]:
        return [stop.event for stop in self.run.events(kind) if stop.event is not None]

    def _may_clear(self, event: Event) -> bool:
        if event.do is Do.CLEAR:
            return optimizers.clears(self.source.names, self.source.kinds, event, self.step) is not False
        return event.do is Do.UNKNOWN and optimizers.touches(self.source.names, event, self.step)

    def _backwards(self, past_steps: bool) -> list[Stop]:
        """Return the backward passes whose gradients the step uses, first one first.

        Those that lie before another step belong to that one, unless *past_steps*.
        """

        def ends(event: Event) -> bool:
            return event is not self.step and event.do is Do.STEP and not past_steps or self._may_clear(event)

        return [
            stop
            for stop in self.run.events(Do.BACKWARD)
            if stop.event is not None
            and not optimizers.is_framework(stop.event)
            and any(after is self.stop for after in reachable(self.run, stop, ends))
        ]

    # -- a loop in view ----------------------------------------------------------------------------

    def _loop(self, backward: Event) -> Loop | None:
        """Return the innermost loop that goes backward and steps one and the same optimizer."""
        around = backward.loops()
        shared = [loop for loop in self.step.loops() if loop in around]
        return next((loop for loop in shared if not self._varies_with(loop)), None)

    def _varies_with(self, loop: Loop) -> bool:
        """Return whether each pass of *loop* steps another optimizer: ``for opt in optimizers``."""
        place = self.step.place
        named = list(walk(self.step.subject))
        bound = [
            definition
            for node in named
            if isinstance(node, nodes.Name)
            for definition in scopes.definitions(node, node.name)
        ]
        if place is not None and hasattr(place.owner, "locals"):
            bound += place.owner.locals.get(place.root, [])
        return isinstance(loop, nodes.For) and any(
            definition.statement() is loop for definition in bound if isinstance(definition, nodes.AssignName)
        )

    def _is_fresh_in(self, loop: Loop) -> bool:
        """Return whether each pass of *loop* makes optimizer and model anew, as far as is known."""
        names = self.source.names
        if self._is_held_by_fresh(loop):
            return True
        created = self.step.made or _bound_in(loop, self.step.subject)
        if not any(self._runs_in(loop, node) for node in created):
            return False
        held = optimizers.modules_of(names, self.step.subject)
        if not held:
            return True
        makers = [node for module in held for node in optimizers.made(names, module)]
        return not makers or any(self._runs_in(loop, node) for node in makers)

    def _is_held_by_fresh(self, loop: Loop) -> bool:
        """Return whether the object that has the optimizer, an agent or trainer, is made in each pass of *loop*."""
        place = self.step.place
        if place is None or place.path == place.root:
            return False
        makers = [place.owner] if isinstance(place.owner, nodes.Call) else place.owner.locals.get(place.root, [])
        return bool(makers) and all(loop in loops_around(node) for node in makers)

    def _runs_in(self, loop: Loop, node: nodes.NodeNG) -> bool:
        """Return whether *node* is evaluated in each pass of *loop*, on the way to the step."""
        way = [*self.step.stack, self.step.node]
        inside = [place for depth, place in enumerate(way) if any(loop in loops_around(above) for above in way[:depth])]
        return loop in loops_around(node) or function_of(node) in {function_of(place) for place in inside}

    def _is_cleared_sometimes(self, loop: Loop | None) -> bool:
        """Return whether gradients are cleared under a condition that may well be the right one."""
        clearings = [
            event for event in self._events(Do.CLEAR)
            if self._may_clear(event) and (loop is None or loop in event.loops())
        ]  # fmt: skip
        return not all(self._is_for_others(event) or self._skips_passes(event) for event in clearings)

    def _is_clearing_handed_over(self) -> bool:
        """Return whether ``opt.zero_grad`` is kept or passed on as a function, which anything may call."""
        names, kinds = self.source.names, self.source.kinds
        return any(
            not isinstance(method.parent, nodes.Expr)
            and not (isinstance(method.parent, nodes.Call) and method.parent.func is method)
            and optimizers.clears_by(names, kinds, method.expr, self.step.subject) is not False
            for module in {self.run.root.root(), self.step.node.root()}
            for method in names.index_of(module).attributes.get("zero_grad", ())
        )

    def _is_for_others(self, clearing: Event) -> bool:
        """Return whether *clearing* stands in the other branch of a test, with a step of its own."""
        mine = {(test, frame): taken for test, taken, frame in guards(self.step)}
        for test, taken, frame in guards(clearing):
            if mine.get((test, frame), taken) is not taken:
                return any(
                    (test, taken, frame) in guards(other) and optimizers.touches(self.source.names, other, self.step)
                    for other in self._events(Do.STEP)
                )
        return False

    def _skips_passes(self, clearing: Event) -> bool:
        """Return whether the loop's counter picks passes for *clearing*, while the step is taken in all."""
        stepping = {test for test, _, _ in guards(self.step)}
        picking = {test: taken for test, taken, _ in guards(clearing)}
        if stepping - picking.keys():
            return False
        extra = picking.keys() - stepping
        return bool(extra) and all(picking[test] and _counts(test) for test in extra)

    # -- the loop is elsewhere ---------------------------------------------------------------------

    def _outlives(self) -> bool:
        """Return whether the optimizer lives on after the run, so that the same one may step again."""
        root, place = self.run.root, self.step.place
        if not isinstance(root, nodes.FunctionDef) or place is None or "new" == place.root:
            return False
        if root.name in ("main", "__init__") or root.name.startswith("test"):
            return False
        if any(function_of(node) is root for node in self.step.made):
            return False
        if isinstance(place.owner, nodes.ClassDef):
            return place.root == "self" and None not in self.source.names.mro(place.owner)
        if place.owner is root:
            return place.root in {parameter.name for parameter in root.args.arguments}
        return isinstance(place.owner, (nodes.Module, nodes.FunctionDef))

    def _is_given_to(self, backward: Event) -> bool:
        """Return whether optimizer and loss both come from the caller, who sees to the rest of the iteration."""
        root, loss = self.run.root, backward.place
        if loss is None or loss.owner is not root or self.step.place is None or self.step.place.owner is not root:
            return False
        parameters = {parameter.name for parameter in root.args.arguments}
        sources = {loss.root}
        for bound in root.locals.get(loss.root, []):
            if isinstance(bound.parent, nodes.With):  # with scale_loss(loss, optimizer) as scaled
                sources |= {node.name for context, _ in bound.parent.items for node in walk(context) if _is_name(node)}
            elif isinstance(bound.parent, nodes.Assign) and isinstance(bound.parent.value, nodes.BinOp):
                sources |= {node.name for node in walk(bound.parent.value) if _is_name(node)}
        return not sources.isdisjoint(parameters)

    def _comes_again(self, backwards: list[Stop]) -> bool:
        """Return whether, called once more, the run gets to the backward pass with the gradients it left."""
        entry = self.run.entry
        if entry.event is not None and self._may_clear(entry.event):
            return False
        if self.run.exit not in set(reachable(self.run, self.stop, self._may_clear)):
            return False
        again = {entry, *reachable(self.run, entry, self._may_clear)}
        return not again.isdisjoint(backwards)

    def _is_cleared_elsewhere(self) -> bool:
        """Return whether anything in the file, or in a base class, may clear the optimizer's gradients."""
        names = self.source.names
        modules = {self.run.root.root(), self.step.node.root(), self.source.module}
        if self.step.place is not None and isinstance(self.step.place.owner, nodes.ClassDef):
            modules |= {base.root() for base in names.mro(self.step.place.owner) if isinstance(base, nodes.ClassDef)}
        inside = {event.node for event in self._events(Do.CLEAR)}
        for module in modules:
            index = names.index_of(module)
            if any(index.stores.get(name) for name in GRADIENTS):
                return True
            for name, calls in index.calls.items():
                if name == "zero_grad" or CLEARERS.search(name):
                    if any(self._may_clear_by(call) for call in calls if call not in inside):
                        return True
        return False

    def _may_clear_by(self, call: nodes.Call) -> bool:
        if not isinstance(call.func, nodes.Attribute) or last_name(call.func) != "zero_grad":
            return True
        names, kinds = self.source.names, self.source.kinds
        return optimizers.clears_by(names, kinds, call.func.expr, self.step.subject) is not False


def _is_name(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Name)


def _bound_in(loop: Loop, subject: nodes.NodeNG | None) -> frozenset[nodes.NodeNG]:
    """Return the assignments in *loop* that give the variable *subject* its value."""
    if not isinstance(subject, nodes.Name):
        return frozenset()
    return frozenset(node for node in scopes.definitions(subject, subject.name) if loop in loops_around(node))


def _counts(test: nodes.NodeNG) -> bool:
    """Return whether *test* picks some passes of a loop by number: ``i % 4 == 0``, ``i == 0``."""
    if not isinstance(test, nodes.Compare) or test.ops[0][0] != "==" or not isinstance(constant(test.ops[0][1]), int):
        return False
    counted = test.left
    if isinstance(counted, nodes.BinOp) and counted.op == "%":
        return True
    return isinstance(counted, nodes.Name) and any(
        isinstance(definition.statement(), nodes.For) for definition in scopes.definitions(counted, counted.name)
    )
