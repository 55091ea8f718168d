"""What the tests share: linting files that stand in memory, and reading the marks of the corpus."""
from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from astroid import nodes

from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.report import findings
from flake8_torch_pitfalls.settings import NEWEST_TORCH, Settings

EXAMPLES = Path(__file__).parent.parent / "examples"
Found = tuple[int, int, str]
"""(line, column from 1, code)"""


class MemoryFiles:
    """A file system that holds just these files, by absolute path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def is_file(self, path: str) -> bool:
        """Return whether there is a file at *path*."""
        return path in self.texts

    def is_folder(self, path: str) -> bool:
        """Return whether a file lies below *path*."""
        return any(name.startswith(path.rstrip(os.sep) + os.sep) for name in self.texts)

    def module(self, path: str, name: str) -> nodes.Module | None:
        """Return the tree of the file at *path*."""
        return ImportedModule(self.texts[path], name, path, os.path.basename(path) == "__init__.py")


def check(
    source: str | Mapping[str, str],
    select: Iterable[str] = ("TP",),
    torch_version: tuple[int, int] = NEWEST_TORCH,
) -> list[Found]:
    """Lint the first of the files in *source* (or the one text), the others in reach of its imports.

    Codes that begin with an entry of *select* are reported, advice only if the entry begins with "TP9".
    """
    texts = {"a.py": source} if isinstance(source, str) else source
    files = {os.path.join("/project", name): textwrap.dedent(text) for name, text in texts.items()}
    files["/project/pyproject.toml"] = ""
    first = next(iter(files))
    chosen = tuple(select)
    advice = tuple(prefix for prefix in chosen if prefix.startswith("TP9"))
    settings = Settings(
        torch_version=torch_version,
        wanted=lambda code: code.startswith(advice if code.startswith("TP9") else chosen),
    )
    return [
        (line, column + 1, message.partition(" ")[0])
        for line, column, message in findings(first, files[first], settings, MemoryFiles(files))
    ]


def codes(source: str | Mapping[str, str], select: Iterable[str] = ("TP",)) -> list[str]:
    """Return the codes found in *source*, in the order of the text."""
    return [code for _, _, code in check(source, select)]


def lint(path: Path) -> list[tuple[int, int, str]]:
    """Return (line, column from 1, "CODE message") of all findings in a file on disk, advice too."""
    text = path.read_text(encoding="utf-8")
    found = findings(str(path), text, Settings(wanted=lambda code: True))
    return [(line, column + 1, message) for line, column, message in found]


def expected(path: Path) -> list[Found]:
    """Return what the ``# expect: TP101:13, TP204:5`` marks of a file of the corpus announce."""
    return marks(path.read_text(encoding="utf-8"))


def marks(text: str) -> list[Found]:
    """Return the findings that the ``# expect:`` marks in *text* announce."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.search(r"# expect: (.+)$", line):
            for code, column in re.findall(r"(TP\d{3}):(\d+)", match[1]):
                found.append((number, int(column), code))
    return sorted(found)
