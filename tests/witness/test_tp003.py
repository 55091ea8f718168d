"""TP003: a checkpoint goes back to the device it names, unless ``map_location`` says otherwise."""
from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import torch


@pytest.fixture
def from_gpu(tmp_path: Path) -> Path:
    """Return a checkpoint as a machine with a GPU writes it: its tensors name the device ``cuda:0``."""
    ours, theirs = tmp_path / "ours.pt", tmp_path / "theirs.pt"
    torch.save({"weight": torch.ones(2)}, ours)
    with zipfile.ZipFile(ours) as source, zipfile.ZipFile(theirs, "w", zipfile.ZIP_STORED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name.endswith("data.pkl"):
                content = content.replace(b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:0")
            target.writestr(name, content)
    return theirs


@pytest.mark.skipif(torch.cuda.is_available(), reason="shows what happens on a machine without a GPU")
def test_checkpoint_of_a_gpu_does_not_open_without_one(from_gpu: Path) -> None:
    with pytest.raises(RuntimeError, match="torch.cuda.is_available\\(\\) is False"):
        torch.load(from_gpu)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU: follows PyTorch's documentation elsewhere")
def test_tensors_go_back_to_the_gpu_they_came_from(from_gpu: Path) -> None:
    assert torch.load(from_gpu)["weight"].device == torch.device("cuda:0")


def test_map_location_says_where_to(from_gpu: Path) -> None:
    assert torch.load(from_gpu, map_location="cpu")["weight"].device == torch.device("cpu")
