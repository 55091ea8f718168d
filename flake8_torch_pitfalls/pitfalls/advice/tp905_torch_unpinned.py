"""A requirement of torch names no version, so each installation may get another one.

## What happens
`install_requires=["torch"]` is content with any torch: an old one that lies around, or one released after the program
was written. Defaults change between versions (`torch.load` refuses most pickles since 2.6), names are removed, and
results of one seed may differ. The fault then shows on another machine, far from its cause.

## What to write
`"torch>=2.4,<3"` in a library, the exact version (`"torch==2.13.0"`, or a lock file) in a program.

## Silent
- A requirement with any version, or with an address: `torch>=2.0`, `torch @ https://…`.
- Other packages, and requirements that are read from a file.

## Known limits
Only `setup(install_requires=…)` and the inline metadata of scripts (`# /// script`) are read; `pyproject.toml` and
requirements files are not Python, and flake8 does not show them. A lock file beside the program is not looked for.

## Sources
- "Reproducibility", PyTorch notes: results are not guaranteed across releases.
- "Inline script metadata" and "Dependency specifiers", Python Packaging User Guide.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import is_open
from flake8_torch_pitfalls.analysis.values import Data
from flake8_torch_pitfalls.finding import Finding

WORDS = {"install_requires", "dependencies"}

_UNPINNED = re.compile(r"\s*torch\s*(\[[^]]*\]\s*)?(;.*)?")
_PACKAGES = ("setuptools", "distutils", "skbuild")
_METADATA = re.compile(r"^# /// script$\n(?P<content>(?:^#(?: .*)?$\n)+?)^# ///$", re.MULTILINE)
_DEPENDENCIES = re.compile(r"""^# dependencies\s*=\s*\[(?P<items>(?:"[^"]*"|'[^']*'|[^]"'])*)\]""", re.MULTILINE)
_ITEM = re.compile(r"""(?P<quote>["'])(?P<requirement>.*?)(?P=quote)""")


def check(source: Source) -> Iterator[Finding]:
    """Yield the requirements of torch that name no version."""
    for node in (*_of_setup(source), *_of_metadata(source)):
        if _UNPINNED.fullmatch(node.value):
            yield Finding(node, f"'{node.value}' accepts every version; name the oldest that works, as in 'torch>=2.4'")


def _of_setup(source: Source) -> Iterator[nodes.Const]:
    """Yield the requirements in the calls of ``setup``."""
    for call in source.index.calls.get("setup", ()):
        symbol = source.names.symbol(call.func) or ""
        if is_open(call) or symbol.partition(".")[0] not in _PACKAGES:
            continue
        for keyword in call.keywords:
            if keyword.arg == "install_requires":
                yield from _items(source, keyword.value)


def _items(source: Source, given: nodes.NodeNG) -> Iterator[nodes.Const]:
    for value in source.names.values(given):
        if isinstance(value, Data) and isinstance(value.node, (nodes.List, nodes.Tuple)):
            for item in value.node.elts:
                if isinstance(item, nodes.Const) and isinstance(item.value, str) and item.root() is source.module:
                    yield item


def _of_metadata(source: Source) -> Iterator[nodes.Const]:
    """Yield the requirements in the inline metadata of a script: comments, which have no nodes in a tree."""
    block = _METADATA.search(source.text)
    listed = _DEPENDENCIES.search(source.text, block.start(), block.end()) if block else None
    for item in _ITEM.finditer(source.text, *listed.span("items")) if listed else ():
        line_start = source.text.rfind("\n", 0, item.start()) + 1
        yield nodes.Const(
            item["requirement"],
            lineno=source.text.count("\n", 0, item.start()) + 1,
            col_offset=item.start() - line_start,
            parent=source.module,
        )
