"""TP002: the full unpickler runs what the file names, the restricted one refuses it."""
from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import torch

RUN: list[str] = []


def run(what: str) -> str:
    RUN.append(what)
    return what


class Payload:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return run, ("from the file",)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    RUN.clear()
    torch.save({"weights": torch.zeros(2), "extra": Payload()}, tmp_path / "file.pt")
    return tmp_path / "file.pt"


@pytest.mark.parametrize("options", [{"weights_only": False}, {"pickle_module": pickle}], ids=str)
def test_code_in_the_file_runs(file: Path, options: dict[str, object]) -> None:
    torch.load(file, **options)
    assert RUN == ["from the file"]


@pytest.mark.parametrize("options", [{"weights_only": True}, {}, {"weights_only": None}], ids=str)
def test_code_in_the_file_is_refused(file: Path, options: dict[str, object]) -> None:
    with pytest.raises(pickle.UnpicklingError):
        torch.load(file, **options)
    assert RUN == []
