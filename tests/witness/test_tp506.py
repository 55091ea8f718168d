"""TP506: instances share what they got by default."""
from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import Dataset


class Shared(Dataset):
    def __init__(self, transforms: list[object] = []) -> None:
        self.transforms = transforms


class Own(Dataset):
    def __init__(self, transforms: list[object] | None = None) -> None:
        self.transforms = [] if transforms is None else list(transforms)


class SharedLayer(nn.Module):
    def __init__(self, layer: nn.Module = nn.Linear(2, 2)) -> None:
        super().__init__()
        self.layer = layer


def test_a_default_list_is_shared() -> None:
    first, second = Shared(), Shared()
    first.transforms.append(torch.neg)
    assert second.transforms == [torch.neg]


def test_a_list_made_inside_is_not() -> None:
    first, second = Own(), Own()
    first.transforms.append(torch.neg)
    assert second.transforms == []


def test_a_default_layer_is_trained_by_both_models() -> None:
    first, second = SharedLayer(), SharedLayer()
    with torch.no_grad():
        first.layer.weight.fill_(7.0)
    assert torch.equal(second.layer.weight, torch.full((2, 2), 7.0))
