"""A loss is computed and overwritten, or forgotten, before any backward pass could use it.

## What happens
`loss = a(...)` followed by `loss = b(...)` trains on `b` only. The first loss costs its forward pass and changes
nothing: where `+=` was meant, the model never learns what it asks for. The same happens to a loss variable that
nothing reads, and to a loss computed in a loop when `backward()` stands after the loop: only the last one counts.

## What to write
```python
loss = criterion(output, target)
loss = loss + weight * penalty(model)
loss.backward()
```

## Silent
- Evaluation and everything else without gradients, functions that go backward nowhere.
- A loss that is read in any way before it is overwritten: logged, compared, back-propagated.
- A loss that is only measured: of another criterion than those trained on, or named after that (`val_loss`).
- Branches of which each gives the loss its value, a default that a condition replaces.
- Numbers, zeros and empty tensors that a sum starts from; results unpacked from a tuple.

## Known limits
A loss that is only printed counts as a metric, unless it is made by the very criterion whose other losses go backward
after it in the same pass, and its name is none for measurements. Attributes (`self.loss`) are not followed.

## Sources
- `torch.Tensor.backward` in PyTorch's documentation: it differentiates the tensor it is called on.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import modes, scopes
from flake8_torch_pitfalls.analysis.cuts import is_loss
from flake8_torch_pitfalls.analysis.lineage import Lineage
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, block_of, last_name, loops_around, walk
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.analysis.values import Class
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "manual_backward", "zero_grad"}

_LOSS = re.compile(r"loss|criterion|penalty|objective|cross_entropy|^(bce|mse|ce|nll|kl|l1)(_|$)|kl_div", re.IGNORECASE)
_MEASURES = re.compile(
    r"val|test|eval|dev|old|prev|last|base|metric|log|clean|before|after|running|total", re.IGNORECASE
)
"""Words in the names of losses that are only measured."""
_CUTS = frozenset(("item", "detach", "numpy", "float", "tolist"))


def check(source: Source) -> Iterator[Finding]:
    """Yield the losses that no backward pass sees."""
    question = _Question(source)
    for statement in source.index.of(nodes.Assign):
        target = statement.targets[0]
        if len(statement.targets) == 1 and isinstance(target, nodes.AssignName) and _LOSS.search(target.name):
            message = question.answer(statement, target)
            if message is not None:
                yield Finding(statement, message)


class _Question:
    """Which losses of a file are lost."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = source.names
        self.lineage = Lineage(source.names)

    def answer(self, statement: nodes.Assign, target: nodes.AssignName) -> str | None:
        """Return what to say of the loss that *statement* gives to *target*, None if something may use it."""
        function = target.scope()
        given = function.locals.get(target.name, [])
        if not isinstance(function, (nodes.FunctionDef, nodes.Module)) or target not in given:
            return None
        if len(given) >= scopes.NEAREST:
            return None
        reads = self._reads(function, target)
        if not any(map(self._is_loss_call, walk(statement.value))):
            return self._only_shown(statement, target, function) if any(map(_is_shown, reads)) else None
        later = _overwriting(statement, given)
        if reads:
            message = self._overwritten_by_itself(statement, reads)
            if message is None and any(map(_is_shown, reads)):
                message = self._only_shown(statement, target, function)
        elif later:
            line = later[0].fromlineno
            message = f"'{target.name}' is overwritten in line {line} before anything uses it; add them, or drop one"
        elif isinstance(function, nodes.FunctionDef) and self.source.kinds.inferred(statement.value, "tensor"):
            message = f"'{target.name}' is computed, but no backward pass uses it; add it to the loss or leave it out"
        else:
            message = None
        return message if message is not None and self._trains(statement, function) else None

    def _reads(self, function: nodes.NodeNG, target: nodes.AssignName) -> list[nodes.NodeNG]:
        """Return where the value that *target* is given may be read."""
        index = self.source.index
        reads = [name for name in index.within(function, nodes.Name) if name.name == target.name]
        reads += [
            statement
            for statement in index.within(function, nodes.AugAssign)
            if isinstance(statement.target, nodes.AssignName) and statement.target.name == target.name
        ]
        reads += [
            statement
            for kind in (nodes.Global, nodes.Nonlocal)
            for statement in index.within(function, kind)
            if target.name in statement.names
        ]
        return [
            read
            for read in reads
            if isinstance(read, (nodes.Global, nodes.Nonlocal)) or target in scopes.definitions(read, target.name)
        ]

    def _trains(self, statement: nodes.Assign, function: nodes.NodeNG) -> bool:
        """Return whether *function* goes backward, and *statement* gives a tensor that it could go backward from."""
        calls = [node for node in walk(statement.value) if isinstance(node, nodes.Call)]
        if any(last_name(call.func) in _CUTS for call in calls):
            return False
        if self.source.kinds.inferred(statement.value, "tensor") is False or self._calls_training(statement.value):
            return False
        if any(isinstance(above, (nodes.Try, nodes.TryStar)) for above in ancestors(statement)):
            return False  # tried, not wanted
        return bool(self.lineage.backwards(function)) and modes.records_grad(self.names, statement) is True

    def _calls_training(self, value: nodes.NodeNG) -> bool:
        """Return whether *value* calls a function that goes backward itself, or makes an object."""
        for call in walk(value):
            if isinstance(call, nodes.Call):
                if any(self.lineage.backwards(function.node) for function in self.names.callee(call)):
                    return True
                if any(isinstance(made, Class) for made in self.names.values(call.func)):
                    return True
        return False

    def _overwritten_by_itself(self, statement: nodes.Assign, reads: list[nodes.NodeNG]) -> str | None:
        """Return what to say where a loop computes a loss in each pass and only what comes after it reads the last."""
        loop = next(iter(loops_around(statement)), None)
        if not isinstance(loop, nodes.For) or statement not in loop.body or _leaves_early(loop):
            return None
        if any(above is loop for read in reads for above in ancestors(read)):
            return None
        if not any(_goes_backward(read) for read in reads) or not self._is_of_each_pass(statement, loop):
            return None
        name = statement.targets[0].name
        return f"only the last '{name}' of the loop goes backward; add them up, or go backward in the loop"

    def _only_shown(self, statement: nodes.Assign, target: nodes.AssignName, function: nodes.NodeNG) -> str | None:
        """Return what to say where a loss is printed, and others by the same criterion are back-propagated after it."""
        if _MEASURES.search(target.name) or not (loops_around(statement) or isinstance(function, nodes.FunctionDef)):
            return None
        backwards, loops = self.lineage.backwards(function), loops_around(statement)[:1]
        if not any(
            one.node.fromlineno > statement.fromlineno and loops_around(one.node)[:1] == loops for one in backwards
        ):
            return None
        if any(target in self.lineage.sources(one.start) for one in backwards):
            return None
        trained = frozenset[str]().union(*(self._criteria(one.start) for one in backwards))
        if trained.isdisjoint(self._criteria(statement.value)):
            return None
        if not uses(self.names, statement.value) <= {Use.DATA, Use.META} or not self._trains(statement, function):
            return None
        return f"'{target.name}' is shown, but no backward pass uses it; add it to the loss, or detach it"

    def _criteria(self, node: nodes.NodeNG) -> frozenset[str]:
        """Return how the losses that *node* is computed by are called."""
        return frozenset(call.func.as_string() for call in self.lineage.computed_by(node) if self._is_loss_call(call))

    def _is_loss_call(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* calls a loss, one of torch's or what is named like one, and gives it something."""
        if not isinstance(node, nodes.Call) or not node.args:
            return False
        return _LOSS.search(last_name(node.func) or "") is not None or is_loss(self.names, node)

    def _is_of_each_pass(self, statement: nodes.Assign, loop: nodes.For) -> bool:
        """Return whether the loss is about what *loop* goes through, and nothing is carried from pass to pass."""
        sources = [one for one in self.lineage.sources(statement.value) if isinstance(one, nodes.NodeNG)]
        if not any(one.statement() is loop for one in sources):
            return False
        inside = [one for one in sources if one.statement() is not loop and loop in loops_around(one)]
        carried = {one.name for one in inside if isinstance(one, nodes.AssignName)}
        reads = [name for below in loop.body for name in walk(below) if isinstance(name, nodes.Name)]
        return not any(
            one in scopes.definitions(name, name.name)
            for name in reads
            if name.name in carried
            for one in inside
            if one.name == name.name and one.fromlineno >= name.fromlineno
        )


def _overwriting(statement: nodes.Assign, given: list[nodes.NodeNG]) -> list[nodes.NodeNG]:
    """Return those of *given*, assignments of one variable, that come after *statement* whatever is decided."""
    after = {
        other
        for above in (statement, *ancestors(statement))
        if (block := block_of(above))
        for other in block[block.index(above) + 1 :]
    }
    return [one for one in given if one.statement() in after]


def _goes_backward(use: nodes.NodeNG) -> bool:
    """Return whether *use* is ``loss`` of ``loss.backward()`` or ``scaler.scale(loss).backward()``."""
    call = use.parent
    if isinstance(call, nodes.Call) and last_name(call.func) == "scale":
        use = call
    return isinstance(use.parent, nodes.Attribute) and use.parent.attrname == "backward"


def _is_shown(use: nodes.NodeNG) -> bool:
    """Return whether *use* is more than a part of another value."""
    return not isinstance(use.parent, (nodes.BinOp, nodes.Assign, nodes.AugAssign))


def _leaves_early(loop: nodes.For) -> bool:
    return any(isinstance(node, (nodes.Break, nodes.Return)) for statement in loop.body for node in walk(statement))
