"""What the plugin costs, in CPU time of the same flake8 with and without it, measured in turns in one run.

    python benchmarks/speed.py                            the plugin of this repository
    python benchmarks/speed.py --plugin flake8-bugbear    any other that is installed

flake8 has no switch that leaves an installed plugin out, so both sides run flake8 through PROGRAM, which
shows it only the distributions it is told to. CPU time is that of the whole process, start-up included; of
several rounds the least counts, because other work on the machine can only add to it.
"""
from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from ecosystem import CACHE, pinned, unpacked  # noqa: E402

FLAKE8 = "flake8,mccabe,pycodestyle,pyflakes"
ASTROID = 9  # exit status
PROGRAM = f"""
import importlib.metadata, sys
shown, installed = sys.argv.pop(1).split(","), importlib.metadata.distributions
importlib.metadata.distributions = lambda: [d for d in installed() if d.metadata["name"] in shown]
from flake8.main.cli import main
main()
sys.exit({ASTROID} if "astroid" in sys.modules else 0)
"""


class Cost(NamedTuple):
    """What one run of flake8 took: seconds of CPU, peak memory in MB; and whether it imported astroid."""

    cpu: float
    memory: float
    astroid: bool


def run(distributions: str, files: list[Path]) -> Cost:
    """Run flake8 with its defaults on *files* in one process that sees *distributions* only."""
    arguments = (sys.executable, "-I", "-c", PROGRAM, distributions, "--isolated", "-j1", *map(str, files))
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, ASTROID):
        sys.exit("flake8 failed")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, process.returncode == ASTROID)


def measure(what: str, plugin: str, files: list[Path], rounds: int) -> None:
    """Print what *plugin* adds to flake8 on *files*."""
    plain, more = [], []
    for _ in range(rounds):
        plain.append(run(FLAKE8, files))
        more.append(run(f"{FLAKE8},{plugin}", files))
    before, after = min(plain), min(more)
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    added = after.cpu - before.cpu
    print(f"{what}: {len(files)} files, {lines} lines, least of {rounds}")
    print(f"  plain  {before.cpu:7.2f} s  {before.cpu / lines * 1e6:6.1f} µs a line  {before.memory:4.0f} MB")
    print(f"  added  {added:7.2f} s  {added / lines * 1e6:6.1f} µs a line  {added / before.cpu:8.1%}")
    print(f"  peak   {max(cost.memory for cost in more):4.0f} MB")
    print(f"  astroid {'' if any(cost.astroid for cost in more) else 'not '}imported", flush=True)


def torch_files(cache: Path) -> list[Path]:
    """Return the files that ``files.txt`` lists, unpacked in *cache*."""
    pins = pinned()
    rows = (ROOT / "benchmarks" / "files.txt").read_text(encoding="utf-8").splitlines()
    listed = [row.split() for row in rows if not row.startswith("#")]
    return [unpacked(pins[package], cache) / path for package, path in listed]


def other_files() -> list[Path]:
    """Return files of the standard library's packages, in which torch is not named."""
    library = Path(sysconfig.get_path("stdlib"))
    packages = ("asyncio", "email", "http", "json", "logging", "xml")
    return [file for package in packages for file in sorted((library / package).rglob("*.py"))]


def main() -> None:
    """Measure all there is to measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cache", type=Path, default=CACHE, help="for packages (default: %(default)s)")
    parser.add_argument("--plugin", default="flake8-torch-pitfalls", help="distribution to measure")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (default: %(default)s)")
    args = parser.parse_args()
    versions = (f"{name} {importlib.metadata.version(name)}" for name in ("flake8", args.plugin))
    print("Python", platform.python_version(), *versions)
    files = torch_files(args.cache.resolve())
    cold = min(files, key=lambda file: abs(file.read_bytes().count(b"\n") - 500))
    measure("files with torch", args.plugin, files, args.rounds)
    measure("standard library", args.plugin, other_files(), 2 * args.rounds)
    measure("one file, cold", args.plugin, [cold], 3 * args.rounds)


if __name__ == "__main__":
    main()
