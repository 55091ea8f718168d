"""The gate: does a text import torch, or a framework the model knows, at all?"""
from __future__ import annotations

import functools
import re

from flake8_torch_pitfalls.torch_model.names import packages


@functools.cache
def _roots() -> tuple[str, ...]:
    """Return the packages' names, without those that begin with another, as torchvision does."""
    names = sorted(packages(), key=len)
    return tuple(name for i, name in enumerate(names) if not name.startswith(tuple(names[:i])))


@functools.cache
def _import() -> re.Pattern[str]:
    """Match one of the names behind ``import`` or ``from``, on the same line."""
    names = "|".join("torch" if name == "torch" else rf"{name}\b" for name in _roots())
    return re.compile(rf"\b(?:import|from)\b[^\n#]*\b(?:{names})")


def names_torch(text: str) -> bool:
    """Return whether *text* imports torch or a framework around it, or a module named after one.

    A mere mention does not count: "accelerate" and "transformers" are English words too. A ``setup.py`` that
    requires torch need not import it.
    """
    if not any(name in text for name in _roots()):
        return False
    return _import().search(text) is not None or ("install_requires" in text and "torch" in text)
