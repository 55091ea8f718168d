"""When names, arguments and usages of torch and torchvision were deprecated and removed: ``lifetimes.csv``.

Each row of the table holds

- ``name``: public dotted name of a function, class, module or method,
- ``argument``, ``position``: its parameter that the row is about, and where old code may pass it without its name,
- ``when``: nothing for any use of the name, or any value of the argument; ``missing`` where the argument is not given,
  ``= VALUE``, ``called`` for a name that lives on as a module, ``positional N M`` for the signatures with that many
  positional arguments, ``uint8`` for a mask of that dtype,
- ``deprecated``, ``removed``: the versions, torchvision's own for its names; a version is the latest possible one
  where documentation and release notes do not tell it exactly,
- ``how``: ``warns`` at run time, or is ``documented`` as deprecated; what is removed is ``gone``, or it ``raises``,
- ``instead``: what to do, as the second half of a message,
- ``source``: the page that says so.
"""
from __future__ import annotations

import csv
import dataclasses
import functools
from pathlib import Path
from typing import Literal

TABLE = Path(__file__).parent / "lifetimes.csv"
Version = tuple[int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class Lifetime:
    """One row of the table; the versions are those of torch."""

    name: str
    argument: str
    position: int | None
    when: str
    deprecated: Version
    removed: Version | None
    how: Literal["warns", "documented", "gone", "raises"]
    instead: str
    source: str
    deprecated_text: str
    """Library and version as its users know them."""
    removed_text: str

    @property
    def last_name(self) -> str:
        """The name by which code mentions it."""
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The module or class that the name is looked up in."""
        return self.name.rpartition(".")[0]

    @property
    def is_method(self) -> bool:
        """Whether the name is looked up in an object, of the class that ``owner`` names."""
        return self.owner.rpartition(".")[2][:1].isupper()

    def is_removed(self, version: Version) -> bool:
        """Return whether torch *version* has it no longer."""
        return self.removed is not None and self.removed <= version

    def is_deprecated(self, version: Version) -> bool:
        """Return whether torch *version* still has it, and advises against it."""
        return self.deprecated <= version and not self.is_removed(version)


@functools.cache
def lifetimes() -> tuple[Lifetime, ...]:
    """Return the rows of the table."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        return tuple(_lifetime(row) for row in csv.DictReader(file))


@functools.cache
def words(removed: bool) -> frozenset[str]:
    """Return the names of which one stands in every text that uses something removed, or just deprecated, one day."""
    rows = [row for row in lifetimes() if not removed or row.removed]
    found = {row.last_name for row in rows if not row.last_name.startswith("__")}
    found.update(row.owner.rpartition(".")[2] for row in rows if row.last_name.startswith("__init__"))
    found.update(row.argument for row in rows if row.argument and row.when != "missing")
    return frozenset(found | {"uint8", "byte", "ByteTensor"})


def _lifetime(row: dict[str, str]) -> Lifetime:
    library = "torchvision" if row["name"].startswith("torchvision.") else "torch"
    removed = row["removed"]
    return Lifetime(
        name=row["name"],
        argument=row["argument"],
        position=int(row["position"]) if row["position"] else None,
        when=row["when"],
        deprecated=_torch_version(library, row["deprecated"]),
        removed=_torch_version(library, removed) if removed else None,
        how=row["how"],  # type: ignore[arg-type]  # a test holds the table to the four words
        instead=row["instead"],
        source=row["source"],
        deprecated_text=f"{library} {row['deprecated']}",
        removed_text=f"{library} {removed}",
    )


def _torch_version(library: str, text: str) -> Version:
    """Return the version of torch that *text*, a version of *library*, was released with."""
    major, minor = map(int, text.split("."))
    if library == "torch":
        return major, minor
    return (1, minor - 1) if minor < 15 else (2, minor - 15)  # torchvision 0.14 came with 1.13, 0.15 with 2.0
