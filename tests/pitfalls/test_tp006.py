"""TP006 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import copy, torch\nfrom torch import nn\nnet = nn.Linear(1, 1)\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 3, column) for line, column, _ in check(HEAD + text, ["TP006"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("torch.save(net.state_dict, 'f')", (1, 12)),
        ("torch.save(obj=net.state_dict, f='f')", (1, 16)),
        ("torch.save([{'a': net.state_dict}], 'f')", (1, 19)),
        ("net.load_state_dict(net.state_dict if net else None)", (1, 21)),
        ("w = net.state_dict\ntorch.save(w, 'f')", (1, 5)),
        ("d = {}\nd['net'] = net.state_dict\ntorch.save(d, 'f')", (2, 12)),
        ("nn.DataParallel(net).module.load_state_dict(net.state_dict)", (1, 45)),
        ("def f(model, opt):\n    opt.zero_grad()\n    torch.save(opt.state_dict, 'f')", (3, 16)),
        ("class Own(nn.Module):\n    def state_dict(self): return {}\ntorch.save(Own().state_dict, 'f')", (3, 12)),
    ],
)
def test_not_called(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "torch.save(net.state_dict(), 'f')",
        "get = net.state_dict\ntorch.save(get(), 'f')",
        "print(net.state_dict)",
        "def f(model): torch.save(model.state_dict, 'f')",
        "torch.save(torch.load('f').state_dict, 'g')",
        "class C:\n    def __init__(self, d): self.state_dict = d\ntorch.save(C({}).state_dict, 'f')",
        "class C(nn.Module):\n    @property\n    def state_dict(self): return {}\ntorch.save(C().state_dict, 'f')",
        "handlers = {'save': net.state_dict, 'load': net.load_state_dict}",
        "net.register('x', net.state_dict)",
    ],
)
def test_called_or_meant(text: str) -> None:
    assert found(text) == []
