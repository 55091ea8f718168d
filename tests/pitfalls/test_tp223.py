"""TP223 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import copy\nfrom torch import nn\ndef f(n, given):\n    fc = nn.Linear(2, 2)\n    "


@pytest.mark.parametrize(
    "body, place",
    [
        ("return nn.ModuleList([nn.Linear(2, 2)] * 3)", (5, 26)),
        ("return nn.ModuleList(3 * [nn.Linear(2, 2)])", (5, 26)),
        ("return nn.Sequential(*[fc] * n)", (5, 27)),
        ("return nn.Sequential(*([nn.Linear(2, 2)] * n))", (5, 28)),
        ("return nn.Sequential(nn.ReLU(), *[nn.Linear(2, 2)] * n)", (5, 38)),
        ("return nn.ModuleList([fc for _ in range(n)])", (5, 26)),
        ("return nn.ModuleList(fc for _ in range(n))", (5, 25)),
        ("return nn.ModuleDict({str(i): fc for i in range(n)})", (5, 26)),
        ("layers = [nn.ReLU()] + [fc] * n\n    return nn.Sequential(*layers)", (5, 28)),
        ("layers = nn.ModuleList()\n    for _ in range(n):\n        layers.append(fc)", (7, 9)),
    ],
)
def test_one_layer_several_times(body: str, place: tuple[int, int]) -> None:
    assert check(HEAD + body + "\n", ["TP223"]) == [(*place, "TP223")]


@pytest.mark.parametrize(
    "body",
    [
        "return nn.ModuleList([nn.ReLU()] * 3)",
        "return nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])",
        "return nn.ModuleList([copy.deepcopy(fc) for _ in range(n)])",
        "return nn.ModuleList([x for x in [fc, nn.Linear(2, 2)]])",
        "return nn.ModuleList([given] * 3)",
        "return nn.ModuleList([given for _ in range(3)])",
        "return nn.ModuleList([fc] * 1)",
        "return [fc] * 3",
        "return [8] * 3",
        "shared = fc\n    return nn.ModuleList([shared] * 3)",
        "layers = []\n    for _ in range(n):\n        fc = nn.Linear(2, 2)\n        layers.append(fc)\n    return nn.Sequential(*layers)",
        "layers = []\n    for fc in given:\n        layers.append(fc)\n    return nn.Sequential(*layers)",
        "layers = []\n    for _ in range(n):\n        layers.append(fc)\n    return layers",
    ],
)
def test_layers_of_their_own(body: str) -> None:
    assert check(HEAD + body + "\n", ["TP223"]) == []
