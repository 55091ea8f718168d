"""The corpus: every example gives exactly the findings that it announces, over all rules at once."""
from __future__ import annotations

from pathlib import Path

import pytest
from support import EXAMPLES, expected, lint

from flake8_torch_pitfalls.pitfall import modules

FILES = sorted(EXAMPLES.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_findings_are_the_expected(path: Path) -> None:
    found = sorted((line, column, message.partition(" ")[0]) for line, column, message in lint(path))
    assert found == expected(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_only_bad_files_hold_faults(path: Path) -> None:
    folder = path.relative_to(EXAMPLES).parts[0]
    own = folder.partition("_")[0]
    found = {code for _, _, code in expected(path)}
    if path.relative_to(EXAMPLES / folder).parts[0].startswith("bad"):
        assert own in {code for other in path.parent.rglob("*.py") for _, _, code in expected(other)}
    else:
        assert {code for code in found if not code.startswith("TP9") or code == own} == set()


@pytest.mark.parametrize("code, module", modules())
def test_every_pitfall_has_bad_and_good_examples(code: str, module: str) -> None:
    [folder] = EXAMPLES.glob(f"{code}_*")
    assert folder.name == code + module.rpartition(".tp")[2][3:]
    names = {path.name.partition("_")[0].removesuffix(".py")[:3] for path in folder.iterdir()}
    assert {"bad", "goo"} <= names
