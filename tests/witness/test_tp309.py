"""TP309: view and reshape keep the order of the elements, whatever sizes they are given."""
from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")


def test_swapped_sizes_do_not_transpose() -> None:
    x = torch.arange(6).view(2, 3)
    assert x.view(x.size(1), x.size(0)).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert x.reshape(x.shape[1], x.shape[0]).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert x.t().tolist() == [[0, 3], [1, 4], [2, 5]]


def test_pixels_as_a_sequence_are_mixed() -> None:
    b, c, h, w = 1, 3, 2, 2
    images = torch.arange(b * c * h * w).view(b, c, h, w)
    assert images.view(b, -1, c)[0, 0].tolist() == [0, 1, 2]  # three pixels of one channel
    assert images.flatten(2).transpose(1, 2)[0, 0].tolist() == [0, 4, 8]  # one pixel in three channels
    assert images.view(b, h, w, c).tolist() != images.permute(0, 2, 3, 1).tolist()


def test_a_size_of_one_may_stand_anywhere() -> None:
    state = torch.rand(1, 4, 5)
    assert torch.equal(state.view(state.size(1), state.size(0), state.size(2)), state.transpose(0, 1))


def test_a_padded_table_shifts_its_rows() -> None:
    table = torch.tensor([[1, 2, 3], [4, 5, 6]])
    padded = torch.nn.functional.pad(table, (1, 0))
    assert padded.view(4, 2)[1:].view(2, 3).tolist() == [[2, 3, 0], [4, 5, 6]]
