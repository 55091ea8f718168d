"""The plugin inside flake8: one answer however flake8 is started, and none of its promises broken."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import runs
from astroid import nodes
from flake8.main.cli import main

from flake8_torch_pitfalls import Checker, report
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding
from flake8_torch_pitfalls.pitfall import Pitfall

BASE = """\
from torch import nn


class Base(nn.Module):
    pass
"""
NET = """\
from base import Base


class Net(Base):
    def forward(self, x):
        return x
"""
USE = """\
import torch
from net import Net

torch.set_grad_enabled(False)
net = Net()
a = net.forward(1)
b, c = 1, [net.forward(2), net.forward(3)]
"""
OPTIONS = ("--isolated", "--select=TP")


def places(output: str) -> list[str]:
    """Return the path, line, column and code of every finding that flake8 printed."""
    return [" ".join(line.split(" ")[:2]) for line in output.splitlines()]


IN_USE = ["use.py:6:5: TP204", "use.py:7:12: TP204", "use.py:7:28: TP204"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder of three modules, in one of which a module's forward is called."""
    runs.write(tmp_path, base=BASE, net=NET, use=USE)
    (tmp_path / "setup.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    "program, jobs",
    [
        pytest.param(runs.SCRIPT, 1, id="script"),
        pytest.param(runs.MODULE, 1, id="module"),
        pytest.param(runs.started_by("fork", "flake8.main.cli:main"), 2, id="fork"),
        pytest.param(runs.started_by("spawn", "flake8.main.cli:main"), 2, id="spawn"),
        pytest.param(runs.started_by("forkserver", "flake8.main.cli:main"), 2, id="forkserver"),
    ],
)
def test_the_way_flake8_is_started_changes_nothing(project: Path, program: tuple[str, ...], jobs: int) -> None:
    done = runs.run(program, *OPTIONS, f"-j{jobs}", ".", cwd=project)
    assert (places(done.stdout), done.stderr, done.returncode) == ([f"./{line}" for line in IN_USE], "", 1)


def test_the_folder_flake8_is_started_in_changes_nothing(project: Path) -> None:
    elsewhere = project / "elsewhere"
    elsewhere.mkdir()
    done = runs.run(runs.SCRIPT, *OPTIONS, "../use.py", cwd=elsewhere)
    assert places(done.stdout) == [f"../{line}" for line in IN_USE]


def test_standard_input_stands_where_its_name_says(project: Path) -> None:
    """An editor hands over a buffer that differs from disk; what it imports is on disk."""
    buffer = "\n" + USE
    named = runs.run(runs.SCRIPT, *OPTIONS, "--stdin-display-name=use.py", "-", cwd=project, text=buffer)
    assert places(named.stdout) == ["use.py:7:5: TP204", "use.py:8:12: TP204", "use.py:8:28: TP204"]
    absolute = str(project / "new.py")
    named = runs.run(
        runs.SCRIPT, *OPTIONS, f"--stdin-display-name={absolute}", "-", cwd=Path.cwd(), text=USE
    )
    assert places(named.stdout) == [line.replace("use.py", absolute) for line in IN_USE]


def test_standard_input_without_a_name_stands_in_the_working_directory(project: Path) -> None:
    done = runs.run(runs.SCRIPT, *OPTIONS, "-", cwd=project, text=USE)
    assert places(done.stdout) == [line.replace("use.py", "stdin") for line in IN_USE]


def test_empty_standard_input(project: Path) -> None:
    done = runs.run(runs.SCRIPT, *OPTIONS, "-", cwd=project)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_files_edited_between_runs_in_one_process(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def found() -> list[str]:
        main([*OPTIONS, str(project / "use.py")])
        return places(capsys.readouterr().out)

    here = [line.replace("use.py", str(project / "use.py")) for line in IN_USE]
    assert found() == here
    runs.write(project, base=BASE.replace("nn.Module", "dict"))
    assert found() == []
    runs.write(project, base=BASE)
    assert found() == here
    runs.write(project, use=USE.replace("a = net.forward(1)\n", ""))
    assert found() == [line.replace(":7:", ":6:") for line in here[1:]]


def test_two_projects_with_modules_of_one_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, base in (("modules", BASE), ("turtles", BASE.replace("nn.Module", "dict"))):
        (tmp_path / name).mkdir()
        runs.write(tmp_path / name, base=base, net=NET, use=USE)
        (tmp_path / name / "setup.py").touch()
    main([*OPTIONS, "-j1", str(tmp_path)])
    expected = [line.replace("use.py", str(tmp_path / "modules" / "use.py")) for line in IN_USE]
    assert places(capsys.readouterr().out) == expected


@pytest.mark.parametrize(
    "text, imported",
    [("x = 1\n", False), ("import numpy\nforward = 'a storch'\n", False), (USE, True)],
    ids=["no torch", "torch within a word only", "torch"],
)
def test_what_is_imported(project: Path, text: str, imported: bool) -> None:
    runs.write(project, only=text)
    program = "import sys; from flake8.main.cli import main; main(sys.argv[1:]); print('astroid' in sys.modules)"
    done = runs.run((sys.executable, "-c", program), *OPTIONS, "-q", "only.py", cwd=project)
    assert done.stdout.splitlines()[-1] == str(imported)


def test_noqa_on_the_reported_line(project: Path) -> None:
    text = USE.replace("(1)", "(  # noqa: TP204 no hooks here\n    1\n)")
    runs.write(project, use=text.replace("(3)]", "(3)]  # noqa: TP101"))
    done = runs.run(runs.SCRIPT, *OPTIONS, "use.py", cwd=project)
    assert places(done.stdout) == ["use.py:9:12: TP204", "use.py:9:28: TP204"]


def test_columns_are_those_of_ast(project: Path) -> None:
    """Bytes of UTF-8 from 1, as the other checkers of flake8 count; a tab is one."""
    text = USE.replace("a = net.forward(1)", "if True:\n\ta = 'größe', net.forward(1)")
    runs.write(project, use=text)
    done = runs.run(runs.SCRIPT, *OPTIONS, "use.py", cwd=project)
    assert places(done.stdout)[0] == "use.py:7:17: TP204"


# -- rules that are made up -----------------------------------------------------------------------


def rule(code: str, *columns: int, error: type[Exception] | None = None) -> Pitfall:
    """Return a pitfall that reports the calls of ``torch.f`` at *columns*, then raises *error*."""

    def check(source: Source) -> Iterator[Finding]:
        for column in columns:
            for call in source.index.of(nodes.Call):
                if call.col_offset == column:
                    yield Finding(call, "made up")
        if error is not None:
            raise error("because")

    return Pitfall(code, "made-up", "autograd", "", frozenset({"torch"}), check)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Pitfall]:
    """Return the list of rules that there are, to be filled; the folder is the current one."""
    listed: list[Pitfall] = []
    monkeypatch.setattr(report, "chosen", lambda wanted: [pitfall for pitfall in listed if wanted(pitfall.code)])
    monkeypatch.chdir(tmp_path)
    runs.write(tmp_path, a="import torch\nx = [torch.f(), torch.f()]\n")
    return listed


def lint(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Return what flake8 prints of our findings in a.py, in this process."""
    main(["-j1", *options, "a.py"])
    printed = capsys.readouterr()
    assert printed.err == ""
    return [line for line in printed.out.splitlines() if " TP" in line]


def test_findings_are_sorted_and_each_is_told_once(rules: list[Pitfall]) -> None:
    rules += [rule("TP101", 16, 5, 5), rule("TP001", 16, 16)]
    lines = Path("a.py").read_text(encoding="utf-8").splitlines(keepends=True)
    found = [finding[:3] for finding in Checker(None, "a.py", lines).run()]  # type: ignore[arg-type]
    assert found == [(2, 5, "TP101 made up"), (2, 16, "TP001 made up"), (2, 16, "TP101 made up")]


@pytest.mark.parametrize(
    "error, reason",
    [(ValueError, "ValueError"), (RecursionError, "it is nested too deeply"), (SyntaxError, "SyntaxError")],
)
def test_a_rule_that_fails_costs_its_own_answers_only(
    rules: list[Pitfall], capsys: pytest.CaptureFixture[str], error: type[Exception], reason: str
) -> None:
    rules += [rule("TP001", 5, error=error), rule("TP101", 16)]
    assert lint(capsys, "--isolated") == [
        f"a.py:1:1: TP000 TP001 made-up could not analyse this file: {reason}",
        "a.py:2:6: TP001 made up",
        "a.py:2:17: TP101 made up",
    ]
    assert lint(capsys, "--isolated", "--extend-ignore=TP000,TP001") == ["a.py:2:17: TP101 made up"]


ORDINARY = {"TP001", "TP101"}
ALL = ORDINARY | {"TP900", "TP901"}


@pytest.mark.parametrize(
    "options, reported",
    [
        ("", ORDINARY),
        ("--extend-select=TP9", ALL),
        ("--extend-select=TP901", ORDINARY | {"TP901"}),
        ("--extend-select=TP90", ALL),
        ("--select=TP", ORDINARY),
        ("--select=T", ORDINARY),
        ("--select=TP9", {"TP900", "TP901"}),
        ("--select=TP,TP901", ORDINARY | {"TP901"}),
        ("--select=TP101", {"TP101"}),
        ("--ignore=E1", ORDINARY),
        ("--ignore=E1 --extend-select=TP9", ALL),
        ("--extend-ignore=F821", ORDINARY),
        ("--extend-ignore=TP --extend-select=TP9", {"TP900", "TP901"}),
        ("--extend-ignore=TP --extend-select=TP901", {"TP901"}),
        ("--extend-ignore=TP9 --extend-select=TP9", ORDINARY),
        ("--extend-ignore=TP901 --extend-select=TP9", ORDINARY | {"TP900"}),
        ("--enable-extensions=TP9", ORDINARY),
        ("--select=F --extend-select=TP9", {"TP900", "TP901"}),
        ("--select=F", set()),
        ("--select=T1", set()),
        ("--per-file-ignores=a.py:TP1", {"TP001"}),
    ],
)
@pytest.mark.parametrize("where", ["command line", "configuration"])
def test_which_codes_are_reported(
    rules: list[Pitfall], capsys: pytest.CaptureFixture[str], options: str, reported: set[str], where: str
) -> None:
    """Advice wants to be named; for the rest flake8 decides."""
    rules += [rule(code, 5) for code in sorted(ALL)]
    arguments = options.split()
    if where == "configuration":
        settings = "\n".join(option.removeprefix("--") for option in arguments)
        Path(".flake8").write_text(f"[flake8]\n{settings}\n", encoding="utf-8")
        arguments = []
    elif not any(option.startswith("--per-file") for option in arguments):
        arguments.append("--isolated")
    assert {line.split()[1] for line in lint(capsys, *arguments)} == reported


# -- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["two", "2", "2.x", "-2.4"])
@pytest.mark.parametrize("program", [runs.SCRIPT, runs.CHECK], ids=["flake8", "check"])
def test_a_torch_version_that_is_none(project: Path, version: str, program: tuple[str, ...]) -> None:
    done = runs.run(program, "--isolated", f"--torch-version={version}", "use.py", cwd=project)
    assert done.stdout == (
        "There was a critical error during execution of Flake8:\n"
        f"torch-version must look like 2.4, not '{version}'\n"
    )
    assert (done.stderr, done.returncode) == ("", 1)


@pytest.mark.parametrize("version", ["2.4", "2.4.1", "2.13", "1.13.1", "2.6.0.dev1"])
def test_a_torch_version(project: Path, version: str) -> None:
    (project / ".flake8").write_text(f"[flake8]\ntorch-version = {version}\nselect = TP204\n")
    assert places(runs.run(runs.SCRIPT, "use.py", cwd=project).stdout) == IN_USE


THIRD_PARTY = """\
import torch
from lib.nn import Block

Block().forward(torch.ones(1))


class Net(Block):
    def forward(self, x):
        return x


def use(block: Block):
    net = Net().cuda()
    net.forward(1)
    block.forward(1)
"""


def test_third_party_modules(project: Path) -> None:
    runs.write(project, use=THIRD_PARTY)
    assert runs.run(runs.SCRIPT, *OPTIONS, "use.py", cwd=project).stdout == ""
    options = (*OPTIONS, "--torch-module-bases=lib.Other,lib.nn.Block")
    assert places(runs.run(runs.SCRIPT, *options, "use.py", cwd=project).stdout) == [
        "use.py:4:1: TP204", "use.py:14:5: TP204", "use.py:15:5: TP204"
    ]


def test_source_roots(project: Path) -> None:
    (project / "parts").mkdir()
    for name in ("base", "net"):
        (project / f"{name}.py").rename(project / "parts" / f"{name}.py")
    assert runs.run(runs.SCRIPT, *OPTIONS, "use.py", cwd=project).stdout == ""
    (project / ".flake8").write_text("[flake8]\nselect = TP\ntorch-source-roots = ./parts\n")
    assert places(runs.run(runs.SCRIPT, "use.py", cwd=project).stdout) == IN_USE
    elsewhere = project / "parts"
    done = runs.run(runs.SCRIPT, "--config=../.flake8", "../use.py", cwd=elsewhere)
    assert places(done.stdout) == [f"../{line}" for line in IN_USE]
