"""The README, CI and the pages hold what they promise."""
from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest
from flake8.options.manager import OptionManager
from support import EXAMPLES

from flake8_torch_pitfalls import __version__
from flake8_torch_pitfalls.settings import NEWEST_TORCH, add_options

ROOT = EXAMPLES.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    """Return the tool that generates the pages."""
    spec = importlib.util.spec_from_file_location("pages", ROOT / "tools" / "pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_are_those_of_the_rules(pages: ModuleType) -> None:
    assert pages.stale(pages.generated()) == []


def test_stale_pages_are_named(pages: ModuleType) -> None:
    texts = pages.generated()
    edited, dropped = pages.PAGES / "TP101.md", pages.PAGES / "TP204.md"
    texts[edited] += "more"
    del texts[dropped]
    missing = pages.PAGES / "TP998.md"
    texts[missing] = ""
    assert pages.stale(texts) == [edited, missing, dropped]


def test_the_two_commands_for_a_fresh_machine_are_those_of_ci() -> None:
    part = README.partition("## Try it")[2].partition("\n## ")[0]
    commands = re.findall(r"(?s)```sh\n(.+?)\n```", part)
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in commands:
        assert f"\nstep '{command}'" in script


def test_every_option_is_explained() -> None:
    manager = OptionManager(version="", plugin_versions="", parents=[], formatter_names=[])
    add_options(manager)
    names = [option.long_option_name for option in manager.options]
    assert re.findall(r"(?m)^\| `(torch-[a-z-]+)` \|", README) == [name.removeprefix("--") for name in names]
    assert f"the newest the plugin knows, {'.'.join(map(str, NEWEST_TORCH))} |" in README


def test_the_version_is_the_changelogs() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^## (\S+)", changelog)[0] == __version__


def test_links_in_the_documents_lead_somewhere() -> None:
    for document in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\((?!http)([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).is_file(), f"{document.name}: {link}"


def test_every_room_of_the_analysis_is_on_the_map() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = {path.name for path in (ROOT / "flake8_torch_pitfalls" / "analysis").glob("*.py")} - {"__init__.py"}
    assert {room for room in rooms if not re.search(rf"\b{room}", text)} == set()
