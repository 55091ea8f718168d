"""TP005 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nfrom torch import nn\nnet = nn.Linear(1, 1)\nstate = torch.load('f')\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(HEAD + text, ["TP005"])]


@pytest.mark.parametrize(
    "text, place",
    [
        ("net = net.load_state_dict(state)", (1, 7)),
        ("a = b = net.load_state_dict(state)\na.cuda()", (1, 9)),
        ("net.load_state_dict(state).to('cuda')", (1, 1)),
        ("m = nn.DataParallel(net.load_state_dict(state))", (1, 21)),
        ("def f(model):\n    model = model.load_state_dict(state['model'])", (2, 13)),
        ("def f():\n    return net.load_state_dict(state)\ndef g():\n    m = f()\n    m(1)", (2, 12)),
        ("def f(model):\n    model = model.load_state_dict(s)\n    model.eval()\n    model(1)", (2, 13)),
    ],
)
def test_taken_for_the_module(text: str, place: tuple[int, int]) -> None:
    assert found(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "net.load_state_dict(state)",
        "r = net.load_state_dict(state)\nprint(r)",
        "m, u = net.load_state_dict(state)",
        "assert net.load_state_dict(state).missing_keys == []",
        "def f():\n    return net.load_state_dict(state)\nr = f()\nprint(r.missing_keys)",
        "def f(agent):\n    agent = agent.load_state_dict(s)",
        "r = net.load_state_dict(state)\nr = nn.Linear(1, 1)\nr.eval()",
        "print(net.load_state_dict(state))",
    ],
)
def test_reports_and_unknowns(text: str) -> None:
    assert found(text) == []


def test_a_module_of_another_file() -> None:
    nets = """\
    from torch import nn
    class Net(nn.Module): pass
    class Own(Net):
        def load_state_dict(self, state): return self
    """
    text = """\
    import torch
    from nets import Net, Own
    a = Net().load_state_dict({})
    a.eval()
    Own().load_state_dict({}).eval()
    """
    assert check({"a.py": text, "nets.py": nets}, ["TP005"]) == [(3, 5, "TP005")]
