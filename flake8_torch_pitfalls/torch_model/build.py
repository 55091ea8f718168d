"""Regenerate what is generated of the model, or check all of it, against the installed torch.

``python -m flake8_torch_pitfalls.torch_model.build`` writes ``derivatives.json`` anew;
``--check`` writes nothing, prints each difference and exits with 1 if there is one. Both need torch and
PyYAML, which torchgen reads its tables with.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from flake8_torch_pitfalls.torch_model import _build_ops
from flake8_torch_pitfalls.torch_model._ops import DERIVATIVES


def differences() -> Iterator[str]:
    """Yield what in the model is not so in the installed torch."""
    from flake8_torch_pitfalls.torch_model import _build_check

    if DERIVATIVES.read_text(encoding="utf-8") != _build_ops.generated():
        yield f"{DERIVATIVES.name} is not what the installed torch's tables give; run without --check"
    yield from _build_check.differences()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    parser = argparse.ArgumentParser(prog="build", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    if not parser.parse_args(arguments).check:
        DERIVATIVES.write_text(_build_ops.generated(), encoding="utf-8")
        return 0
    found = list(differences())
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
