import torch
from torch import nn


def test_dropout_is_off_in_eval_mode():
    layer = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    layer.eval()
    x = torch.ones(2, 4)
    assert torch.equal(layer(x), layer(x))
