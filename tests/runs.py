"""Running flake8, and programs beside it, as users do."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = (str(Path(sys.executable).parent / "flake8"),)
MODULE = (sys.executable, "-m", "flake8")
CHECK = (sys.executable, "-m", "flake8_torch_pitfalls", "check")


def started_by(method: str, main: str) -> tuple[str, ...]:
    """Return a program that runs *main*, "module:function", with workers started by *method*."""
    module, _, function = main.partition(":")
    return (
        sys.executable,
        "-c",
        f"import multiprocessing, sys; multiprocessing.set_start_method({method!r});"
        f"from {module} import {function}; sys.exit({function}(sys.argv[1:]))",
    )


def run(
    program: tuple[str, ...], *arguments: str, cwd: Path, text: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run *program* in the folder *cwd*, with *text* on its standard input."""
    return subprocess.run(
        (*program, *arguments), cwd=cwd, input=text or "", capture_output=True, encoding="utf-8"
    )


def write(folder: Path, **texts: str) -> None:
    """Write the modules *texts*, name to text, to *folder*."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
