"""TP931 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = """\
import torch
from torch import nn
import torchvision
images = load()
"""


@pytest.mark.parametrize(
    "body, expected",
    [
        ("net = torchvision.models.resnet18().to(memory_format=torch.channels_last)\nnet(images)", ["TP931"]),
        ("net = torchvision.models.resnet18()\nnet(images.to(memory_format=torch.channels_last))", ["TP931"]),
        ("net = nn.Linear(4, 4)\nnet(images.to(memory_format=torch.channels_last))", []),
        ("net = nn.Conv2d(3, 4, 3)\nother(images.to(memory_format=torch.channels_last))", []),
        ("net = nn.Conv3d(3, 4, 3).to(memory_format=torch.channels_last_3d)\nnet(images)", ["TP931"]),
        ("net = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)\nrun(net, images)", []),
        ("net = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)\nnet(images)\nf = torch.channels_last", []),
    ],
)
def test_conversions(body: str, expected: list[str]) -> None:
    assert codes(HEAD + body, ["TP931"]) == expected
