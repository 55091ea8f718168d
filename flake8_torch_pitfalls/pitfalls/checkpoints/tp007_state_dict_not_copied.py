"""A `state_dict()` kept in memory changes with the model: the best weights turn into the last ones.

## What happens
`model.state_dict()` returns a dictionary of the parameters themselves, not of copies. Kept as the best weights while
training goes on, it follows every later step, and `model.load_state_dict(best)` after training changes nothing. The
same goes for `dict(…)`, `.copy()`, `copy.copy` and a comprehension that leaves the tensors as they are: they copy the
dictionary, not its tensors. The state of an optimizer is shared in the same way.

Two optimizers share their momentum after `second.load_state_dict(first.state_dict())`, and two modules their
parameters after `second.load_state_dict(first.state_dict(), assign=True)`, because nothing is copied on the way.

## What to write
`best = copy.deepcopy(model.state_dict())`, or `{name: value.clone() for name, value in model.state_dict().items()}`,
or save it to disk at once.

## Silent
- `copy.deepcopy`, and values that are cloned.
- A state that is saved, compared or loaded into another module before training goes on.
- A state taken after the last step, or right before the loop is left.
- A list of states of several models: `states.append(client.state_dict())`, where each turn has a model of its own.
- `load_state_dict` of a module without `assign=True`: it copies.

## Known limits
What trains is recognised by a `step()` or `backward()` in the loop or in a function that it calls, or by the name of a
function that is given the model. A state that a function returns is not followed.

## Sources
- "Saving and Loading Models", PyTorch tutorials: "best_model_state = model.state_dict() returns a reference to the
  state and not its copy".
- `torch.nn.Module.state_dict` and `load_state_dict` in PyTorch's documentation, `assign`.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.origins import uses_of
from flake8_torch_pitfalls.analysis.purpose import binds
from flake8_torch_pitfalls.analysis.reach import reaching
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    LOOPS,
    ancestors,
    block_of,
    class_of,
    constant,
    dotted,
    function_of,
    last_name,
    loops_around,
    text_of,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"state_dict"}

SHALLOW = {"dict", "OrderedDict", "copy"}
"""Functions and methods that copy a dictionary and share its values."""
LIVE = {"detach", "data"}
"""What of a tensor shares its memory, wherever it is."""
MOVES = ("cuda", "to", "prepare")
"""Methods without which everything stays on the CPU, where ``cpu()`` copies nothing."""
STEPS = frozenset(("step", "backward"))
TRAINING = re.compile(r"train|fit(_|$)|learn|optimi[sz]e|update|epoch|step", re.IGNORECASE)
IMPROVEMENT = re.compile(r"best|improv|better", re.IGNORECASE)
STATELESS = re.compile(r"sched|scaler|sampler|loader|generator_state", re.IGNORECASE)


def check(source: Source) -> Iterator[Finding]:
    """Yield the states that are kept without a copy while what they belong to changes."""
    training: frozenset[str] | None = None
    live = LIVE if any(name in source.index.calls for name in MOVES) else LIVE | {"cpu"}
    for call in source.index.calls.get("state_dict", ()):
        if not isinstance(call.func, nodes.Attribute) or call.args or call.keywords:
            continue
        loading = call.parent
        if isinstance(loading, nodes.Call) and last_name(loading.func) == "load_state_dict":
            yield from _shared(source, call, loading)
            continue
        kept = _kept(call, live)
        if kept is None or not _has_live_state(source, call.func.expr):
            continue
        if training is None:
            training = reaching(source.module, source.project, STEPS)
        state = _State(source, call, kept, training)
        if state.outlives_training():
            owner, name = text_of(call.func.expr), _text(kept)
            yield Finding(
                call,
                f"'{name}' holds the live state of '{owner}' and changes with it; "
                f"write 'copy.deepcopy({owner}.state_dict())'",
            )


def _text(target: nodes.NodeNG) -> str:
    return str(target.as_string())


def _has_live_state(source: Source, owner: nodes.NodeNG) -> bool:
    """Return whether *owner* is a module or optimizer, or nothing says that it is not."""
    for kind in ("module", "optimizer"):
        if source.kinds.of(owner, kind) is True:
            return True
    return source.kinds.is_unknown(owner) and not STATELESS.search(last_name(owner) or "")


# -- where it is kept ---------------------------------------------------------------------------------


def _kept(call: nodes.Call, live: set[str]) -> nodes.NodeNG | None:
    """Return the variable, attribute, item or container that keeps the state, None if nothing does or a copy.

    *live* are the attributes and methods of a tensor that share its memory.
    """
    node: nodes.NodeNG = call
    while True:
        match node.parent:
            case nodes.Assign(targets=[target]):
                return target if isinstance(target, (nodes.AssignName, nodes.AssignAttr, nodes.Subscript)) else None
            case nodes.Attribute(attrname="copy", parent=nodes.Call() as copied) if not copied.args:
                node = copied
            case nodes.Attribute(attrname="items", parent=nodes.Call(parent=nodes.Comprehension() as loop)):
                if not _keeps_values(loop, live):
                    return None
                node = loop.parent
            case nodes.Tuple(elts=values, parent=nodes.Assign(targets=[nodes.Tuple(elts=targets)])):
                target = targets[values.index(node)] if len(targets) == len(values) else None
                return target if isinstance(target, (nodes.AssignName, nodes.AssignAttr, nodes.Subscript)) else None
            case nodes.Dict() | nodes.Tuple() as display:
                node = display
            case nodes.Call(func=nodes.Attribute(attrname="append", expr=container), args=[given]) if given is node:
                return container
            case nodes.Call(args=[given]) as copied if given is node and last_name(copied.func) in SHALLOW:
                node = copied
            case _:
                return None


def _keeps_values(loop: nodes.Comprehension, live: set[str]) -> bool:
    """Return whether the dictionary that *loop* is part of has the very values that it goes through."""
    made = loop.parent
    if not isinstance(made, nodes.DictComp) or not isinstance(loop.target, nodes.Tuple):
        return False
    value = made.value
    while isinstance(value, (nodes.Call, nodes.Attribute)):
        if isinstance(value, nodes.Call):
            if value.args or value.keywords or not isinstance(value.func, nodes.Attribute):
                return False
            value = value.func
        elif value.attrname not in live:
            return False
        else:
            value = value.expr
    return isinstance(value, nodes.Name) and value.name == _last_bound(loop.target)


def _last_bound(target: nodes.Tuple) -> str | None:
    """Return the name that the last element of *target* binds."""
    last = target.elts[-1]
    return str(last.name) if isinstance(last, nodes.AssignName) else None


# -- whether training goes on -------------------------------------------------------------------------


class _State:
    """A state that is kept: *call* makes it, *kept* is where it stays, *training* the names of what trains."""

    def __init__(self, source: Source, call: nodes.Call, kept: nodes.NodeNG, training: frozenset[str]) -> None:
        self.source = source
        self.kept = kept
        self.training = training
        self.statement = call.statement()
        self.owner = call.func.expr
        self.owner_text = dotted(self.owner)

    def outlives_training(self) -> bool:
        """Return whether the owner trains on before the state is used."""
        if self.owner_text is None or self.is_last():
            return False
        uses = self.uses()
        if any(self.is_restored_after_training(use) or self.is_subtracted_after_training(use) for use in uses):
            return True
        loop = self.training_loop()
        collects = not isinstance(self.kept, (nodes.AssignName, nodes.AssignAttr))
        if isinstance(self.kept, nodes.AssignAttr):
            return self.is_attribute_restored(loop)
        if loop is None or not (collects or self.is_improvement(loop)):
            return False
        return not self.is_made_in(loop) and any(not loop.parent_of(use) for use in uses)

    def uses(self) -> list[nodes.NodeNG]:
        """Return where the program reads what is kept, apart from this statement."""
        if isinstance(self.kept, (nodes.AssignName, nodes.AssignAttr)):
            found = list(uses_of(self.source.names, self.kept))
        else:
            container = self.kept.value if isinstance(self.kept, nodes.Subscript) else self.kept
            found = self.reads_of(container)
        return [use for use in found if not self.statement.parent_of(use) and not _is_compared(use)]

    def reads_of(self, container: nodes.NodeNG) -> list[nodes.NodeNG]:
        index = self.source.index
        if isinstance(container, nodes.Name):
            scope = function_of(container)
            names = index.within(scope, nodes.Name) if scope.parent is not None else list(index.of(nodes.Name))
            return [use for use in names if use.name == container.name]
        if isinstance(container, nodes.Attribute):
            return [
                read for read in index.attributes.get(container.attrname, ()) if class_of(read) is class_of(container)
            ]
        return []

    def is_last(self) -> bool:
        """Return whether the loop or function is left after the state is taken, before anything trains."""
        block = block_of(self.statement)
        for statement in block[block.index(self.statement) + 1 :] if block else ():
            if isinstance(statement, (nodes.Break, nodes.Return)):
                return True
            if any(self.trains(call) for call in statement.nodes_of_class(nodes.Call)):
                return False
        return False

    def trains(self, call: nodes.Call) -> bool:
        """Return whether *call* leads to a step, or by its name trains the owner that it is given."""
        name = last_name(call.func)
        if name is None:
            return False
        if name in self.training:
            return not (isinstance(call.func, nodes.Attribute) and STATELESS.search(last_name(call.func.expr) or ""))
        return TRAINING.search(name) is not None and any(dotted(given) == self.owner_text for given in call.args)

    def training_loop(self) -> nodes.NodeNG | None:
        """Return the outermost loop around the state in which the same owner trains."""
        found = None
        root = self.owner_text.partition(".")[0] if self.owner_text is not None else ""
        calls = self.source.index.calls_in.get(function_of(self.statement), ())
        for loop in loops_around(self.statement):
            if isinstance(loop, nodes.For) and binds(loop.target, root):
                break
            if any(binds(statement, root) for statement in loop.body):
                break
            if any(self.trains(call) for call in calls if loop.parent_of(call)):
                found = loop
        return found

    def is_improvement(self, loop: nodes.NodeNG | None) -> bool:
        """Return whether the state is only taken where a test, within *loop*, finds it better."""
        for above in ancestors(self.statement):
            if above is loop or isinstance(above, nodes.FunctionDef):
                return False
            if isinstance(above, nodes.If) and _finds_better(above.test):
                return True
        return False

    def is_made_in(self, loop: nodes.NodeNG) -> bool:
        """Return whether what keeps the state is itself made anew in each turn of *loop*."""
        container = self.kept.value if isinstance(self.kept, nodes.Subscript) else self.kept
        if not isinstance(container, nodes.Name):
            return False
        return any(loop.parent_of(bound) for bound in function_of(container).locals.get(container.name, ()))

    def is_attribute_restored(self, loop: nodes.NodeNG | None) -> bool:
        """Return whether the attribute that keeps the state is one of the best weights, or is loaded back."""
        name = self.kept.attrname
        reads = self.source.index.attributes.get(name, ())
        if self.is_improvement(loop):
            return IMPROVEMENT.search(name) is not None or any(_call_given(read) is not None for read in reads)
        return any(self.is_loaded_into_owner(read) and function_of(read) is not self.function() for read in reads)

    def function(self) -> nodes.NodeNG:
        return function_of(self.statement)

    def is_loaded_into_owner(self, use: nodes.NodeNG) -> bool:
        call = _call_given(use)
        return (
            call is not None
            and last_name(call.func) == "load_state_dict"
            and isinstance(call.func, nodes.Attribute)
            and dotted(call.func.expr) == self.owner_text
        )

    def is_restored_after_training(self, use: nodes.NodeNG) -> bool:
        """Return whether *use* loads the state back into its owner, which has trained in between."""
        return self.is_loaded_into_owner(use) and self.is_after_training(use)

    def is_subtracted_after_training(self, use: nodes.NodeNG) -> bool:
        """Return whether the difference of *use* and a later state of its owner, which is always 0, is computed."""
        around = next((above for above in ancestors(use) if isinstance(above, nodes.BinOp) and above.op == "-"), None)
        return around is not None and self.is_after_training(use) and any(
            dotted(call.func.expr) == self.owner_text
            for name in around.nodes_of_class(nodes.Name)
            for bound in function_of(use).locals.get(name.name, ())
            if not self.statement.parent_of(bound) and isinstance(bound.parent, nodes.Assign)
            for call in bound.parent.value.nodes_of_class(nodes.Call)
            if isinstance(call.func, nodes.Attribute) and call.func.attrname == "state_dict"
        )

    def is_after_training(self, use: nodes.NodeNG) -> bool:
        """Return whether the owner has trained between the state and *use*, in the same function."""
        if function_of(use) is not self.function() or self.is_owner_rebound(use):
            return False
        around = [loop for loop in ancestors(use) if isinstance(loop, LOOPS) and not loop.parent_of(self.statement)]
        start = self.statement.tolineno
        return any(
            self.trains(call) and (call.fromlineno < use.fromlineno or any(loop.parent_of(call) for loop in around))
            for call in self.source.index.calls_in.get(self.function(), ())
            if call.fromlineno > start
        )

    def is_owner_rebound(self, use: nodes.NodeNG) -> bool:
        """Return whether the owner's name stands for another object where *use* is loaded."""
        root = (self.owner_text or "").partition(".")[0]
        loops = {*loops_around(use), *loops_around(self.statement)}
        start, end = self.statement.fromlineno, use.fromlineno
        return any(
            start < bound.fromlineno < end or any(loop.parent_of(bound) for loop in loops)
            for bound in self.function().locals.get(root, ())
        )


def _finds_better(test: nodes.NodeNG) -> bool:
    if IMPROVEMENT.search(test.as_string()):
        return True
    return any(
        operator in ("<", ">", "<=", ">=")
        for compare in test.nodes_of_class(nodes.Compare)
        for operator, _ in compare.ops
    )


def _is_compared(use: nodes.NodeNG) -> bool:
    return isinstance(use.parent, nodes.Compare) and constant(use.parent.ops[0][1]) is None


def _call_given(use: nodes.NodeNG) -> nodes.Call | None:
    """Return the ``load_state_dict`` or ``save`` that *use*, an item of it or what is made of it is given to."""
    for above in ancestors(use):
        if isinstance(above, nodes.Call) and last_name(above.func) in ("load_state_dict", "save"):
            return above
        if above.is_statement:
            break
    return None


# -- states that are shared by loading ----------------------------------------------------------------


def _shared(source: Source, call: nodes.Call, loading: nodes.Call) -> Iterator[Finding]:
    """Yield a finding if what *loading* is called on and the owner of the state at *call* share it from then on."""
    if not isinstance(loading.func, nodes.Attribute) or call not in loading.args[:1]:
        return
    first, second = call.func.expr, loading.func.expr
    texts = dotted(first), dotted(second)
    if None in texts or texts[0] == texts[1]:
        return
    if any(keyword.arg == "assign" and constant(keyword.value) is True for keyword in loading.keywords or ()):
        if source.kinds.of(first, "module") and _is_used_after(source, first, loading):
            what = "parameters"
        else:
            return
    elif all(source.kinds.of(each, "optimizer") for each in (first, second)) and all(
        _steps_after(source, each, loading) for each in (first, second)
    ):
        what = "state"
    else:
        return
    yield Finding(
        loading,
        f"'{texts[1]}' and '{texts[0]}' share their {what} from here on; "
        f"load 'copy.deepcopy({texts[0]}.state_dict())'",
    )


def _steps_after(source: Source, optimizer: nodes.NodeNG, loading: nodes.Call) -> bool:
    text = dotted(optimizer)
    return any(
        dotted(getattr(step.func, "expr", None)) == text
        and (function_of(step) is not function_of(loading) or step.fromlineno > loading.fromlineno)
        for step in source.index.calls.get("step", ())
        if class_of(step) is class_of(loading)
    )


def _is_used_after(source: Source, module: nodes.NodeNG, loading: nodes.Call) -> bool:
    if not isinstance(module, nodes.Name):
        return True
    scope = function_of(loading)
    names = source.index.within(scope, nodes.Name) if scope.parent is not None else source.index.of(nodes.Name)
    return any(use.name == module.name and use.fromlineno > loading.tolineno for use in names)
