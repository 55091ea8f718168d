"""What the wheel and the source archive hold, built without a network."""
from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from support import EXAMPLES

ROOT = EXAMPLES.parent
PACKAGE = ROOT / "flake8_torch_pitfalls"
NOT_SOURCES = (".*", "build", "dist", "*.egg-info", "__pycache__")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with both archives, the wheel built from the source archive."""
    folder = tmp_path_factory.mktemp("archives")
    copy = folder / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    for hidden in (".ci", ".pre-commit-hooks.yaml"):
        source = ROOT / hidden
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / hidden)
    command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(copy))
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def files(folder: Path, *patterns: str) -> set[str]:
    """Return the files below *folder* that match one of *patterns*, relative to the checkout."""
    return {
        str(path.relative_to(ROOT))
        for pattern in patterns
        for path in folder.rglob(pattern)
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_and_nothing_else(archives: Path) -> None:
    with zipfile.ZipFile(next(archives.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        [entry_points] = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
        text = wheel.read(entry_points).decode()
    assert names == files(PACKAGE, "*.py", "*.pyi", "*.json", "*.csv", "*.md", "py.typed")
    assert "TP = flake8_torch_pitfalls:Checker\n" in text
    assert "flake8-torch-pitfalls = flake8_torch_pitfalls.cli:main\n" in text


def test_the_source_archive_holds_all_that_the_tests_need(archives: Path) -> None:
    with tarfile.open(next(archives.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("flake8_torch_pitfalls", "examples", "tests", "tools", "benchmarks", "docs"):
        assert files(ROOT / folder, "*.py", "*.pyi", "*.json", "*.csv", "*.md", "*.txt") <= names
    documents = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    assert documents | {"setup.cfg", "tox.ini", "pyproject.toml", ".ci/run", ".pre-commit-hooks.yaml"} <= names
