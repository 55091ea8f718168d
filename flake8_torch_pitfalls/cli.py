"""The commands beside flake8: read about the codes, or check with this plugin alone.

``explain`` and ``list`` read the generated pages and import neither a rule nor astroid.
"""
from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from flake8_torch_pitfalls.settings import ADVICE

PROGRAM = "flake8-torch-pitfalls"
PAGES = Path(__file__).parent / "pages"
UNKNOWN = 2  # exit status

_TITLE = re.compile(r"# (?P<code>TP\d{3}) (?P<name>[a-z0-9-]+)\n\n(?P<headline>.+)\n")


class Page(NamedTuple):
    """A pitfall's page: ``text`` is the whole of it, in Markdown."""

    code: str
    name: str
    headline: str
    text: str

    @property
    def state(self) -> str:
        """Whether the code is reported unless the user says otherwise."""
        return "off" if self.code.startswith(ADVICE) else "on"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of the commands; return its exit status."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["check"]:  # all else on this command line is flake8's to read
        from flake8_torch_pitfalls.standalone import check

        return check(arguments[1:])
    options = _parser().parse_args(arguments)
    try:
        status = _list() if options.command == "list" else _explain(options.codes)
        sys.stdout.flush()
    except BrokenPipeError:  # who reads, such as head, has seen enough; nor may Python flush what is left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(PROGRAM, description="Find the mistakes PyTorch lets pass in silence.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    explain = commands.add_parser("explain", help="print what a code means, and what to write instead")
    explain.add_argument("codes", nargs="+", metavar="CODE", help="TP101, or missing-zero-grad")
    commands.add_parser("list", help="list the codes: name, whether on by default, what happens")
    commands.add_parser("check", help="run flake8 with this plugin alone; takes flake8's arguments")
    return parser


def _pages() -> Iterator[Page]:
    """Yield every page in the order of the codes."""
    for path in sorted(PAGES.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        title = _TITLE.match(text)
        assert title is not None, path
        yield Page(**title.groupdict(), text=text)


def _list() -> int:
    pages = list(_pages())
    width = max(len(page.name) for page in pages)
    for page in pages:
        print(f"{page.code}  {page.name:{width}}  {page.state:3}  {page.headline}")
    return 0


def _explain(wanted: Sequence[str]) -> int:
    pages = {key: page for page in _pages() for key in (page.code, page.name)}
    for code in wanted:
        page = pages.get(code.upper()) or pages.get(code.lower())
        if page is None:
            print(f"{PROGRAM}: no pitfall is called '{code}'; '{PROGRAM} list' has them all", file=sys.stderr)
            return UNKNOWN
        print(plain(page.text))
    return 0


def plain(markdown: str) -> str:
    """Return a page as plain text: headings underlined, code indented."""
    lines: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        heading = re.match(r"(#+) (.+)", line)
        if line.startswith("```"):
            in_code = not in_code
        elif in_code:
            lines.append(f"    {line}".rstrip())
        elif heading:
            lines += [heading[2], ("=" if len(heading[1]) == 1 else "-") * len(heading[2])]
        else:
            lines.append(line)
    return "\n".join(lines)
