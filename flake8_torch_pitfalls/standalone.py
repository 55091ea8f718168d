"""flake8 with a single checker: this plugin. What ``check`` on the command line runs.

Configuration, ``# noqa``, exclusion, jobs and formats are flake8's own. Only its search for plugins is
narrowed, here and in the workers that it starts, so that no other checker is imported or run.
"""
from __future__ import annotations

import configparser
import contextlib
import importlib.metadata
from collections.abc import Iterator, Sequence

from flake8 import checker
from flake8.main.application import Application
from flake8.plugins import finder

import flake8_torch_pitfalls

OURS = finder.Plugin(
    "flake8-torch-pitfalls",
    flake8_torch_pitfalls.__version__,
    importlib.metadata.EntryPoint("TP", "flake8_torch_pitfalls:Checker", "flake8.extension"),
)
UNREADABLE = "E9"  # flake8's own codes for a file that it cannot read or parse

_find_all = finder.find_plugins
_start_worker = checker._mp_init  # type: ignore[attr-defined]  # private, and the same since flake8 6.0


class _Standalone(Application):
    def make_guide(self) -> None:
        """Select by default what flake8 says of unreadable files too, as pycodestyle's presence would."""
        assert self.options is not None
        self.options.extended_default_select.append(UNREADABLE)
        super().make_guide()


def check(argv: Sequence[str]) -> int:
    """Run flake8 on its command line *argv* with our checker alone; return the exit status."""
    application = _Standalone()
    with _narrowed():
        application.run(argv)
    return application.exit_code()


@contextlib.contextmanager
def _narrowed() -> Iterator[None]:
    finder.find_plugins = _find_ours
    setattr(checker, "_mp_init", _start_narrowed_worker)
    try:
        yield
    finally:
        finder.find_plugins = _find_all
        setattr(checker, "_mp_init", _start_worker)


def _find_ours(cfg: configparser.RawConfigParser, opts: finder.PluginOptions) -> list[finder.Plugin]:
    """Find what flake8 finds, less every checker but ours."""
    found = _find_all(cfg, opts)
    return [OURS, *(plugin for plugin in found if plugin.entry_point.group == "flake8.report")]


def _start_narrowed_worker(argv: Sequence[str]) -> None:
    """Start a worker. One that was not forked knows nothing of what was narrowed in its parent."""
    finder.find_plugins = _find_ours
    _start_worker(argv)
