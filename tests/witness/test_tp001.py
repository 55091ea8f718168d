"""TP001: a module saved as an object is refused by the default reader, its state dictionary is not."""
from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import torch
from torch import nn


NET = nn.Linear(2, 2)


@pytest.mark.parametrize("saved", [NET, {"model": NET}, (NET, 3)], ids=["alone", "in a dictionary", "in a tuple"])
def test_whole_module_is_refused(tmp_path: Path, saved: object) -> None:
    torch.save(saved, tmp_path / "net.pt")
    with pytest.raises(pickle.UnpicklingError, match="[Ww]eights.only"):
        torch.load(tmp_path / "net.pt")


def test_whole_module_needs_its_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "Net", type("Net", (nn.Linear,), {"__module__": __name__}))
    torch.save(globals()["Net"](2, 2), tmp_path / "net.pt")
    monkeypatch.delitem(globals(), "Net")
    with pytest.raises(AttributeError, match="Net"):
        torch.load(tmp_path / "net.pt", weights_only=False)


def test_state_dictionary_is_read(tmp_path: Path) -> None:
    net, other = nn.Linear(2, 2), nn.Linear(2, 2)
    torch.save({"model": net.state_dict(), "epoch": 3}, tmp_path / "net.pt")
    other.load_state_dict(torch.load(tmp_path / "net.pt")["model"])
    assert torch.equal(net.weight, other.weight)
