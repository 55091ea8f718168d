"""Which random numbers a file seeds, itself or through the helpers of the project that it calls."""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import last_name

SEEDS = {
    "torch.manual_seed": "torch",
    "torch.random.manual_seed": "torch",
    "torch.cuda.manual_seed": "torch",
    "torch.cuda.manual_seed_all": "torch",
    "numpy.random.seed": "numpy",
    "numpy.random.set_state": "numpy",
    "random.seed": "random",
    "random.setstate": "random",
}
"""Functions that seed the global generator of a library, and the library."""
_METHODS = frozenset(("seed", "manual_seed", "initial_seed"))
"""Names under which one generator or environment is seeded, not a library."""
_DEEPEST = 3


def seeding_calls(source: Source) -> Iterator[tuple[nodes.Call, frozenset[str] | None]]:
    """Yield the calls in the file that seed libraries, in the order of the text, with these libraries.

    None stands for those that a call of code out of view seeds.
    """
    names = {part.rpartition(".")[2] for part in SEEDS} | {name for name in source.index.calls if "seed" in name}
    calls = [call for name in names for call in source.index.calls.get(name, ())]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        libraries = _seeded_by(source, call, 0)
        if libraries != frozenset():
            yield call, libraries


def _seeded_by(source: Source, call: nodes.Call, depth: int) -> frozenset[str] | None:
    symbol, name = source.names.symbol(call.func), last_name(call.func) or ""
    if symbol in SEEDS:
        return frozenset((SEEDS[symbol],))
    functions = source.names.callee(call) if depth < _DEEPEST else []
    if functions:
        inner = [
            _seeded_by(source, called, depth + 1)
            for function in functions
            for called in source.names.index_of(function.node).calls_in.get(function.node, ())
            if "seed" in (last_name(called.func) or "")
        ]
        return None if None in inner else frozenset().union(*(found for found in inner if found is not None))
    return None if "seed" in name and name not in _METHODS and symbol is None else _by_framework(symbol, name)


def _by_framework(symbol: str | None, name: str) -> frozenset[str] | None:
    """Return what a function outside the project seeds: ``lightning.seed_everything`` and its like seed everything."""
    known = symbol is None or symbol.startswith(("torch.", "numpy.", "random.")) or name in _METHODS
    return frozenset() if known or "seed" not in name else None


def imported_words(source: Source) -> Iterator[frozenset[str]]:
    """Yield the words of each top-level statement in the modules of the project that the file imports."""
    for statement in source.index.of(nodes.ImportFrom, nodes.Import):
        level = getattr(statement, "level", 0) or 0
        modules = [statement.modname] if isinstance(statement, nodes.ImportFrom) else [n for n, _ in statement.names]
        for name in modules:
            module = source.project.imported(source.module, name, level)
            if isinstance(module, ImportedModule):
                for _, words in module.words:
                    yield words
