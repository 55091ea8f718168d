"""Which packages the model knows: names only, so that asking costs next to nothing."""
from __future__ import annotations

import functools
from pathlib import Path

STUBS = Path(__file__).parent / "stubs"


@functools.cache
def packages() -> frozenset[str]:
    """Return the top-level packages that the model describes: torch and the frameworks around it."""
    return frozenset(path.name.partition(".")[0] for path in STUBS.iterdir())


def modelled(dotted: str) -> bool:
    """Return whether *dotted* begins with a package that the model describes."""
    return dotted.partition(".")[0] in packages()


@functools.cache
def stub_files() -> dict[str, Path]:
    """Return every stub file by the dotted name of its module; parents come before children."""
    found = {}
    for path in sorted(STUBS.rglob("*.pyi")):
        parts = path.relative_to(STUBS).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found
