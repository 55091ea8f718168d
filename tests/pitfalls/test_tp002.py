"""TP002 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import io, pickle, dill, torch\nfrom functools import partial\n"


def found(text: str, version: tuple[int, int] = (2, 13)) -> list[tuple[int, int]]:
    return [(line - 2, column) for line, column, _ in check(HEAD + text, ["TP002"], version)]


@pytest.mark.parametrize(
    "text, column",
    [
        ("torch.load('a', weights_only=False)", 17),
        ("torch.load('a', 'cpu', pickle)", 24),
        ("torch.load('a', pickle_module=dill, weights_only=None)", 17),
        ("torch.load('a', pickle_module=pickle, weights_only=False)", 39),
        ("torch.load('a', weights_only=False, **more)", 17),
        ("torch.serialization.load('a', weights_only=False)", 31),
        ("partial(torch.load, weights_only=False)('a')", 21),
        ("(lambda path: torch.load(path, weights_only=False))('a')", 32),
    ],
)
def test_unrestricted(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "torch.load('a')",
        "torch.load('a', weights_only=None)",
        "torch.load('a', weights_only=True)",
        "torch.load('a', pickle_module=None)",
        "torch.load('a', pickle_module=pickle, weights_only=True)",
        "torch.load('a', pickle_module=some_module)",
        "torch.load('a', **more)",
        "torch.load(*more)",
        "class Restricted: ...\ntorch.load('a', pickle_module=Restricted)",
        "torch.jit.load('a', weights_only=False)",
        "other.load('a', weights_only=False)",
        "def f(a, weights_only=False): return torch.load(a, weights_only=weights_only)",
    ],
)
def test_restricted_or_unknown(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("version, expected", [((2, 6), []), ((2, 5), [(1, 1)]), ((1, 13), [(1, 1)]), ((1, 12), [])])
def test_default_of_old_versions(version: tuple[int, int], expected: list[tuple[int, int]]) -> None:
    assert found("torch.load('a', map_location='cpu')", version) == expected


@pytest.mark.parametrize("text", ["torch.load('a', **more)", "reader = partial(torch.load)\nreader('a')"])
def test_unknown_arguments_in_old_versions(text: str) -> None:
    assert found(text, (2, 0)) == []


@pytest.mark.parametrize(
    "text",
    [
        "torch.save(1, 'a')\ntorch.load('a', weights_only=False)",
        "torch.save(1, f='a')\ntorch.load(f='a', weights_only=False)",
        "path = 'a'\ntrainer.save_checkpoint(path)\ntorch.load(str(path), weights_only=False)",
        "def f(self):\n    torch.save(1, self.path)\n    torch.load(self.path, weights_only=False)",
        "with open('a', 'wb') as f:\n    torch.save(1, f)\ntorch.load('a', weights_only=False)",
    ],
)
def test_a_file_written_before(text: str) -> None:
    assert found(text) == []


def test_another_file_written_before() -> None:
    assert found("torch.save(1, 'b')\ntorch.load('a', weights_only=False)") == [(2, 17)]


def test_a_file_written_afterwards_or_elsewhere() -> None:
    text = """\
def f(path):
    torch.save(1, path)
def g(path):
    x = torch.load(path, weights_only=False)
    torch.save(x, path)
"""
    assert found(text) == [(4, 26)]
