"""Write what is generated: the page of every pitfall, and in the README the table of codes and a screen.

    python tools/pages.py            writes them
    python tools/pages.py --check    names those that are stale, and fails if there are any

A page shows the first bad and the first good example by name, as one who has never seen the code reads them;
the others stay in ``examples/``.
"""
from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from flake8_torch_pitfalls.pitfall import Pitfall, registry  # noqa: E402
from flake8_torch_pitfalls.report import findings  # noqa: E402
from flake8_torch_pitfalls.settings import Settings  # noqa: E402

PACKAGE = ROOT / "flake8_torch_pitfalls"
PAGES = PACKAGE / "pages"
EXAMPLES = ROOT / "examples"
README = ROOT / "README.md"
TABLE = re.compile(r"(?s)(?<=<!-- codes -->\n).*?(?=<!-- end of codes -->)")
PROGRAM = re.compile(r"(?s)```python\n(# train\.py\n.*?)```")
SCREEN = re.compile(r"(?s)(?<=<!-- screen -->\n).*?(?=<!-- end of screen -->)")
MARK = re.compile(r"  # expect: (.+)$", re.MULTILINE)
AREAS = {
    "checkpoints": "Checkpoints and reproducibility",
    "autograd": "Autograd and the training loop",
    "modules": "Modules, modes and losses",
    "tensors": "Shapes, strides and memory format",
    "devices": "Devices and CUDA",
    "data": "Data loading",
    "compile": "torch.compile, tracing and export",
    "distributed": "Distributed",
    "custom-ops": "Custom operators",
    "advice": "Advice, off unless asked for",
}
ON = "On by default."
OFF = "Advice: off unless `select` or `extend-select` names it, by `{code}` or a prefix of it from `TP9` on."


def page(pitfall: Pitfall) -> str:
    """Return the page of *pitfall*, in Markdown."""
    headline, _, sections = pitfall.page.partition("\n")
    return "\n".join(
        (
            f"# {pitfall.code} {pitfall.name}\n",
            headline + "\n",
            (ON if pitfall.default else OFF.format(code=pitfall.code)) + "\n",
            sections.strip() + "\n",
            *_examples(pitfall),
        )
    )


def _examples(pitfall: Pitfall) -> Iterator[str]:
    folder = EXAMPLES / f"{pitfall.code}_{pitfall.name.replace('-', '_')}"
    for title, pattern in (("Reported", "bad*.py"), ("Not reported", "good*.py")):
        path = min(folder.glob(pattern), default=None)
        if path is not None:
            yield f"## {title}\n"
            yield from _example(path)


def _example(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    shown = MARK.sub(lambda mark: "  # " + ", ".join(re.findall(r"TP\d{3}", mark[1])), text)
    yield f"```python\n{shown.strip()}\n```\n"
    found = findings(str(path), text, Settings(wanted=lambda code: True))
    if found:
        yield screen(path.name, found)


def screen(name: str, found: list[tuple[int, int, str]]) -> str:
    """Return what flake8 prints for findings in the file *name*, as a block of Markdown."""
    lines = [f"{name}:{line}:{column + 1}: {message}" for line, column, message in found]
    return "\n".join(("```text", *lines, "```\n"))


def table() -> str:
    """Return the README's table of codes, in Markdown."""
    return "".join(_rows())


def _rows() -> Iterator[str]:
    for area, title in AREAS.items():
        pitfalls = [pitfall for pitfall in registry() if pitfall.area == area]
        if pitfalls:
            yield f"\n**{title}**\n\n| Code | Name | What happens |\n| --- | --- | --- |\n"
        for pitfall in pitfalls:
            link = f"[{pitfall.code}]({PACKAGE.name}/{PAGES.name}/{pitfall.code}.md)"
            yield f"| {link} | {pitfall.name} | {pitfall.headline} |\n"
    yield "\n"


def generated() -> dict[Path, str]:
    """Return the text that every generated file should have."""
    texts = {PAGES / f"{pitfall.code}.md": page(pitfall) for pitfall in registry()}
    readme = README.read_text(encoding="utf-8")
    program = PROGRAM.search(readme)
    assert program is not None, "the README shows no train.py"
    printed = screen("train.py", findings(str(ROOT / "train.py"), program[1], Settings()))
    readme = SCREEN.sub(lambda _: printed, readme)
    return texts | {README: TABLE.sub(lambda _: table(), readme)}


def stale(texts: dict[Path, str]) -> list[Path]:
    """Return the files that differ from *texts*, and pages that no pitfall has any more."""
    differing = [
        path for path, text in texts.items() if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    return differing + [path for path in sorted(PAGES.glob("*.md")) if path not in texts]


def main() -> int:
    """Write the files, or say which are stale."""
    parser = argparse.ArgumentParser(description="Generate the pages and the README's table of codes.")
    parser.add_argument("--check", action="store_true", help="only name what is stale")
    options = parser.parse_args()
    texts = generated()
    paths = stale(texts)
    for path in paths:
        print(f"{path.relative_to(ROOT)} is stale" if options.check else path.relative_to(ROOT))
        if options.check:
            continue
        if path in texts:
            path.parent.mkdir(exist_ok=True)
            path.write_text(texts[path], encoding="utf-8")
        else:
            path.unlink()
    if options.check and paths:
        print("run: python tools/pages.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
