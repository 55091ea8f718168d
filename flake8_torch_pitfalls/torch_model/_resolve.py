"""From any name a program can use to the one public name the model knows it by."""
from __future__ import annotations

import functools
from typing import Literal

from flake8_torch_pitfalls.torch_model._index import Definition, bases, definitions, longest_stub, members

_LONGEST_CHAIN = 32
"""How many re-exports are followed; a bound, since a stub could name itself."""


@functools.lru_cache(maxsize=16384)
def definition(dotted: str) -> Definition | None:
    """Return where *dotted* is defined, re-exports, aliases and inheritance followed."""
    try:
        return _follow(dotted, _LONGEST_CHAIN)
    except RecursionError:
        return None


def canonical(dotted: str) -> str:
    """Return the public name of what *dotted* stands for; an unknown name comes back unchanged."""
    found = definition(dotted)
    return full_name(found) if found else dotted


def full_name(found: Definition) -> str:
    """Return the dotted name of a definition."""
    return f"{found.module}.{found.name}" if found.name else found.module


def _follow(dotted: str, budget: int) -> Definition | None:
    if budget == 0:
        return None
    module, rest = longest_stub(dotted)
    if not module:
        return None
    if not rest:
        return Definition("module", module, "")
    known = definitions(module)
    if rest[0] not in known or len(rest) > 1 and known[rest[0]].kind == "function":
        # A private or deep path such as torch.nn.modules.linear.Linear: the package re-exports it.
        # Some functions share their name with the module they come from.
        rest = _without_submodules(rest if rest[0] not in known else rest[1:], known)
        if not rest:
            return None
    first, *others = rest
    found = known[first]
    if found.kind in ("reference", "module"):
        return _follow(".".join([found.target, *others]), budget - 1)
    if not others:
        return found
    if found.kind == "class" and len(others) == 1:
        return _inherited(full_name(found), others[0])
    return None


def _without_submodules(rest: list[str], known: dict[str, Definition]) -> list[str]:
    """Drop leading names of modules that have no stub, up to a name that the package has."""
    for start, name in enumerate(rest):
        if name in known and known[name].kind != "module":
            return rest[start:]
        if name[:1].isupper():
            break
    return []


def _inherited(dotted_class: str, name: str) -> Definition | None:
    for ancestor in ancestors(dotted_class):
        owner = definition(ancestor)
        if owner and owner.kind == "class" and name in members(owner):
            found = members(owner)[name]
            return _follow(found.target, _LONGEST_CHAIN) if found.kind == "reference" else found
    return None


def resolve_in(module: str, name: str) -> str:
    """Return the canonical name of *name*, dotted or not, as written inside the stub of *module*."""
    return canonical(f"{module}.{name}") if name.partition(".")[0] in definitions(module) else name


@functools.lru_cache(maxsize=4096)
def ancestors(dotted_class: str) -> tuple[str, ...]:
    """Return the canonical names of a class and all its bases, in method resolution order.

    Empty when the model does not know the class.
    """
    line = _line(dotted_class, frozenset())
    return (*line, "object") if line else ()


def _line(dotted_class: str, below: frozenset[str]) -> list[str]:
    found = definition(dotted_class)
    if found is None or found.kind != "class" or full_name(found) in below:
        return []
    name = full_name(found)
    lines = [_line(resolve_in(found.module, base), below | {name}) or [base] for base in bases(found)]
    return [name, *_merged(lines)]


def _merged(lines: list[list[str]]) -> list[str]:
    """Merge the orders of several bases: each class after all that derive from it."""
    order = []
    while lines := [line for line in lines if line]:
        head = next(
            (line[0] for line in lines if not any(line[0] in other[1:] for other in lines)), lines[0][0]
        )
        order.append(head)
        lines = [[name for name in line if name != head] for line in lines]
    return order


@functools.lru_cache(maxsize=16384)
def member(dotted_class: str, name: str) -> str | None:
    """Return the canonical name of a member, under the class that defines it."""
    found = _inherited(dotted_class, name)
    return full_name(found) if found else None


def kind(dotted: str) -> Literal["class", "function", "property", "value", "module"] | None:
    """Return what sort of thing *dotted* names, None if the model does not know it."""
    found = definition(dotted)
    if found is None or found.kind == "reference":
        return None
    if found.kind == "function" and found.sources[0].lstrip().startswith("@property"):
        return "property"
    return found.kind
