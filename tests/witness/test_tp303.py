"""TP303: ``as_strided`` aliases elements and leaves views without an error."""
from __future__ import annotations

import pytest
import torch


def test_a_write_changes_the_neighbours() -> None:
    signal = torch.arange(5.0)
    windows = torch.as_strided(signal, (3, 3), (1, 1))
    windows[0, 1] = 100.0
    assert windows[1, 0] == 100.0
    assert signal[1] == 100.0


def test_strides_of_a_contiguous_tensor_on_a_view() -> None:
    columns = torch.arange(6.0).view(2, 3)[:, 1:]
    assert columns.tolist() == [[1, 2], [4, 5]]
    assert columns.as_strided((2, 2), (2, 1)).tolist() == [[1, 2], [3, 4]]
    assert columns.as_strided((2, 2), (3, 1), 0).tolist() == [[0, 1], [3, 4]]


def test_only_what_leaves_the_storage_raises() -> None:
    with pytest.raises(RuntimeError):
        torch.arange(4.0).as_strided((3, 3), (2, 1))


def test_what_to_write() -> None:
    signal = torch.arange(5.0)
    assert signal.unfold(0, 3, 1).tolist() == torch.as_strided(signal, (3, 3), (1, 1)).tolist()
    copy = torch.as_strided_copy(signal, (3, 3), (1, 1))
    copy[0, 1] = 100.0
    assert copy[1, 0] == 1.0
