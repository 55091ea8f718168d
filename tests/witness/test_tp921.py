"""TP921: the text of a module knows no shapes of activations, no counts, and no order of use."""
from __future__ import annotations

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = nn.Linear(7, 3)
        self.unused = nn.Linear(50, 60)
        self.first = nn.Linear(5, 7)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.first(x))


def test_the_text_lists_what_was_assigned() -> None:
    net = Net()
    text = str(net)
    assert text.index("last") < text.index("unused") < text.index("first")
    assert str(sum(p.numel() for p in net.parameters())) not in text
    assert "[" not in text
