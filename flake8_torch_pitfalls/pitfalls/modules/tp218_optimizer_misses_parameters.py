"""An optimizer does not hold the parameters it should train: they came later, or it is given none.

## What happens
An optimizer trains the parameters that it was made with. A layer that is put into the model afterwards, a fresh model
under the same name, `load_state_dict(..., assign=True)` and `weight_norm` bring parameters it has never seen. The old
ones get no gradient any more, the new ones stay as they were initialized, and no error is raised.

`optim.SGD(model)`, `optim.SGD([a.parameters(), b.parameters()])` and `optim.SGD([])` raise. So does a generator that
was used up before: `parameters()` can be run over once. In a dict, `{"params": used_up}`, it makes an empty group
instead, and nothing is trained.

`optim.Adagrad` makes its sums where the parameters are when it is made. `model.cuda()` after that moves the parameters
but not the sums, and the first `step()` raises.

## What to write
Build the model, move it, wrap it, then make the optimizer from `model.parameters()`.

```python
model = torchvision.models.resnet18()
model.fc = nn.Linear(512, 10)
optimizer = optim.SGD(model.parameters(), lr=0.01)
```

## Silent
- The optimizer is made anew after the change, or gets the new parameters by `add_param_group`.
- `model.to(...)`, `half()`, `DataParallel`, `DistributedDataParallel` and `torch.compile`, which keep the parameters,
  for all optimizers but Adagrad.
- New layers without parameters, and ones that an optimizer of their own holds.
- A new layer made around the old one: `model.fc = nn.Sequential(nn.Dropout(), model.fc)`.
- A model that is loaded or made anew after the last step.

## Known limits
An optimizer whose steps are out of view is left alone, and all in a file that calls `add_param_group` or names no
optimizer of torch's. What Adagrad does on a GPU is told from the device of its sums,
which the witness reads without a GPU.

## Sources
- `torch.optim` in PyTorch's documentation: "Constructing it"; `torch.nn.Module.load_state_dict` on `assign`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers, parameters, scopes
from flake8_torch_pitfalls.analysis.devices import CPU, named
from flake8_torch_pitfalls.analysis.facts import Placed
from flake8_torch_pitfalls.analysis.renewals import Change, Held, Making, Renewals
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    argument,
    block_of,
    constant,
    dotted,
    function_of,
    last_name,
    target_text,
    text_of,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = parameters.OPTIMIZERS

NEW_PARAMETERS = {
    "weight_norm": ("torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.weight_norm"),
    "remove_weight_norm": ("torch.nn.utils.remove_weight_norm",),
}
"""Functions that give the module they get new parameters, by last name."""
MOVES = ("to", "cuda")
SIZES = frozenset(
    "in_features out_features in_channels out_channels num_features embedding_dim num_embeddings hidden_size "
    "kernel_size stride padding config shape device dtype bias".split()
)
"""What a new layer may read of the old one without keeping it."""
EXHAUST = frozenset("list tuple set sum sorted max min any all clip_grad_norm_ clip_grad_value_".split())
"""Functions that run over all they are given."""


def check(source: Source) -> Iterator[Finding]:
    """Yield optimizers that are given no parameters, and what leaves one behind its model."""
    for call in parameters.optimizers(source.names, source.index):
        yield from _given_none(source, call)
    if not source.index.calls.get("add_param_group"):
        yield from _left_behind(source)


# -- what the optimizer is given -----------------------------------------------------------------------


def _given_none(source: Source, call: nodes.Call) -> Iterator[Finding]:
    given = parameters.given(call)
    optimizer = text_of(call.func)
    if given is None:
        return
    if isinstance(given, nodes.List) and not given.elts:
        yield Finding(call, f"'{optimizer}' is given an empty list and raises; give it the parameters to train")
    elif (module := _module_among(source, given)) is not None:
        text = text_of(module)
        yield Finding(call, f"'{optimizer}' is given the module '{text}' and raises; give it '{text}.parameters()'")
    elif isinstance(given, nodes.List) and (sources := [one for one in given.elts if _is_generator(one)]):
        text = text_of(sources[0].func)
        yield Finding(call, f"'{optimizer}' is given a list of generators and raises; write '*{text}()'")
    elif (name := _used_up(given)) is not None:
        yield Finding(call, f"'{name}' has been run over before, so '{optimizer}' gets no parameters; make it a list")


def _module_among(source: Source, given: nodes.NodeNG) -> nodes.NodeNG | None:
    """Return the module that stands where parameters should: all of *given*, an item or a group."""
    below = [given]
    if isinstance(given, (nodes.List, nodes.Tuple)):
        below = [value for one in given.elts for value in _of_group(one)]
    return next((node for node in below if _is_plain_module(source, node)), None)


def _of_group(node: nodes.NodeNG) -> list[nodes.NodeNG]:
    if isinstance(node, nodes.Dict):
        return [value for key, value in node.items if constant(key) == "params"]
    return [node]


def _is_plain_module(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a module, of no class that says what iterating over it gives."""
    if not isinstance(node, (nodes.Name, nodes.Attribute)):
        return False
    found = source.names.values(node)
    return all(
        isinstance(value, Instance)
        and source.names.is_a(value, "torch.nn.Module") is True
        and source.names.is_a(value, "torch.nn.ParameterList") is False
        and not (isinstance(value.cls, nodes.ClassDef) and source.names.method(value.cls, "__iter__"))
        for value in found
    )


def _is_generator(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.GeneratorExp) or (
        isinstance(node, nodes.Call) and last_name(node.func) == "parameters" and isinstance(node.func, nodes.Attribute)
    )


def _used_up(given: nodes.NodeNG) -> str | None:
    """Return the variable in *given* whose generator something has run over before; None if there is none."""
    for node in walk(given):
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign) and _is_lazy(found[0].parent.value):
                if any(_runs_over(other) for other in _uses_between(found[0], node)):
                    return str(node.name)
    return None


def _is_lazy(value: nodes.NodeNG) -> bool:
    lazy = isinstance(value, nodes.Call) and last_name(value.func) in ("filter", "map", "chain", "named_parameters")
    return lazy or _is_generator(value)


def _uses_between(definition: nodes.NodeNG, use: nodes.Name) -> Iterator[nodes.Name]:
    """Yield where the variable is read after *definition* and before *use*, whatever happens."""
    scope, block = function_of(definition), block_of(definition.statement())
    for node in use.root().index_of(use).within(scope, nodes.Name):
        if node.name == use.name and definition.fromlineno < node.lineno < use.statement().fromlineno:
            if node.statement() in block and scopes.definitions(node, node.name) == [definition]:
                yield node


def _runs_over(use: nodes.Name) -> bool:
    """Return whether *use* of a generator leaves nothing of it."""
    parent = use.parent
    if isinstance(parent, nodes.Dict):
        parent = next((above for above in ancestors(parent) if isinstance(above, nodes.Call)), parent)
    if isinstance(parent, (nodes.For, nodes.Comprehension)):
        return parent.iter is use
    return isinstance(parent, nodes.Call) and last_name(parent.func) in EXHAUST | parameters.OPTIMIZERS


# -- what happens to the model later -------------------------------------------------------------------


def _left_behind(source: Source) -> Iterator[Finding]:
    reported: set[nodes.NodeNG] = set()
    causes = _Causes(source)
    for making, change in Renewals(source, causes.candidates, causes.leaves_behind).left_behind():
        if reported.isdisjoint((making.call, change.node)):
            reported.update((making.call, change.node))
            yield Finding(change.node, _message(making, change))


def _message(making: Making, change: Change) -> str:
    optimizer = f"'{text_of(making.call.func)}' (line {making.call.fromlineno})"
    cause = change.cause
    if isinstance(cause, nodes.Call):
        what = f"{text_of(cause.func)}()"
        if last_name(cause.func) in MOVES:
            return f"'{what}' leaves the sums of {optimizer} on the CPU, so its step raises; move the model first"
        return f"'{what}' makes parameters that {optimizer} lacks; make the optimizer after it"
    text = target_text(change.module.node) or text_of(change.module.node)
    return f"'{text}' is new here, and {optimizer} has the parameters of before; make the optimizer after it"


class _Causes:
    """What gives a module new parameters, or moves it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = source.names

    def candidates(self, scope: nodes.NodeNG, wanted: frozenset[str]) -> Iterator[tuple[nodes.NodeNG, nodes.NodeNG]]:
        """Yield what may change a module in a variable of *wanted*, in *scope*, and the expression of the module."""
        index = self.names.index_of(scope)
        for assignment in index.within(scope, nodes.Assign):
            target = assignment.targets[0]
            if isinstance(assignment.value, nodes.Call) and function_of(assignment) is scope:
                if _variable(target_text(target) or dotted(target)) in wanted:
                    yield assignment, target
        for call in index.calls_in.get(scope, ()):
            module = _changed_by(call)
            if module is not None and _variable(dotted(module)) in wanted:
                yield call, module

    def leaves_behind(self, making: Making, change: Change) -> bool:
        """Return whether the optimizer of *making* is worse off for *change*."""
        cause = change.cause
        if isinstance(cause, nodes.Assign):
            text = target_text(cause.targets[0]) or text_of(cause.targets[0])
            return self._is_fresh(cause.value, text, making)
        assert isinstance(cause, nodes.Call)
        match last_name(cause.func):
            case "cuda" | "to" as name:
                if last_name(making.call.func) != "Adagrad" or not all(map(self._starts_on_cpu, making.modules)):
                    return False
                return name == "cuda" or named(self.names, argument(cause, 0, "device")) not in (None, CPU)
            case "setattr":
                return self._is_fresh(cause.args[2], text_of(cause.args[0]), making)
            case "add_module" | "register_module":
                return self._is_fresh(cause.args[1], text_of(change.module.node), making)
            case "load_state_dict":
                return constant(argument(cause, 2, "assign")) is True
            case name:
                return self.names.symbol(cause.func) in NEW_PARAMETERS[name or ""]

    def _starts_on_cpu(self, held: Held) -> bool:
        fact = self.source.tensors.at(held.node)
        return isinstance(fact, Placed) and fact.device == CPU and not fact.sometimes

    def _is_fresh(self, value: nodes.NodeNG, text: str, making: Making) -> bool:
        """Return whether *value* is a new module with parameters, with nothing in it of the one that *text* names."""
        if not isinstance(value, nodes.Call) or self._keeps_old(value, text):
            return False
        if self.names.symbol(value.func) == "copy.deepcopy":
            return dotted(argument(value, 0, "x")) == text
        known = frozenset[nodes.NodeNG]().union(*(held.made for held in making.modules))
        return all(
            isinstance(made, Instance)
            and isinstance(made.made_at, nodes.Call)
            and made.made_at not in known
            and self.names.is_a(made, "torch.nn.Module", "torch.nn.Parameter") is True
            and layers.has(self.names, made, layers.Trait.PARAMETERS) is True
            for made in self.names.values(value)
        )

    def _keeps_old(self, value: nodes.Call, text: str) -> bool:
        """Return whether something in *value* is a module that was there before, or the one that *text* names."""
        for node in walk(value):
            if isinstance(node, (nodes.Name, nodes.Attribute)) and not _is_read_for_size(node):
                if dotted(node) == text or (_is_argument(node) and self.source.kinds.of(node, "module") is True):
                    return self.names.symbol(value.func) != "copy.deepcopy"
        return False


def _changed_by(call: nodes.Call) -> nodes.NodeNG | None:
    """Return the module that *call*, by its name, may give new parameters or move to another device."""
    match last_name(call.func):
        case "cuda" | "to" | "load_state_dict":
            return call.func.expr if isinstance(call.func, nodes.Attribute) else None
        case "add_module" | "register_module" if len(call.args) == 2:
            return call.func.expr if isinstance(call.func, nodes.Attribute) else None
        case "setattr" if len(call.args) == 3:
            return call.args[0]
        case name if name in NEW_PARAMETERS:
            return argument(call, 0, "module")
    return None


def _is_read_for_size(node: nodes.NodeNG) -> bool:
    """Return whether *node* is only a step on the way to a number: ``model.fc`` of ``model.fc.in_features``."""
    return isinstance(node.parent, nodes.Attribute) and node.parent.attrname in SIZES


def _is_argument(node: nodes.NodeNG) -> bool:
    return not isinstance(node.parent, nodes.Attribute) and getattr(node.parent, "func", None) is not node


def _variable(text: str | None) -> str | None:
    """Return the variable in which the dotted *text* begins."""
    return None if text is None else text.partition(".")[0].partition("[")[0]
