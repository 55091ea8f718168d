"""TP304: which operations keep the channels_last format, and which lose or refuse it."""
from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

LAST = torch.channels_last


def _is_last(x: torch.Tensor) -> bool:
    return bool(x.is_contiguous(memory_format=LAST)) and not x.is_contiguous()


def test_layers_keep_the_format_and_contiguous_leaves_it() -> None:
    x = torch.rand(2, 4, 6, 6).to(memory_format=LAST)
    network = torch.nn.Sequential(
        torch.nn.Conv2d(4, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2)
    ).to(memory_format=LAST)
    y = network(x)
    assert _is_last(x) and _is_last(y)
    assert not _is_last(y.contiguous()) and y.contiguous().data_ptr() != y.data_ptr()
    kept = y.contiguous(memory_format=LAST)
    assert _is_last(kept) and kept.data_ptr() == y.data_ptr()


def test_volumes_too() -> None:
    x = torch.rand(2, 3, 4, 5, 6).contiguous(memory_format=torch.channels_last_3d)
    assert not x.is_contiguous() and x.contiguous().is_contiguous()


def test_a_shuffle_comes_out_in_the_other_format() -> None:
    x = torch.rand(2, 4, 6, 6).to(memory_format=LAST)
    shuffled = x.view(2, 2, 2, 6, 6).transpose(1, 2).reshape(2, 4, 6, 6)
    assert shuffled.is_contiguous()
    assert _is_last(shuffled.contiguous(memory_format=LAST))


def test_views_that_merge_channels_and_pixels_raise() -> None:
    x = torch.rand(2, 4, 6, 6).to(memory_format=LAST)
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        x.view(2, -1)
    assert x.view(2, 4, -1).shape == (2, 4, 36)
    assert x.flatten(1).shape == x.reshape(2, -1).shape == x.contiguous().view(2, -1).shape == (2, 144)


def test_preserve_format_is_no_format_to_be_contiguous_in() -> None:
    x = torch.rand(2, 3, 4, 5)
    assert x.contiguous(memory_format=torch.preserve_format) is not None  # nothing to do, nothing looked at
    with pytest.raises(RuntimeError, match="[Pp]reserve"):
        x.to(memory_format=LAST).contiguous(memory_format=torch.preserve_format)
    assert torch.rand(2, 3).clone(memory_format=torch.preserve_format).shape == (2, 3)
