"""Which optimizer an event is about, and which gradients a clearing clears.

Three answers: True where the text shows it, False where it shows the contrary, None where it shows neither.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.events import Do, Event, Run, Stop
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.places import Place, place
from flake8_torch_pitfalls.analysis.protocol import reachable
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import argument, last_name, walk
from flake8_torch_pitfalls.analysis.values import UNKNOWN, Instance

_GIVE_PARAMETERS = ("parameters", "named_parameters", "trainable_parameters")


def clears(names: Names, kinds: Kinds, clear: Event, step: Event) -> bool | None:
    """Return whether *clear* clears the gradients of the optimizer that takes *step*."""
    if clear.subject is None or step.subject is None or clear.detail == "one parameter":
        return None
    if clear.place is not None and step.place is not None and clear.place.holds(step.place):
        return True
    return clears_by(names, kinds, clear.subject, step.subject)


def clears_by(names: Names, kinds: Kinds, cleared: nodes.NodeNG, optimizer: nodes.NodeNG) -> bool | None:
    """Return whether ``cleared.zero_grad()`` clears the gradients of *optimizer*, wherever the two stand."""
    if kinds.of(cleared, "optimizer") or (kinds.is_unknown(cleared) and kinds.named_like(cleared, "optimizer")):
        return same(names, cleared, optimizer)
    return _module_covers(names, kinds, cleared, optimizer)


def same(names: Names, one: nodes.NodeNG, other: nodes.NodeNG) -> bool | None:
    """Return whether the expressions *one* and *other* are one object."""
    here, there = place(names, one), place(names, other)
    if here is not None and here == there:
        return True
    made_here, made_there = made(names, one), made(names, other)
    if made_here and made_there:
        if not made_here & made_there:
            return False
        return True if len(made_here | made_there) == 1 else None
    if here is not None and there is not None and _are_two_variables(names, here, there):
        return False
    return None


def made(names: Names, node: nodes.NodeNG) -> frozenset[nodes.NodeNG]:
    """Return the calls that may have made the object *node*; none if some of it is unknown."""
    values = names.values(node)
    if UNKNOWN in values:
        return frozenset()
    return frozenset(
        value.made_at for value in values if isinstance(value, Instance) and value.made_at is not None
    )


def touches(names: Names, event: Event, step: Event) -> bool:
    """Return whether *event* is about the optimizer of *step*, or about an object that holds it."""
    if event.place is not None and step.place is not None and event.place.holds(step.place):
        return True
    if event.subject is None or step.subject is None:
        return False
    return same(names, event.subject, step.subject) is True


def modules_of(names: Names, optimizer: nodes.NodeNG) -> list[nodes.NodeNG] | None:
    """Return the modules whose parameters *optimizer* holds, None if the text does not show all of them."""
    found: list[nodes.NodeNG] = []
    calls = made(names, optimizer)
    for call in calls:
        given = argument(call, 0, "params") if isinstance(call, nodes.Call) else None
        below = list(_parameter_sources(given)) if given is not None else []
        if not below:
            return None
        found += below
    return found or None


def _parameter_sources(given: nodes.NodeNG, depth: int = 0) -> Iterator[nodes.NodeNG]:
    for node in walk(given):
        if isinstance(node, nodes.Call) and last_name(node.func) in _GIVE_PARAMETERS:
            if isinstance(node.func, nodes.Attribute):
                yield node.func.expr
        elif isinstance(node, nodes.Name) and depth < 2:
            for definition in scopes.definitions(node, node.name):
                if isinstance(definition.parent, nodes.Assign):
                    yield from _parameter_sources(definition.parent.value, depth + 1)


def _module_covers(names: Names, kinds: Kinds, module: nodes.NodeNG, optimizer: nodes.NodeNG) -> bool | None:
    here, there = place(names, module), place(names, optimizer)
    if here is not None and there is not None and here.holds(there):
        return True  # self.zero_grad() of a module that keeps its optimizer
    held = modules_of(names, optimizer)
    if held is None:
        return None
    answers = {_module_holds(names, kinds, module, part) for part in held}
    return answers.pop() if len(answers) == 1 else None


def _module_holds(names: Names, kinds: Kinds, module: nodes.NodeNG, part: nodes.NodeNG) -> bool | None:
    here, there = place(names, module), place(names, part)
    if here is not None and there is not None and here.holds(there):
        return True
    if there is not None and here is not None and there.holds(here):
        return None
    answer = same(names, module, part)
    if answer is False and any(_is_built_from_modules(kinds, call) for call in made(names, module)):
        return None
    return answer


def _is_built_from_modules(kinds: Kinds, call: nodes.NodeNG) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords or ())] if isinstance(call, nodes.Call) else []
    return any(kinds.of(node, "module") for node in given)


def _are_two_variables(names: Names, here: Place, there: Place) -> bool:
    """Return whether two places are two attributes of one class, or two parameters, that nothing makes one."""
    if "[" in here.path or "[" in there.path:
        return False
    if here.owner is there.owner and isinstance(here.owner, nodes.FunctionDef):
        parameters = {parameter.name for parameter in here.owner.args.arguments}
        return here.path != there.path and {here.path, there.path} <= parameters
    if isinstance(here.owner, nodes.ClassDef) and isinstance(there.owner, nodes.ClassDef):
        if here.owner not in names.mro(there.owner) and there.owner not in names.mro(here.owner):
            return True
        one, other = _given_values(names, here), _given_values(names, there)
        return here.path != there.path and one.isdisjoint(other) and here.path not in other and there.path not in one
    return False


def _given_values(names: Names, where: Place) -> set[str]:
    """Return the texts of what is assigned to the attribute at *where*."""
    attribute = where.path.rpartition(".")[2]
    return {
        target.parent.value.as_string()
        for target in names.stores(where.owner, attribute)
        if isinstance(target.parent, nodes.Assign)
    }


def never_sees_gradients(names: Names, kinds: Kinds, run: Run, step: Stop) -> bool:
    """Return whether gradients are cleared on every path from any backward pass of *run* to *step*."""
    assert step.event is not None
    taken = step.event

    def surely_clears(event: Event) -> bool:
        return event.do is Do.CLEAR and clears(names, kinds, event, taken) is True

    return not any(
        after is step for backward in run.events(Do.BACKWARD) for after in reachable(run, backward, surely_clears)
    )


def is_framework(event: Event) -> bool:
    """Return whether a framework takes the backward pass, and may clear gradients by itself."""
    return event.do is Do.BACKWARD and (event.detail == "framework" or last_name(event.node.func) == "manual_backward")


def is_plain(event: Event | None) -> bool:
    """Return whether *event* names what it is about, and no framework takes it."""
    return event is not None and event.subject is not None and not is_framework(event)
