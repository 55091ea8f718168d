"""The commands beside flake8."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import runs

from flake8_torch_pitfalls.cli import PAGES, main, plain
from flake8_torch_pitfalls.pitfall import registry

NET = """\
import os
from torch import nn

net = nn.Linear(2, 2)
y =net.forward(None)
z = net.forward(y)  # noqa: TP204
"""
FOUND = "net.py:5:4: TP204 'net.forward()' skips the hooks of the module; call 'net()' itself\n"


def test_explain_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "TP204"]) == 0
    printed = capsys.readouterr()
    page = (PAGES / "TP204.md").read_text(encoding="utf-8")
    assert (printed.out, printed.err) == (plain(page) + "\n", "")
    title = "TP204 forward-called-directly"
    assert printed.out.startswith(f"{title}\n{'=' * len(title)}\n\nCalling `forward` directly ")


@pytest.mark.parametrize("name", ["tp204", "forward-called-directly", "Forward-Called-Directly"])
def test_explain_takes_code_and_name_in_any_case(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "TP204"])
    by_code = capsys.readouterr().out
    assert main(["explain", name]) == 0
    assert capsys.readouterr().out == by_code


def test_explain_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "TP101", "TP204"]) == 0
    assert re.findall(r"(?m)^TP\d{3}(?= .+\n=)", capsys.readouterr().out) == ["TP101", "TP204"]


def test_explain_what_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "TP998"]) == 2
    message = "flake8-torch-pitfalls: no pitfall is called 'TP998'; 'flake8-torch-pitfalls list' has them all\n"
    assert capsys.readouterr() == ("", message)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    rows = [re.split(r"  +", line, maxsplit=3) for line in capsys.readouterr().out.splitlines()]
    assert rows == [[p.code, p.name, "on" if p.default else "off", p.headline] for p in registry()]


def test_reading_imports_no_rule() -> None:
    program = (
        "import sys; from flake8_torch_pitfalls.cli import main; main(['list']); main(['explain', 'TP101']);"
        "print(sorted(n for n in sys.modules if n == 'astroid' or n.startswith('flake8_torch_pitfalls.pit')))"
    )
    done = runs.run((sys.executable, "-c", program), cwd=Path.cwd())
    assert (done.stdout.splitlines()[-1], done.stderr) == ("[]", "")


def test_a_reader_that_leaves_early() -> None:
    command = (sys.executable, "-m", "flake8_torch_pitfalls", "explain", *(p.code for p in registry()))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait() == 1


@pytest.mark.parametrize("arguments", [[], ["unknown"], ["explain"]])
def test_a_command_that_there_is_not(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("usage: flake8-torch-pitfalls ")


def test_plain_text_of_a_page() -> None:
    markdown = "# Title\n\nText `x`.\n\n## Part\n```python\n# a comment\n\nx = 1\n```\n"
    assert plain(markdown) == "Title\n=====\n\nText `x`.\n\nPart\n----\n    # a comment\n\n    x = 1"


# -- check ----------------------------------------------------------------------------------------

SPAWN = runs.started_by("spawn", "flake8_torch_pitfalls.standalone:check")
FORKSERVER = runs.started_by("forkserver", "flake8_torch_pitfalls.standalone:check")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with a file that flake8's own checkers find much in."""
    runs.write(tmp_path, net=NET, other="import os\n")
    return tmp_path


@pytest.mark.parametrize(
    "program, jobs",
    [(runs.CHECK, 1), (runs.CHECK, 2), (SPAWN, 2), (FORKSERVER, 2)],
    ids=["serial", "parallel", "spawn", "forkserver"],
)
def test_check_reports_ours_alone(project: Path, program: tuple[str, ...], jobs: int) -> None:
    done = runs.run(program, "--isolated", f"-j{jobs}", "--max-line-length=10", "net.py", "other.py", cwd=project)
    assert (done.stdout, done.stderr, done.returncode) == (FOUND, "", 1)


def test_check_loads_no_other_checker(project: Path) -> None:
    program = (
        "import sys; from flake8_torch_pitfalls.cli import main; status = main(sys.argv[1:]);"
        "print(status, sorted({'pyflakes', 'mccabe', 'flake8.plugins.pyflakes'} & {*sys.modules}))"
    )
    done = runs.run((sys.executable, "-c", program), "check", "net.py", cwd=project)
    assert (done.stdout, done.stderr) == (f"{FOUND}1 []\n", "")


def test_check_reads_flake8s_configuration(project: Path) -> None:
    settings = "[flake8]\nextend-exclude = other.py\nformat = %(path)s %(code)s\nrequire-plugins = pyflakes\n"
    (project / ".flake8").write_text(settings + "max-complexity = 3\ndisable-noqa = true\n", encoding="utf-8")
    done = runs.run(runs.CHECK, cwd=project)
    assert (done.stdout, done.stderr) == ("./net.py TP204\n./net.py TP204\n", "")
    done = runs.run(runs.CHECK, "--extend-ignore=TP2", cwd=project)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_check_takes_standard_input(project: Path) -> None:
    done = runs.run(runs.CHECK, "--isolated", "--stdin-display-name=net.py", "-", cwd=project, text=NET)
    assert (done.stdout, done.stderr, done.returncode) == (FOUND, "", 1)


def test_check_does_not_pass_over_what_it_cannot_read(project: Path) -> None:
    runs.write(project, broken="import torch\nx = (\n")
    done = runs.run(runs.CHECK, "--isolated", "broken.py", "missing.py", cwd=project)
    assert [line.split(" ")[:2] for line in done.stdout.splitlines()] == [
        ["broken.py:2:6:", "E999"],
        ["missing.py:0:1:", "E902"],
    ]
    assert (done.stderr, done.returncode) == ("", 1)


def test_check_leaves_flake8_as_it_was(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flake8.main.cli import main as flake8

    monkeypatch.chdir(project)
    main(["check", "--isolated", "-j1", "-q", "net.py"])
    assert flake8(["--isolated", "-j1", "-q", "other.py"]) == 1
