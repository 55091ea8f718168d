"""flake8's side of the plugin: the gate, the options and one stream of findings.

Nothing heavy is imported here: a file that never names torch costs a search in its text.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from flake8_torch_pitfalls.gate import names_torch
from flake8_torch_pitfalls.settings import Settings, add_options, settings_from

if TYPE_CHECKING:
    import argparse

    from flake8.options.manager import OptionManager


class Checker:
    """The plugin that flake8 loads through its entry point ``TP``.

    flake8 fills the parameters by their names; ``lines`` is the text that is linted, which in an editor
    is not what stands on disk.
    """

    name = "flake8-torch-pitfalls"

    def __init__(
        self,
        tree: ast.AST,
        filename: str = "stdin",
        lines: Sequence[str] = (),
        options: argparse.Namespace | None = None,
    ) -> None:
        self.tree = tree
        self.filename = filename
        self.lines = lines
        self.options = options

    @classmethod
    def add_options(cls, manager: OptionManager) -> None:
        """Declare the options of the plugin on flake8's *manager*."""
        add_options(manager)

    @staticmethod
    def parse_options(options: argparse.Namespace) -> None:
        """Refuse values of options that cannot be read, in one line and before any file is linted."""
        settings_from(options)

    def run(self) -> Iterator[tuple[int, int, str, type[Any]]]:
        """Yield (line, column from 0, "CODE message", type) in the order of the text, each once."""
        text = "".join(self.lines)
        if not names_torch(text):
            return
        settings = Settings() if self.options is None else settings_from(self.options)
        if not settings.reports_any:
            return
        from flake8_torch_pitfalls.report import findings  # imports astroid

        for line, column, message in findings(self.filename, text, settings, parsed=self.tree):
            yield line, column, message, type(self)
