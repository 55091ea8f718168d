"""The project a file belongs to: where its first-party modules are, read on demand."""
from __future__ import annotations

import functools
import os
import tokenize
from collections.abc import Iterator
from typing import Protocol

from astroid import nodes

from flake8_torch_pitfalls.analysis.imported import ImportedModule
from flake8_torch_pitfalls.analysis.tree import parse
from flake8_torch_pitfalls.torch_model.names import modelled

MODULES_PER_FILE = 60
LARGEST_MODULE = 400_000
LINES_KEPT = 20_000
MARKERS = (".git", "pyproject.toml", "setup.cfg", "setup.py")
WITHOUT_NAME = ("stdin", "-")


class Files(Protocol):
    """A file system to read modules from."""

    def is_file(self, path: str) -> bool:
        """Return whether *path* is a file."""

    def is_folder(self, path: str) -> bool:
        """Return whether *path* is a folder."""

    def module(self, path: str, name: str) -> nodes.Module | None:
        """Return the tree of the file at *path*, None if it cannot be read or parsed."""


class Disk:
    """The files as they stand on disk now. A tree is made again when its file has changed."""

    is_file = staticmethod(os.path.isfile)
    is_folder = staticmethod(os.path.isdir)

    def module(self, path: str, name: str) -> nodes.Module | None:
        """Return the tree of the file at *path*."""
        try:
            stat = os.stat(path)
            if stat.st_size > LARGEST_MODULE:
                return None
            return _trees.get(path, name, stat.st_mtime_ns, stat.st_size)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None


class Trees:
    """The modules imported last, for files of one project import the same ones.

    What is kept is bounded by the lines behind it, since a line costs about a kilobyte.
    """

    def __init__(self, most_lines: int) -> None:
        self.most_lines = most_lines
        self._kept: dict[tuple[str, int, int], tuple[nodes.Module, int]] = {}
        self._lines = 0

    def get(self, path: str, name: str, mtime: int, size: int) -> nodes.Module:
        """Return the module at *path*; *mtime* and *size* tell an edited file from the one that was read.

        Raises OSError, SyntaxError, ValueError or RecursionError where there is none.
        """
        kept = self._kept.pop((path, mtime, size), None)
        if kept is None:
            with tokenize.open(path) as stream:
                text = stream.read()
            kept = ImportedModule(text, name, path, os.path.basename(path) == "__init__.py"), text.count("\n")
            self._lines += kept[1]
        self._kept[path, mtime, size] = kept  # last in order: the one used last
        while self._lines > self.most_lines and len(self._kept) > 1:
            self._lines -= self._kept.pop(next(iter(self._kept)))[1]
        return kept[0]


_trees = Trees(LINES_KEPT)


class Project:
    """First-party modules around one linted file.

    *roots* are folders given by the user; without them they are guessed from where the file lies.
    """

    def __init__(self, filename: str, roots: tuple[str, ...], files: Files) -> None:
        self._files = files
        self._seen: dict[str, nodes.Module | None] = {}
        nameless = os.path.basename(filename) in WITHOUT_NAME or filename.endswith(".ipynb")
        self.path = os.path.abspath(filename)
        self._roots = roots or tuple(
            dict.fromkeys([os.getcwd()] if nameless and os.sep not in filename else self._guess())
        )

    def _guess(self) -> Iterator[str]:
        """Yield folders where imports may start: above the topmost package, then upwards to the project."""
        folder = os.path.dirname(self.path)
        while self._files.is_file(os.path.join(folder, "__init__.py")):
            above = os.path.dirname(folder)
            if above == folder:
                break
            folder = above
        yield folder
        passed = []
        while True:
            passed += [folder, os.path.join(folder, "src")]
            if any(self._files.is_file(p) or self._files.is_folder(p) for p in _inside(folder, MARKERS)):
                yield from passed
                return
            above = os.path.dirname(folder)
            if above == folder:
                return
            folder = above

    def adopt(self, module: nodes.Module) -> None:
        """Let imports of the linted file itself mean *module*, its text as it is now."""
        stem = os.path.splitext(self.path)[0]
        self._seen[stem.removesuffix(os.sep + "__init__")] = module

    def imported(self, importer: nodes.Module, name: str, level: int) -> nodes.Module | None:
        """Return the project's module that ``import name`` (or ``from ..name``) means in *importer*.

        None means that it is none of the project's, or is too large, broken, or one too many.
        """
        if level:
            folder = os.path.dirname(importer.file or self.path)
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._at(folder, name)
        if not name or modelled(name):
            return None
        for root in self._roots:
            module = self._at(root, name)
            if module is not None:
                return module
        return None

    def _at(self, folder: str, name: str) -> nodes.Module | None:
        stem = os.path.join(folder, *name.split(".")) if name else folder
        if stem not in self._seen:
            self._seen[stem] = self._load(stem, name)
        return self._seen[stem]

    def _load(self, stem: str, name: str) -> nodes.Module | None:
        for path in (os.path.join(stem, "__init__.py"), stem + ".py"):
            if path != self.path and self._files.is_file(path):
                if sum(module is not None for module in self._seen.values()) >= MODULES_PER_FILE:
                    return None
                return self._files.module(path, name or os.path.basename(stem))
        if name and self._files.is_folder(stem):
            return _namespace_package(stem, name)
        return None


@functools.lru_cache(maxsize=64)
def _namespace_package(folder: str, name: str) -> nodes.Module:
    """Return an empty module for a *folder* without ``__init__.py``, through which others are imported."""
    return parse("", name, os.path.join(folder, "__init__.py"), package=True)


def _inside(folder: str, names: tuple[str, ...]) -> Iterator[str]:
    return (os.path.join(folder, name) for name in names)
