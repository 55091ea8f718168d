"""What every pitfall owes to those who read it."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import EXAMPLES, lint

from flake8_torch_pitfalls.pitfall import Pitfall, registry

ROOT = EXAMPLES.parent
AREAS = {
    "0": "checkpoints",
    "1": "autograd",
    "2": "modules",
    "3": "tensors",
    "4": "devices",
    "5": "data",
    "6": "compile",
    "7": "distributed",
    "8": "custom-ops",
    "9": "advice",
}
SECTIONS = ["What happens", "What to write", "Silent", "Known limits", "Sources"]
EVERY = pytest.mark.parametrize("pitfall", registry(), ids=lambda pitfall: pitfall.code)


def test_codes_and_names_are_unique() -> None:
    codes, names = [p.code for p in registry()], [p.name for p in registry()]
    assert codes == sorted(set(codes))
    assert len(names) == len(set(names))


@EVERY
def test_the_code_belongs_to_its_area(pitfall: Pitfall) -> None:
    assert pitfall.area == AREAS[pitfall.code[2]]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", pitfall.name)


@EVERY
def test_the_rule_says_which_words_it_waits_for(pitfall: Pitfall) -> None:
    assert pitfall.words
    assert all(word.isidentifier() for word in pitfall.words)


@EVERY
def test_the_page_begins_with_one_sentence(pitfall: Pitfall) -> None:
    assert re.fullmatch(r"[A-Z`].*\.", pitfall.headline)
    assert not re.search(r"[.!?] [A-Z]", pitfall.headline)
    assert "|" not in pitfall.headline  # it stands in a table


@EVERY
def test_the_page_has_its_sections(pitfall: Pitfall) -> None:
    sections = re.split(r"(?m)^## (.+)\n", pitfall.page)
    assert [title for title in sections[1::2] if title in SECTIONS] == SECTIONS
    assert all(text.strip() for text in sections[2::2])
    assert sections[0] == f"{pitfall.headline}\n\n"


@EVERY
def test_the_pitfall_has_a_witness(pitfall: Pitfall) -> None:
    assert (ROOT / "tests" / "witness" / f"test_{pitfall.code.lower()}.py").is_file()


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.py")), ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_messages(path: Path) -> None:
    """One line, lower case, no full stop; the place exists and is where a noqa can stand."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, column, text in lint(path):
        code, _, message = text.partition(" ")
        assert re.fullmatch(r"['a-z0-9].*[^.\s]", message), text
        assert re.fullmatch(r"TP\d{3}", code) and code != "TP000", text
        assert 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1].encode())


def test_the_changelog_names_every_pitfall_once() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^- (TP\d{3}) ([a-z0-9-]+)(?: \(advice\))?: .+", text)
    assert sorted(listed) == [(pitfall.code, pitfall.name) for pitfall in registry()]
