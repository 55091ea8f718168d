"""The gate: does a text name torch, or a framework the model knows, at all?"""
from __future__ import annotations

import functools
import re

from flake8_torch_pitfalls.torch_model.names import packages


@functools.cache
def _pattern() -> re.Pattern[str]:
    """Match one of the packages' names at the start of a word.

    ``torch`` also stands at the start of torchvision and torchmetrics, so the others are few.
    """
    names = sorted(packages(), key=len)
    roots = [name for i, name in enumerate(names) if not name.startswith(tuple(names[:i]))]
    return re.compile(r"\b(?:" + "|".join(map(re.escape, roots)) + ")")


def names_torch(text: str) -> bool:
    """Return whether *text* holds the name of torch or of a framework around it."""
    return _pattern().search(text) is not None
