"""TP224 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

from flake8_torch_pitfalls.pitfalls.modules import tp224_argument_in_wrong_place as tp224
from flake8_torch_pitfalls.torch_model import parameters

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn import LeakyReLU as Leaky
from torch.utils.data import DataLoader
Norm = nn.BatchNorm3d
MOMENTUM = 0.9
def f(x, w, params, data, optimizer, loss, momentum=0.1, bias=False, stride=2, dilation=1, args=(), **options):
    return {}
"""


def found(value: str) -> list[int]:
    return [column - 11 for _, column, _ in check(HEAD.format(value), ["TP224"])]


@pytest.mark.parametrize(
    "value, column",
    [
        ("nn.SyncBatchNorm(8, 0.1)", 21),
        ("nn.LazyBatchNorm2d(64)", 20),
        ("nn.InstanceNorm2d(8, True)", 22),
        ("nn.BatchNorm2d(8, MOMENTUM)", 19),
        ("nn.BatchNorm2d(8, momentum)", 19),
        ("Norm(8, 0.8)", 9),
        ("Leaky(True)", 7),
        ("nn.Dropout(True)", 12),
        ("nn.Dropout2d(20)", 14),
        ("F.dropout(x, False)", 14),
        ("F.relu(x, 0.1)", 11),
        ("nn.Linear(8, 8, 8)", 17),
        ("nn.Conv2d(3, 8, 3, 'same')", 20),
        ("nn.Conv2d(3, 8, 3, 1, dilation)", 23),
        ("nn.ConvTranspose2d(3, 8, 4, 2, 1, False)", 35),
        ("F.max_pool2d(x, 3, 2, True)", 23),
        ("nn.Embedding(10, 8, True)", 21),
        ("nn.RNN(8, 8, 2, True)", 17),
        ("nn.LSTM(8, 8, True)", 15),
        ("nn.TransformerDecoderLayer(8, 512)", 1),
        ("nn.TransformerEncoderLayer(8, 2, 64, True)", 38),
        ("F.interpolate(x, 0.5)", 18),
        ("F.normalize(x, 0)", 16),
        ("torch.norm(x, -1)", 15),
        ("x.clamp(1, 0)", 1),
        ("torch.clamp(x, 1.0, -1.0)", 1),
        ("nn.init.trunc_normal_(w, .02)", 26),
        ("nn.init.uniform_(w, 0.1)", 21),
        ("w.data.normal_(0.02)", 16),
        ("torch.optim.AdamW(params, 1e-3, 1e-4)", 33),
        ("torch.optim.lr_scheduler.MultiStepLR(optimizer, 0.1)", 49),
        ("DataLoader(data, True)", 18),
        ("loss.backward(True)", 15),
        ("nn.LSTM(8, 8, 2, x.dropout_rate)", 18),
        ("nn.Conv2d(3, 8, 3, 1, 1, x.use_bias)", 26),
        ("nn.BCEWithLogitsLoss(x.pos_weight)", 22),
        ("nn.CrossEntropyLoss(0)", 21),
        ("nn.Linear(8, 8, x.device)", 17),
    ],
)
def test_faults(value: str, column: int) -> None:
    assert found(value) == [column]


@pytest.mark.parametrize(
    "value",
    [
        "nn.BatchNorm2d(8, 1e-5, 0.8)",
        "nn.BatchNorm2d(8, *args)",
        "nn.BatchNorm2d(*args, 0.8)",
        "nn.BatchNorm2d(8, eps=0.8)",
        "nn.BatchNorm2d(8, x)",
        "nn.Linear(8, 8, bias)",
        "nn.Linear(8, 8, True)",
        "nn.Linear(8, 8, 0)",
        "nn.Conv2d(3, 8, stride, stride)",
        "nn.Conv2d(3, 8, 3, 1, dilation, dilation)",
        "nn.Conv2d(3, 8, 3, 1, dilation, **options)",
        "nn.Conv2d(3, 8, 3, 1, 1, 1, 1, bias)",
        "nn.LSTM(8, 8, 2, bias, True, 0.5, True)",
        "nn.Dropout(0)",
        "nn.Dropout(1)",
        "F.dropout(x, 0.5, True)",
        "F.interpolate(x, 64)",
        "F.normalize(x, 1, 1)",
        "F.normalize(x, dim=-1)",
        "torch.norm(x, 2, -1)",
        "x.clamp(0, 1)",
        "x.clamp(0.5)",
        "nn.init.normal_(w)",
        "nn.init.normal_(w, 0)",
        "nn.init.normal_(w, 0.02, 0.02)",
        "nn.init.normal_(w, **options)",
        "nn.init.uniform_(w, -0.1, 0.1)",
        "torch.optim.SGD(params, 0.1, 0.9)",
        "torch.optim.SGD(params, 0.1, momentum=1e-4)",
        "DataLoader(data, 32, True)",
        "DataLoader(data, 32, 1)",
        "loss.backward(x)",
        "options['engine'].backward(True)",
        "torch.linspace(0, 1, 10)",
        "nn.ReLU(bias)",
        "nn.Conv2d(3, 8, 3, 1, 1, 1, 1, x.use_bias, x.padding_mode)",
        "nn.BCEWithLogitsLoss(x.weight)",
        "nn.TransformerEncoderLayer(8, 2, 64, x.dropout_rate)",
        "nn.MultiheadAttention(512, 8, 0.1)",
        "nn.MultiheadAttention(dilation, stride)",
    ],
)
def test_silent(value: str) -> None:
    assert found(value) == []


def test_made_with_tensors() -> None:
    text = """\
        import torch.nn as nn
        class Net(nn.Module):
            def __init__(self, rate):
                super().__init__()
                self.drop = nn.Dropout(rate)
                self.fc = nn.Linear(8, 8)
            def forward(self, x, rate=0.5):
                y = nn.Softmax(x)
                z = nn.ReLU(self.fc(x))
                return nn.Dropout(rate)(self.drop(y + z))
        def train(net: Net, x, y):
            loss = nn.CrossEntropyLoss(net(x), y)
            loss.backward()
            other = nn.MSELoss(x, y)
            weighted = nn.CrossEntropyLoss(x)
            return other, weighted(x, y).item(), nn.NLLLoss(x, size_average), nn.NLLLoss(x, True)
        """
    assert check(text, ["TP224"]) == [(8, 13, "TP224"), (9, 13, "TP224"), (12, 12, "TP224"), (14, 13, "TP224")]


@pytest.mark.parametrize("symbol", dict.fromkeys((*tp224.PLACES, *tp224.SWAPPED, *tp224.OF_SETTINGS)))
def test_the_table_names_parameters_that_there_are(symbol: str) -> None:
    names = {each.name for each in parameters(symbol) if each.kind == "positional"}
    assert names or symbol in tp224.OF_SETTINGS
    wanted = {*tp224.SWAPPED.get(symbol, ()), *(place.without for place in tp224.PLACES.get(symbol, ())
                                                if place.without is not None)}  # fmt: skip
    assert wanted <= names
    assert not tp224.PLACES.get(symbol) or any(place.parameter in names for place in tp224.PLACES[symbol])
