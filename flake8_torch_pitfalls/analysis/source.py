"""A file as the rules see it: its tree, its names, and what was asked of them before."""
from __future__ import annotations

import ast
import functools
import itertools

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.events import Runs
from flake8_torch_pitfalls.analysis.kinds import Kinds
from flake8_torch_pitfalls.analysis.losses import Losses
from flake8_torch_pitfalls.analysis.project import Disk, Files, Project
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tensors import Tensors
from flake8_torch_pitfalls.analysis.tree import Index, Module, parse
from flake8_torch_pitfalls.settings import Settings


class Source:
    """One linted file.

    Raises SyntaxError or ValueError for a text that is no Python, RecursionError for one too deep.
    """

    def __init__(
        self,
        filename: str,
        text: str,
        settings: Settings,
        files: Files | None = None,
        parsed: ast.AST | None = None,
    ) -> None:
        self.settings = settings
        self.text = text
        self.project = Project(filename, settings.source_roots, files or Disk())
        self.module: Module = parse(text, "", self.project.path, filename.endswith("__init__.py"), parsed)
        self.project.adopt(self.module)
        self.names = Names(self.module, self.project, settings.declared)
        self.kinds = Kinds(self.names)
        self.runs = Runs(self.names, self.kinds)
        self.tensors = Tensors(self.names, self.kinds)
        self.losses = Losses(self.names)

    @functools.cached_property
    def shapes(self) -> Tensors:
        """The value pass with sizes and strides, for the few scopes whose rules ask for them."""
        return Tensors(self.names, self.kinds, follows_shapes=True)

    @functools.cached_property
    def index(self) -> Index:
        """Where the file mentions what."""
        return self.module.index

    def close(self) -> None:
        """Cut the cycles of trees and graphs: their memory goes at once, and no collector has to look through it."""
        self.runs.close()
        for node in itertools.chain.from_iterable(self.index.by_type.values()):
            node.parent = None
            scopes.forget(node)
            if (docstring := getattr(node, "doc_node", None)) is not None:  # no child of its scope
                docstring.parent = None
            for names in getattr(node, "locals", {}).values():
                for implied in names:  # __module__ and its like, which astroid gives to classes
                    implied.parent = None
        vars(self.index).clear()
