"""TP905 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

from flake8_torch_pitfalls.gate import names_torch


@pytest.mark.parametrize("requirement", ["torch", " torch ", "torch; python_version < '3.13'", "torch[opt]"])
def test_any_version(requirement: str) -> None:
    text = f"from setuptools import setup\nsetup(install_requires=[{requirement!r}])\n"
    assert names_torch(text)
    assert check(text, ["TP905"]) == [(2, 25, "TP905")]


@pytest.mark.parametrize("requirement", ["torch>=2", "torch==2.13.0", "torch @ https://x.y/z.whl", "torchvision"])
def test_some_version_or_another_package(requirement: str) -> None:
    assert check(f"from setuptools import setup\nsetup(install_requires=[{requirement!r}])\n", ["TP905"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "from setuptools import setup\nsetup(**options, install_requires=['torch'])",
        "from tools import setup\nsetup(install_requires=['torch'])",
        "import torch\n# dependencies = ['torch']\n",
        "import torch\n# /// script\n# dependencies = ['torch']\n",
    ],
)
def test_silent(text: str) -> None:
    assert check(text, ["TP905"]) == []


def test_inline_metadata_on_one_line() -> None:
    text = "# /// script\n# dependencies = ['rich[all]', \"torch\"]\n# ///\nimport torch\n"
    assert check(text, ["TP905"]) == [(2, 32, "TP905")]
