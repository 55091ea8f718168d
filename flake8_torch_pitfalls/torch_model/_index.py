"""What each stub file defines, found by pattern so that nothing is parsed before it is asked for.

The stubs keep to a plain layout: every import stands on one line, every ``def`` too, and members of
a class are indented by four spaces.
"""
from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from flake8_torch_pitfalls.torch_model.names import stub_files

_STATEMENT = re.compile(
    r"""^(?P<indent>[ ]*)(?:
        (?P<decorated>(?:@.+\n[ ]*)*)(?P<keyword>def|class)[ ](?P<defined>\w+)
        | (?P<value>\w+)(?P<sign>:|[ ]=)[ ]
        | from[ ](?P<source>\S+)[ ]import[ ](?P<imported>.+)
        | import[ ](?P<module>\S+)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_BASES = re.compile(r"class \w+\((.*)\):")


@dataclass(frozen=True, slots=True)
class Definition:
    """One name in a stub: where it is defined, and the text of each of its overloads."""

    kind: Literal["class", "function", "value", "reference", "module"]
    module: str
    name: str
    sources: tuple[str, ...] = ()
    target: str = ""
    """For a re-export or an alias: the dotted name it stands for."""


def _statements(text: str, indent: int) -> list[tuple[re.Match[str], str]]:
    """Return the statements at this depth, each with its full text."""
    found = [match for match in _STATEMENT.finditer(text) if len(match["indent"]) == indent]
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [(match, text[match.start() : end].rstrip()) for match, end in zip(found, ends)]


def _definitions(module: str, text: str, indent: int, prefix: str = "") -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for match, source in _statements(text, indent):
        if match["defined"]:
            name = match["defined"]
            kind: Literal["class", "function"] = "class" if match["keyword"] == "class" else "function"
            earlier = found[name].sources if name in found else ()
            found[name] = Definition(kind, module, prefix + name, (*earlier, source))
        elif match["sign"] == ":":
            found[match["value"]] = Definition("value", module, prefix + match["value"], (source,))
        elif match["value"]:
            target = source.partition(" = ")[2]
            found[match["value"]] = Definition(
                "reference", module, prefix + match["value"], target=f"{module}.{prefix}{target}"
            )
        elif match["source"]:
            for part in match["imported"].split(", "):
                real, _, bound = part.partition(" as ")
                target = f"{match['source']}.{real}"
                found[bound or real] = Definition("reference", module, bound or real, target=target)
        elif match["module"]:
            root = match["module"].partition(".")[0]
            found[root] = Definition("reference", module, root, target=root)
    return found


@functools.cache
def definitions(module: str) -> dict[str, Definition]:
    """Return what the stub of *module* defines or re-exports, and its submodules, by name."""
    text = stub_files()[module].read_text(encoding="utf-8")
    found = _definitions(module, text, 0)
    prefix = f"{module}."
    for child in stub_files():
        parent, _, name = child.rpartition(".")
        if parent == module and name not in found:
            found[name] = Definition("module", module, name, target=prefix + name)
    return found


@functools.cache
def members(owner: Definition) -> dict[str, Definition]:
    """Return what the body of a class defines by itself, by name."""
    return _definitions(owner.module, owner.sources[0], 4, f"{owner.name}.")


def bases(owner: Definition) -> tuple[str, ...]:
    """Return the bases of a class as its header writes them."""
    header = _BASES.match(owner.sources[0])
    return tuple(header[1].split(", ")) if header else ()


def longest_stub(dotted: str) -> tuple[str, list[str]]:
    """Split *dotted* into the longest module that has a stub and what follows it."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if module in stub_files():
            return module, parts[length:]
    return "", parts
