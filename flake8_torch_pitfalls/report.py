"""Asks every wanted pitfall about one file and puts the answers in order. Never raises."""
from __future__ import annotations

import ast
import gc
import itertools
import re
from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.project import Files
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import position
from flake8_torch_pitfalls.pitfall import Pitfall, chosen
from flake8_torch_pitfalls.settings import Settings

FAILED = "TP000"
YOUNG = 20_000
"""Objects that Python makes before it looks for cycles among them; its own 700 suit programs with small trees."""
_done = itertools.count(1)


def findings(
    filename: str, text: str, settings: Settings, files: Files | None = None, parsed: ast.AST | None = None
) -> list[tuple[int, int, str]]:
    """Return (line, column from 0, "CODE message") of every fault, sorted and each once.

    *files* is where imported modules are read from, the disk by default; *parsed* is the tree that ``ast`` made
    of *text*, where the caller has one.
    What goes wrong inside a rule costs that rule's answer for this file and nothing else: one TP000 says so.
    """
    found: set[tuple[int, int, str]] = set()
    collecting = gc.isenabled()
    gc.disable()  # a tree is large and lives long: the collector takes a quarter of the time and finds nothing
    try:
        words = set(re.findall(r"\w+", text))
        asked = [pitfall for pitfall in chosen(settings.wanted) if not pitfall.words.isdisjoint(words)]
        if asked and (source := _opened(filename, text, settings, files, parsed)) is not None:
            for pitfall in asked:
                found.update(_ask(pitfall, source))
            source.close()
    except Exception as error:  # the promise to flake8 is that no file ends a run
        found.update(_failure("the analysis", error, settings))
    finally:
        if collecting:
            _leave_to_itself()
            gc.enable()
    return sorted(found)


def _leave_to_itself() -> None:
    """Exempt what is loaded by now from collection: astroid, the model of torch and imported files stay for good.

    Else every later collection, also those that other plugins cause, would look through all of it. Done after the
    files 1, 4, 16, 64 and so on, because what is exempt is never collected, another plugin's litter neither.
    """
    done = next(_done)
    if done == 1 and gc.get_threshold()[0] < YOUNG:
        gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    if done & (done - 1) == 0 and done.bit_length() % 2 == 1:
        gc.freeze()


def _opened(
    filename: str, text: str, settings: Settings, files: Files | None, parsed: ast.AST | None
) -> Source | None:
    """Return the file as the rules see it, None for a text that is no Python: flake8 reports that itself."""
    try:
        return Source(filename, text, settings, files, parsed)
    except (SyntaxError, ValueError):
        return None


def _ask(pitfall: Pitfall, source: Source) -> Iterator[tuple[int, int, str]]:
    try:
        for finding in pitfall.check(source):
            yield *position(finding.node), f"{pitfall.code} {finding.message}"
    except Exception as error:
        yield from _failure(f"{pitfall.code} {pitfall.name}", error, source.settings)


def _failure(what: str, error: Exception, settings: Settings) -> Iterator[tuple[int, int, str]]:
    if settings.wanted(FAILED):
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else type(error).__name__
        yield 1, 0, f"{FAILED} {what} could not analyse this file: {reason}"
