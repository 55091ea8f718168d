"""An optimizer or scheduler is built anew in every pass of the training loop, so it forgets what it knew.

## What happens
Momentum, the moments of Adam and the count of steps live in the optimizer. Built in the loop over the same
parameters, it starts each pass with none of them: Adam's first step has the full size of the learning rate in every
coordinate whatever the gradient is, and momentum never builds up. A scheduler built in each pass stays at the start
of its schedule. No error is raised.

## What to write
```python
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(epochs):
    for x, y in loader:
        ...
```
To change the learning rate on the way, use a scheduler or set `group["lr"]` in `optimizer.param_groups`.

## Silent
- A fresh or copied model, or fresh parameters, in each pass: folds, ensembles, inner loops of meta-learning,
  adversarial examples, clients of federated learning, a model that is reset.
- A loop over phases, tasks or stages, each with a training loop of its own.
- Built under a condition, as when a new stage begins; parameters that the loop's variable picks; layers that are
  frozen or unfrozen in the loop.
- `SGD` without momentum, which keeps nothing, and `LBFGS`, which iterates within one step.
- A scheduler built for each epoch and stepped in every batch: a restart.

## Known limits
An optimizer that takes many steps between two builds is reported only where the loop that builds it names epochs, or
calls a function that is named after one.
A function that builds the optimizer and trains is reported only where its loop is in view.

## Sources
- `torch.optim` in PyTorch's documentation: the optimizer holds the current state.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import arguments, constants
from flake8_torch_pitfalls.analysis.events import Do, Event
from flake8_torch_pitfalls.analysis.lineage import given_to, handed_to, is_parameter
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    argument,
    function_of,
    is_open,
    last_name,
    loops_around,
    self_name,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = set(
    "ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax Muon NAdam RAdam RMSprop Rprop SGD SparseAdam ChainedScheduler "
    "ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR LambdaLR LinearLR MultiStepLR "
    "MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR".split()
)

Loop: TypeAlias = nodes.For | nodes.While

_EPOCH = re.compile(r"epoc|(^|_)n?eps?($|_)", re.IGNORECASE)
_ONE_EPOCH = re.compile(r"epoch($|_)", re.IGNORECASE)
_FRESH_START = re.compile(
    r"(re_?)?(set|init|load|build|make|copy)\w*(param|weight|model|net|state|layer)|(weights?|param\w*)_(init|reset)|"
    r"deepcopy|copy_|^apply$|from_pretrained|prun|freez|requires_grad|xavier|kaiming|normal_|uniform_",
    re.IGNORECASE,
)
"""Names of calls that may give parameters a new start, or decide which of them are trained."""
_GATHERING = frozenset("parameters named_parameters list filter chain tuple dict iter set".split())
"""Calls that give the very parameters, no new ones."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the optimizers and schedulers that are built in each pass of the loop that steps them."""
    found: dict[nodes.NodeNG, str] = {}
    for run in source.runs.roots:
        for stop in run.events(Do.STEP, Do.SCHEDULE):
            assert stop.event is not None
            for call in stop.event.made - found.keys():
                if isinstance(call, nodes.Call) and call.root() is source.module:
                    if _Question(source, stop.event, call).is_rebuilt():
                        found[call] = "optimizer" if stop.event.do is Do.STEP else "scheduler"
    for call in sorted(found, key=lambda one: (one.lineno, one.col_offset)):
        yield Finding(
            call,
            f"'{call.func.as_string()}' is built anew in each pass of the loop and forgets its state; "
            f"build the {found[call]} before the loop",
        )


class _Question:
    """Whether the optimizer or scheduler that *event* steps is built anew, by *call*, in each pass of a loop."""

    def __init__(self, source: Source, event: Event, call: nodes.Call) -> None:
        self.source = source
        self.names = source.names
        self.event = event
        self.call = call

    def is_rebuilt(self) -> bool:
        """Return whether each pass of the loop builds it, over what the last pass has trained."""
        chain = self._chain()
        owner = next((node for node in chain if loops_around(node)), None)
        if owner is None or not self._keeps_state():
            return False
        self.chain = chain[: chain.index(owner) + 1]
        self.loop: Loop = loops_around(owner)[0]
        return (
            self._is_stepped_in_loop()
            and not self._is_conditional()
            and not self._varies()
            and not self._starts_afresh()
            and self._outlives_pass()
        )

    def _chain(self) -> list[nodes.NodeNG]:
        """Return the call that builds, and those that lead to its function in this run, innermost first."""
        way = [self.event.node, *reversed(self.event.stack)]
        frames = [function_of(node) for node in way]
        builder = function_of(self.call)
        if builder in frames:
            return [self.call, *way[frames.index(builder) + 1 :]]
        sites = self.names.call_sites(builder) if isinstance(builder, nodes.FunctionDef) else []
        sites = [site for site in sites if function_of(site) in frames]
        if len(sites) != 1:
            return []
        return [self.call, sites[0], *way[frames.index(function_of(sites[0])) + 1 :]]

    def _keeps_state(self) -> bool:
        """Return whether *call* builds something of torch's whose steps depend on the steps before."""
        made = [value for value in self.names.values(self.call) if isinstance(value, Instance)]
        if len(made) != 1 or not isinstance(made[0].cls, str) or is_open(self.call):
            return False
        given = arguments(self.call, made[0].cls)
        if made[0].cls == "torch.optim.SGD":
            return "momentum" in given and constants(self.names, given["momentum"]) != {0}
        return (
            made[0].cls.startswith("torch.optim.")
            and made[0].cls != "torch.optim.LBFGS"
            and "last_epoch" not in given
        )

    def _is_stepped_in_loop(self) -> bool:
        """Return whether few enough steps lie between two builds: one, or the optimizer's steps in an epoch."""
        loops = self.event.loops()
        if self.loop not in loops:
            return False
        between = loops.index(self.loop)
        if between == 1 and self.event.do is Do.STEP:
            return self._is_of_epochs() or self._calls_an_epoch()
        return between == 0

    def _is_of_epochs(self) -> bool:
        head = [self.loop.target, self.loop.iter] if isinstance(self.loop, nodes.For) else [self.loop.test]
        parts = [node for part in head for node in walk(part)]
        words = [node.name for node in parts if isinstance(node, (nodes.Name, nodes.AssignName))]
        words += [node.attrname for node in parts if isinstance(node, nodes.Attribute)]
        return any(_EPOCH.search(word) for word in words)

    def _calls_an_epoch(self) -> bool:
        """Return whether a function that builds is called for one epoch: ``train_one_epoch``, not ``train_epochs``."""
        return any(_ONE_EPOCH.search(last_name(call.func) or "") for call in self.chain[1:])

    def _is_conditional(self) -> bool:
        """Return whether a test in the loop decides if it is built."""
        for node in self.chain:
            for parent in ancestors(node):
                if isinstance(parent, (nodes.If, nodes.IfExp, nodes.Try, nodes.Match, nodes.Lambda)):
                    if not isinstance(parent, nodes.FunctionDef):
                        return True
                if parent is self.loop or isinstance(parent, nodes.FunctionDef):
                    break
        return False

    def _varies(self) -> bool:
        """Return whether the variable of a loop over something else than epochs has a say in what is built."""
        return not self._is_of_epochs() and self._depends_on_pass(self.call, 0)

    def _depends_on_pass(self, node: nodes.NodeNG, depth: int) -> bool:
        """Return whether *node*, in the function of the chain's call at *depth*, reads the variable of the loop."""
        reads = [name for name in walk(node) if isinstance(name, nodes.Name)]
        found = [definition for name in reads for definition in scopes.definitions(name, name.name)]
        if any(_is_bound_by(definition, self.loop) for definition in found):
            return True
        if depth == len(self.chain) - 1:
            return False
        handed = [handed_to(one, self.chain[depth + 1]) for one in found if is_parameter(one)]
        return any(given is not None and self._depends_on_pass(given, depth + 1) for given in handed)

    def _starts_afresh(self) -> bool:
        """Return whether something in the loop may give the parameters a new start, or choose others."""
        index = self.names.index_of(self.loop)
        called = index.within(self.loop, nodes.Call)
        for call in self.chain[:-1]:
            called = called + self.names.index_of(call).calls_in.get(function_of(call), [])
        return any(_FRESH_START.search(last_name(call.func) or "") for call in called) or any(
            target.attrname == "requires_grad" for target in index.within(self.loop, nodes.AssignAttr)
        )

    def _outlives_pass(self) -> bool:
        """Return whether the parameters, or the optimizer of a scheduler, were there before this pass of the loop."""
        held = argument(self.call, 0, "params" if self.event.do is Do.STEP else "optimizer")
        return held is not None and self._is_old(held, 0)

    def _is_old(self, node: nodes.NodeNG, depth: int) -> bool:
        """Return whether all that *node*, in the function of the chain's call at *depth*, is made of is older."""
        parts = list(walk(node))
        if any(isinstance(part, nodes.Call) and last_name(part.func) not in _GATHERING for part in parts):
            return False
        roots = [part for part in parts if isinstance(part, nodes.Name) and not _is_function(part)]
        return bool(roots) and all(self._is_old_variable(root, depth) for root in roots)

    def _is_old_variable(self, name: nodes.Name, depth: int) -> bool:
        found = scopes.definitions(name, name.name)
        return bool(found) and all(self._is_old_definition(definition, name, depth) for definition in found)

    def _is_old_definition(self, definition: nodes.NodeNG, name: nodes.Name, depth: int) -> bool:
        inside = depth < len(self.chain) - 1
        if is_parameter(definition):
            if self_name(definition.parent.parent) == name.name and self._is_set_in_pass(name):
                return False
            return not inside or self._is_given_old(definition, depth + 1)
        if _is_bound_by(definition, self.loop) or definition.scope() is not function_of(name):
            return definition.scope() is not function_of(name) and isinstance(definition.scope(), nodes.Module)
        if not inside and self.loop not in loops_around(definition):
            return True
        values = list(given_to(definition))
        return len(values) == 1 and isinstance(definition.parent, nodes.Assign) and self._is_old(values[0], depth)

    def _is_given_old(self, parameter: nodes.AssignName, depth: int) -> bool:
        call = self.chain[depth]
        if self_name(parameter.parent.parent) == parameter.name:
            return isinstance(call.func, nodes.Attribute) and self._is_old(call.func.expr, depth)
        given = handed_to(parameter, call)
        return given is not None and self._is_old(given, depth)

    def _is_set_in_pass(self, owner: nodes.Name) -> bool:
        """Return whether the attribute that is read from *owner*, ``self``, is assigned in the pass."""
        attribute = owner.parent
        if not isinstance(attribute, nodes.Attribute):
            return False
        inside = {function_of(call) for call in self.chain[:-1]}
        return any(
            function_of(target) in inside or self.loop in loops_around(target)
            for target in self.names.index_of(owner).stores.get(attribute.attrname, ())
        )


def _is_bound_by(definition: nodes.NodeNG, loop: Loop) -> bool:
    return isinstance(loop, nodes.For) and isinstance(definition, nodes.AssignName) and definition.statement() is loop


def _is_function(name: nodes.Name) -> bool:
    """Return whether *name* is only called, or bound by a comprehension or lambda around it."""
    if isinstance(name.parent, nodes.Call) and name.parent.func is name:
        return True
    found = scopes.definitions(name, name.name)
    return bool(found) and not isinstance(found[0].scope(), (nodes.Module, nodes.FunctionDef))
