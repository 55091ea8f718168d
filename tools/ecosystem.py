"""Lint a pinned set of public PyTorch packages, and tell what a change of the plugin did to the findings.

    python tools/ecosystem.py                        all packages of ecosystem.txt
    python tools/ecosystem.py timm skorch            some of them
    python tools/ecosystem.py --local FOLDER         the folders in FOLDER instead, a checkout each
    python tools/ecosystem.py --sample 40 TP101      read findings of the last run in their source

Findings are kept in a sorted text file; a run prints what appeared and what went against the one before.
Packages are downloaded, unpacked and read, never run: only wheels are taken, because pip runs the build
script of a source archive even to download it.
"""
from __future__ import annotations

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "flake8-torch-pitfalls").expanduser()
PLATFORM = ("--python-version=3.12", "--platform=manylinux_2_28_x86_64")  # one wheel for all who run this
CONTEXT = 6


class Package(NamedTuple):
    """A release of a package on PyPI, and its wheel's sha256."""

    name: str
    version: str
    sha256: str


class Finding(NamedTuple):
    """One finding; ``path`` is relative to the package's folder."""

    package: str
    path: str
    line: int
    column: int
    code: str
    text: str


def pinned(listing: Path = HERE / "ecosystem.txt") -> dict[str, Package]:
    """Return the packages that *listing*, a requirements file of pip's, names, by name."""
    rows = re.findall(r"(?m)^([\w.-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$", listing.read_text())
    return {name: Package(name, version, sha256) for name, version, sha256 in rows}


def unpacked(package: Package, cache: Path) -> Path:
    """Return the folder in *cache* with the Python files of *package*, downloading them if need be."""
    folder = cache / f"{package.name}-{package.version}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        requirement = Path(scratch, "requirements.txt")
        requirement.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
        pip = (sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:")
        subprocess.run((*pip, *PLATFORM, "--dest", scratch, "--requirement", requirement), check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        sources = Path(scratch, "sources")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(sources, [name for name in archive.namelist() if name.endswith(".py")])
        sources.rename(folder)
    return folder


def lint(name: str, folder: Path, select: str, jobs: str) -> tuple[list[Finding], list[str]]:
    """Return flake8's findings in *folder*, and whatever else it printed."""
    done = subprocess.run(
        # -I keeps the folder off the path of modules: nothing in it can be imported
        (sys.executable, "-I", "-m", "flake8", "--isolated", f"--select={select}", f"--jobs={jobs}")
        + ("--format=%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s", "."),
        cwd=folder, capture_output=True, encoding="utf-8", errors="backslashreplace",
    )
    findings, trouble = [], done.stderr.splitlines()
    for row in done.stdout.splitlines():
        match row.split("\t", 4):
            case [path, line, column, code, text]:
                path = path.removeprefix("./")
                findings.append(Finding(name, path, int(line), int(column), code, text))
                if code == "TP000":
                    trouble.append(f"{path}: {text}")
            case _:
                trouble.append(row)
    return findings, [f"{name}: {row}" for row in trouble]


def read(output: Path) -> list[Finding]:
    """Return the findings that an earlier run left in *output*, none if there was no run."""
    if not output.exists():
        return []
    rows = (row.split("\t", 5) for row in output.read_text(encoding="utf-8").splitlines())
    return [Finding(name, path, int(line), int(col), *rest) for name, path, line, col, *rest in rows]


def write(output: Path, findings: Iterable[Finding]) -> None:
    """Write *findings* to *output*, sorted, a line each with tabs between the fields."""
    rows = ("\t".join(map(str, finding)) for finding in sorted(findings))
    output.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def selected(code: str, select: str) -> bool:
    """Return whether a run with ``--select=``*select* could have reported *code*; advice wants its name."""
    entries = [entry for entry in select.split(",") if code.startswith(entry)]
    return any(not code.startswith("TP9") or entry.startswith("TP9") for entry in entries)


def show(finding: Finding, mark: str = "") -> None:
    """Print *finding* on a line as flake8 does."""
    package, path, line, column, code, text = finding
    print(f"{mark}{package}/{path}:{line}:{column}: {code} {text}")


def summarize(findings: Iterable[Finding]) -> None:
    """Print how many findings each code has, in all and by package."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for finding in findings:
        counts[finding.code][finding.package] += 1
    for code, packages in sorted(counts.items()):
        print(code, packages.total(), "=", ", ".join(f"{name} {n}" for name, n in packages.most_common()))


def sample(findings: Sequence[Finding], number: int, folders: dict[str, Path]) -> None:
    """Print up to *number* of *findings*, evenly spread over all, with the source around each."""
    shown = min(number, len(findings))
    for finding in (findings[i * len(findings) // shown] for i in range(shown)):
        show(finding)
        source = folders[finding.package] / finding.path
        lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
        first = max(finding.line - 1 - CONTEXT, 0)
        for row, line in enumerate(lines[first:finding.line + CONTEXT], first + 1):
            print(f"{'>' if row == finding.line else ' '}{row:5} {line}")
        print()
    print(f"{shown} of {len(findings)}")


def compare(before: Iterable[Finding], after: Iterable[Finding]) -> None:
    """Print what is only in *after*, what is only in *before*, and how many of each."""
    appeared, went = sorted(set(after) - set(before)), sorted(set(before) - set(after))
    for finding in appeared:
        show(finding, "+ ")
    for finding in went:
        show(finding, "- ")
    print(f"{len(appeared)} appeared, {len(went)} went")


def arguments() -> argparse.Namespace:
    """Return the command line's arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="*", help="names of packages (default: all)")
    parser.add_argument("--cache", type=Path, default=CACHE, help="for packages (default: %(default)s)")
    parser.add_argument("--local", type=Path, metavar="FOLDER", help="lint the folders in FOLDER instead")
    parser.add_argument("--output", type=Path, help="findings (default: beside this tool, or in FOLDER)")
    parser.add_argument("--select", default="TP", help="codes, as for flake8 (default: %(default)s)")
    parser.add_argument("-j", "--jobs", default="auto", help="processes, as for flake8")
    parser.add_argument("--sample", nargs=2, metavar=("N", "CODE"), help="show findings in their source")
    args = parser.parse_args()
    args.output = args.output or (args.local or HERE) / "ecosystem-findings.txt"
    return args


def main() -> int:
    """Run the tool; the exit status is 1 if anything but findings came out of flake8."""
    args = arguments()
    pins = pinned()
    known = sorted(p.name for p in args.local.iterdir() if p.is_dir()) if args.local else list(pins)
    if unknown := set(args.packages) - set(known):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}")
    names = args.packages or known
    folders = {n: args.local / n if args.local else unpacked(pins[n], args.cache.resolve()) for n in names}
    earlier = read(args.output)
    if args.sample:
        number, code = args.sample
        sample([f for f in earlier if f.code == code and f.package in folders], int(number), folders)
        return 0
    findings: list[Finding] = []
    trouble: list[str] = []
    for name, folder in folders.items():
        found, other = lint(name, folder, args.select, args.jobs)
        print(f"{name}: {len(found)}" + " and trouble, see below" * bool(other), flush=True)
        findings += found
        trouble += other
    before = {f for f in earlier if f.package in folders and selected(f.code, args.select)}
    write(args.output, {*findings, *(f for f in earlier if f not in before and f.package in known)})
    if before:
        compare(before, findings)
    summarize(findings)
    print(*trouble, sep="\n", end="" if not trouble else "\n")
    return bool(trouble)


if __name__ == "__main__":
    sys.exit(main())
