"""What a pitfall is, and the registry that finds them.

A pitfall is one module in a folder of ``pitfalls``: its file name gives code and name
(``tp101_missing_zero_grad.py``), its docstring is its page, and it defines

- ``WORDS``: names of which at least one must stand in the text, or the rule is not asked,
- ``check(source)``: a generator of findings.

Nothing is listed by hand: a new file is a new pitfall.
"""
from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from flake8_torch_pitfalls import pitfalls
from flake8_torch_pitfalls.finding import Finding

if TYPE_CHECKING:
    from flake8_torch_pitfalls.analysis.source import Source

_MODULE = re.compile(r"\.(?P<area>\w+)\.tp(?P<digits>\d{3})_(?P<name>\w+)$")


@dataclasses.dataclass(frozen=True, slots=True)
class Pitfall:
    """A kind of fault: code ``TPxxx``, name in kebab case, the page's text, and how it is found."""

    code: str
    name: str
    area: str
    page: str
    words: frozenset[str]
    check: Callable[[Source], Iterable[Finding]]

    @property
    def default(self) -> bool:
        """Whether the code is on unless the user says otherwise; advice (TP9xx) is not."""
        return not self.code.startswith("TP9")

    @property
    def headline(self) -> str:
        """The first line of the page: what happens, in one sentence."""
        return self.page.partition("\n")[0]


@functools.cache
def modules() -> tuple[tuple[str, str], ...]:
    """Return (code, dotted module name) of every pitfall there is, by code, importing no rule."""
    found = []
    for info in pkgutil.walk_packages(pitfalls.__path__, pitfalls.__name__ + "."):
        if match := _MODULE.search(info.name):
            found.append(("TP" + match["digits"], info.name))
    return tuple(sorted(found))


@functools.cache
def load(module_name: str) -> Pitfall:
    """Return the pitfall that the module *module_name* defines."""
    match = _MODULE.search(module_name)
    assert match is not None, module_name
    module = importlib.import_module(module_name)
    return Pitfall(
        code="TP" + match["digits"],
        name=match["name"].replace("_", "-"),
        area=match["area"].replace("_", "-"),
        page=(module.__doc__ or "").strip(),
        words=frozenset(module.WORDS),
        check=module.check,
    )


def chosen(wanted: Callable[[str], bool]) -> list[Pitfall]:
    """Return the pitfalls whose codes are *wanted*, by code, importing no other rule."""
    return [load(name) for code, name in modules() if wanted(code)]


@functools.cache
def registry() -> tuple[Pitfall, ...]:
    """Return all pitfalls in the order of their codes."""
    return tuple(load(name) for _, name in modules())
