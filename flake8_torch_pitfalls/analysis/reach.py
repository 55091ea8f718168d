"""Which functions can reach a call of a given name: by names alone, as a sieve before anything is followed."""
from __future__ import annotations

import collections
from collections.abc import Iterable

from astroid import nodes

from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.project import Project
from flake8_torch_pitfalls.analysis.tree import Module, class_of, function_of, last_name


def reaching(module: Module, project: Project, words: frozenset[str]) -> frozenset[str]:
    """Return the names by which functions are called, in *module*, that may lead to a call of one of *words*.

    Functions of the files that *module* imports count, not what those import in turn.
    """
    index = module.index
    callers: dict[str, set[nodes.NodeNG]] = collections.defaultdict(set)
    for name, calls in index.calls.items():
        callers[name].update(function_of(call) for call in calls)
    found = set(words) | _imported(module, project, words)
    waiting = set(found)
    while waiting:
        scopes = {scope for name in waiting for scope in callers.get(name, ())}
        waiting = {name for scope in scopes for name in _called_as(scope)} - found
        found |= waiting
    return frozenset(found)


def _called_as(scope: nodes.NodeNG) -> list[str]:
    if not isinstance(scope, nodes.FunctionDef):
        return []
    owner = class_of(scope)
    return [scope.name, owner.name] if owner is not None and scope.name == "__init__" else [scope.name]


def _imported(module: Module, project: Project, words: frozenset[str]) -> set[str]:
    index = module.index
    mentioned = index.reads.keys()
    bases = {last_name(base) for node in index.of(nodes.ClassDef) for base in node.bases}
    found: set[str] = set()
    for statement in index.of(nodes.ImportFrom):
        wanted = {alias or name: name for name, alias in statement.names if (alias or name) in mentioned | bases}
        other = project.imported(module, statement.modname, statement.level or 0) if wanted else None
        if isinstance(other, ImportedModule):
            named = other.reaching(words)
            found |= {alias for alias, name in wanted.items() if name in named}
            found |= {method for name in wanted.values() for method in named.get(name, ())}
        if other is not None and (other.package or other is module):
            paths = [f"{statement.modname}.{name}".lstrip(".") for name in wanted.values()]
            found |= _of_modules(module, project, words, paths, statement.level or 0)
    paths = [name for statement in index.of(nodes.Import) for name, _ in statement.names]
    return found | _of_modules(module, project, words, paths, 0)


def _of_modules(
    module: Module, project: Project, words: frozenset[str], paths: Iterable[str], level: int
) -> set[str]:
    """Return the names below modules of the project, imported as such, that may lead to a call of one of *words*."""
    found: set[str] = set()
    for path in paths:
        other = project.imported(module, path, level)
        if isinstance(other, ImportedModule):
            for name, methods in other.reaching(words).items():
                found |= {name, *methods}
    return found
