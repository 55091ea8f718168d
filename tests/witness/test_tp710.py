"""TP710: two ranks that write one file at once leave a file that cannot be read, or the other's weights."""
from __future__ import annotations

from pathlib import Path

import pytest
import torch


class Interrupted:
    """A file that lets another rank save to the same path half-way through the writing."""

    def __init__(self, path: Path, other: dict[str, torch.Tensor] | None) -> None:
        self.file = path.open("wb")
        self.path = path
        self.other = other

    def write(self, data: bytes) -> int:
        written = self.file.write(data)
        self.file.flush()
        if self.other is not None:
            state, self.other = self.other, None
            torch.save(state, self.path)
        return written

    def flush(self) -> None:
        self.file.flush()


def save_meanwhile(path: Path, mine: dict[str, torch.Tensor], other: dict[str, torch.Tensor] | None) -> None:
    file = Interrupted(path, other)
    torch.save(mine, file)
    file.file.close()


def test_two_ranks_break_the_file(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_meanwhile(path, {"w": torch.zeros(10)}, {"w": torch.ones(100), "more": torch.ones(100)})
    with pytest.raises(RuntimeError):
        torch.load(path)


def test_one_rank_does_not(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_meanwhile(path, {"w": torch.zeros(10)}, None)
    assert torch.load(path)["w"].sum() == 0
