"""TP007 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """import copy, torch
from torch import nn
net, other = nn.Linear(2, 2), nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(HEAD + text, ["TP007"])]


def loop(keep: str, after: str = "net.load_state_dict(best)", test: str = "score > top") -> str:
    return (
        "for epoch in range(9):\n    net(x).sum().backward()\n    opt.step()\n"
        f"    if {test}:\n        {keep}\n{after}\n"
    )


@pytest.mark.parametrize(
    "keep, column",
    [
        ("best = net.state_dict()", 16),
        ("best = net.state_dict().copy()", 16),
        ("best = dict(net.state_dict())", 21),
        ("best = {k: v for k, v in net.state_dict().items()}", 34),
        ("best = {k: v.detach() for k, v in net.state_dict().items()}", 43),
        ("best = {k: v.cpu() for k, v in net.state_dict().items()}", 40),
        ("best = (epoch, opt.state_dict())", 24),
        ("best = {'net': net.state_dict(), 'epoch': epoch}", 24),
        ("best[epoch] = net.state_dict()", 23),
    ],
)
def test_live(keep: str, column: int) -> None:
    assert found(loop(keep)) == [(5, column)]


@pytest.mark.parametrize(
    "keep",
    [
        "best = copy.deepcopy(net.state_dict())",
        "best = {k: v.clone() for k, v in net.state_dict().items()}",
        "best = {k: v.detach().clone() for k, v in net.state_dict().items()}",
        "best = {k: v.numpy().tolist() for k, v in net.state_dict().items()}",
        "best = list(net.state_dict())",
        "best = net.state_dict(); break",
        "best = scheduler.state_dict()",
        "best = save(net.state_dict())",
        "torch.save(net.state_dict(), 'best.pt')",
    ],
)
def test_copied(keep: str) -> None:
    assert found(loop(keep)) == []


def test_what_is_used_in_the_same_turn() -> None:
    assert found(loop("best = net.state_dict(); torch.save(best, 'best.pt')", "pass")) == []
    assert found(loop("best = net.state_dict(); torch.save(best, 'best.pt')", "return_(best)")) == [(5, 16)]


def test_last_and_ordinary_turns() -> None:
    assert found(loop("best = net.state_dict()", test="epoch == 8")) == []
    assert found(loop("best = net.state_dict()", test="rank == 0")) == []
    assert found(loop("best = net.state_dict()", test="improved")) == [(5, 16)]


def test_cpu_copies_what_is_on_a_gpu() -> None:
    keep = "best = {k: v.cpu() for k, v in net.state_dict().items()}"
    assert found("net.cuda()\n" + loop(keep)) == []


def test_a_model_for_each_turn() -> None:
    text = "best = []\nfor lr in (1, 2):\n    model = nn.Linear(2, 2)\n    train(model)\n    best.append(model.state_dict())\n"
    assert found(text + "print(best)") == []
    assert found(text.replace("    model = nn.Linear(2, 2)\n", "").replace("model", "net") + "print(best)") == [(4, 17)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("start = net.state_dict()\ntrain(net)\nnet.load_state_dict(start)", [(1, 9)]),
        ("a = net.state_dict()\ntrain(net)\nnet.load_state_dict({k: a[k] + 1 for k in a})", [(1, 5)]),
        ("start = net.state_dict()\nprint(net)\nnet.load_state_dict(start)", []),
        ("start = net.state_dict()\ntrain(net)\nother.load_state_dict(start)", []),
        ("start = net.state_dict()\nnet = nn.Linear(2, 2)\ntrain(net)\nnet.load_state_dict(start)", []),
        ("start = net.state_dict()\nfor i in (1, 2):\n    net.load_state_dict(start)\n    train(net)", [(1, 9)]),
    ],
)
def test_start_again(text: str, expected: list[tuple[int, int]]) -> None:
    assert found("def f(net: nn.Module):\n" + "".join(f"    {line}\n" for line in text.split("\n"))) == [
        (line + 1, column + 4) for line, column in expected
    ]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("other.load_state_dict(net.state_dict())", []),
        ("other.load_state_dict(net.state_dict(), assign=True)\nopt.step()\nnet(x)", [(1, 1)]),
        ("other.load_state_dict(net.state_dict(), assign=True)\nother(x)", []),
        ("new = torch.optim.SGD(other.parameters(), lr=1)\nnew.load_state_dict(opt.state_dict())\nnew.step()", []),
        ("new = torch.optim.SGD(other.parameters(), lr=1)\nnew.load_state_dict(opt.state_dict())\nnew.step(); opt.step()",
         [(2, 1)]),
    ],
)  # fmt: skip
def test_shared_by_loading(text: str, expected: list[tuple[int, int]]) -> None:
    assert found(text) == expected


def test_training_in_another_file() -> None:
    files = {
        "main.py": "import torch\nfrom torch import nn\nfrom lib import run\ndef main(net: nn.Module):\n"
        "    best, top = None, 0\n    for _ in range(3):\n        score = run(net)\n        if score > top:\n"
        "            best, top = None, score\n            best = net.state_dict()\n    return best\n",
        "lib.py": "def run(net):\n    optimizer.step()\n    return 1\n",
    }
    assert check(files, ["TP007"]) == [(10, 20, "TP007")]
