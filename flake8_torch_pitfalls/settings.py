"""The options of the plugin, and which codes the user asked for."""
from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from flake8.exceptions import ExecutionError

if TYPE_CHECKING:
    import argparse

    from flake8.options.manager import OptionManager

NEWEST_TORCH = (2, 13)
ADVICE = "TP9"


def _everything(code: str) -> bool:
    return not code.startswith(ADVICE)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the user asked for.

    ``torch_version`` is the oldest torch the code must run on, as (major, minor). ``declared`` are dotted
    names of third-party classes, and for each the class of torch's that it stands for. ``source_roots`` are
    the folders where first-party imports start; empty means guess. ``wanted`` says whether a code is to be
    reported; ``reports_any`` is False where an explicit ``select`` names other plugins only.
    """

    torch_version: tuple[int, int] = NEWEST_TORCH
    declared: Mapping[str, str] = dataclasses.field(default_factory=dict)
    source_roots: tuple[str, ...] = ()
    wanted: Callable[[str], bool] = _everything
    reports_any: bool = True


def add_options(manager: OptionManager) -> None:
    """Declare the options on flake8's *manager*: on the command line and in its configuration alike."""
    manager.add_option(
        "--torch-version",
        default=".".join(map(str, NEWEST_TORCH)),
        metavar="X.Y",
        parse_from_config=True,
        help="oldest torch the code must run on (default: %(default)s)",
    )
    for name, what in (
        ("--torch-module-bases", "third-party classes to treat as torch.nn.Module"),
        ("--torch-optimizers", "third-party classes to treat as torch.optim.Optimizer"),
    ):
        manager.add_option(
            name,
            default="",
            metavar="NAMES",
            parse_from_config=True,
            comma_separated_list=True,
            help=f"{what}, as dotted names",
        )
    manager.add_option(
        "--torch-source-roots",
        default="",
        metavar="PATHS",
        parse_from_config=True,
        comma_separated_list=True,
        normalize_paths=True,
        help="folders where first-party imports start, when guessing them is wrong",
    )


def settings_from(options: argparse.Namespace) -> Settings:
    """Return the settings in flake8's *options*.

    Raises flake8's ExecutionError, which flake8 prints as one line, for a version that is none.
    """
    version = str(getattr(options, "torch_version", None) or ".".join(map(str, NEWEST_TORCH)))
    match = re.fullmatch(r"(\d+)\.(\d+)(?:\.\w+)*", version.strip())
    if match is None:
        raise ExecutionError(f"torch-version must look like 2.4, not {version!r}")
    select, extend = getattr(options, "select", None), getattr(options, "extend_select", None) or ()
    return Settings(
        torch_version=(int(match[1]), int(match[2])),
        declared={
            **dict.fromkeys(_list(options, "torch_module_bases"), "torch.nn.Module"),
            **dict.fromkeys(_list(options, "torch_optimizers"), "torch.optim.Optimizer"),
        },
        source_roots=_list(options, "torch_source_roots"),
        wanted=_selection(select or (), extend, options),
        reports_any=select is None or any("TP".startswith(entry[:2]) for entry in (*select, *extend)),
    )


def _list(options: argparse.Namespace, name: str) -> tuple[str, ...]:
    return tuple(filter(None, getattr(options, name, None) or ()))


def _selection(
    select: Sequence[str], extend: Sequence[str], options: argparse.Namespace
) -> Callable[[str], bool]:
    """Return the question whether a code is to be reported.

    flake8 decides, and one thing more: a code of advice wants an entry that names advice. flake8 alone
    would switch advice on for ``--select=TP``, and wherever ``ignore=`` replaces its default list.
    """
    from flake8.style_guide import Decision, DecisionEngine

    asked = tuple(entry for entry in (*select, *extend) if entry.startswith(ADVICE))
    decide = DecisionEngine(options).decision_for if hasattr(options, "extended_default_select") else None

    @functools.cache
    def wanted(code: str) -> bool:
        if code.startswith(ADVICE) and not code.startswith(asked):
            return False
        return decide is None or decide(code) is Decision.Selected

    return wanted
