"""No file may make a run of flake8 worse than it is without the plugin."""
from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from flake8_torch_pitfalls import Checker
from tests import hostile

WITH_US = ("-m", "flake8")
WITHOUT_US = ("-c", """
import importlib.metadata, sys
installed, ours = importlib.metadata.distributions, "flake8-torch-pitfalls"
importlib.metadata.distributions = lambda: [d for d in installed() if d.metadata["name"] != ours]
from flake8.main.cli import main
sys.exit(main())
""")
CONTENTS = hostile.contents()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all the hostile files."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile.write(folder)
    return folder


def flake8(program: tuple[str, ...], path: Path, jobs: int = 1) -> subprocess.CompletedProcess[str]:
    options = ("--isolated", "--extend-select=TP9", f"--jobs={jobs}")
    return subprocess.run(
        (sys.executable, "-I", *program, *options, path.name),
        cwd=path.parent, capture_output=True, encoding="utf-8", errors="surrogateescape",
    )


def others(output: str) -> list[str]:
    """Return the lines of *output* that are not findings of ours; how deep a recursion went is chance."""
    lines = re.sub(r"(RecursionError)\('[^']*'\)", r"\1", output).splitlines()
    return [line for line in lines if not re.search(r":\d+:\d+: TP\d{3} ", line)]


def complaint(run: subprocess.CompletedProcess[str]) -> tuple[list[str], int]:
    """Return what flake8 said last on stderr, without traceback and addresses, and its exit status."""
    return re.sub(r"0x[0-9a-f]+", "0x…", run.stderr).splitlines()[-1:], run.returncode


def backward_line(content: bytes) -> int:
    """Return the number of the line with TRAINING's fault, as an editor counts, and 0 without any."""
    lines = re.split(rb"\r\n|\r|\n", content)
    return next((i for i, line in enumerate(lines, 1) if line.strip() == b"loss.backward()"), 0)


def test_a_folder_of_broken_files(folder: Path) -> None:
    """The run says all it says without us, and finds what is wrong in every file that parses."""
    plain, ours = flake8(WITHOUT_US, folder / "shallow"), flake8(WITH_US, folder / "shallow")
    assert others(ours.stdout) == others(plain.stdout)
    assert complaint(ours) == complaint(plain)
    if plain.stderr:
        return  # flake8 itself ends its run at a file that its Python refuses in a way it does not expect
    unparsed = set(re.findall(r"(?m)^(.+?):\d+:\d+: E9", plain.stdout))
    found = re.findall(r"(?m)^(.+?):(\d+):\d+: TP101 ", ours.stdout)
    faults = {name: backward_line(content) for name, content in CONTENTS.items() if "shallow/" in name}
    expected = {(name, str(line)) for name, line in faults.items() if line and name not in unparsed}
    assert expected <= set(found)


def test_large_files(folder: Path) -> None:
    run = flake8(WITH_US, folder / "large", jobs=2)
    assert (run.stderr, run.returncode) == ("", 1)
    assert all(re.match(r"large/.+?:\d+:\d+: [A-Z]+\d+ ", line) for line in run.stdout.splitlines())


@pytest.mark.parametrize("name", [name for name in CONTENTS if "deep/" in name])
def test_a_deep_file(folder: Path, name: str) -> None:
    """Where flake8 does not survive the file, it ends as it does without us."""
    plain, ours = flake8(WITHOUT_US, folder / name), flake8(WITH_US, folder / name)
    assert ours.returncode == plain.returncode
    assert "flake8_torch_pitfalls" not in ours.stderr
    assert "[TP]" not in ours.stdout
    if "Traceback" not in plain.stderr:
        assert (others(ours.stdout), ours.stderr) == (others(plain.stdout), plain.stderr)


@pytest.mark.parametrize("name", CONTENTS)
def test_the_checker_alone(folder: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The checker survives what flake8 would never hand it, and reports places that exist, each once."""
    path = folder / name
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        lines = file.readlines()
    found = [finding[:3] for finding in Checker(ast.Module([], []), str(path), lines).run()]
    assert capfd.readouterr() == ("", "")
    assert found == sorted(set(found))
    for line, column, text in found:
        assert 1 <= line <= len(lines)
        assert 0 <= column <= len(lines[line - 1].encode("utf-8", "surrogateescape"))
        assert re.fullmatch(r"TP\d{3} .+", text)
