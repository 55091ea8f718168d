"""TP203: what may stand between an evaluation and the next training step."""
from __future__ import annotations

import pytest
from support import check

PROGRAM = """\
import torch
from torch import nn
from helpers import restore
def evaluate(net, loader):
    {switch}
    with torch.no_grad():
        total = sum(nn.functional.mse_loss(net(x), y).item() for x, y in loader)
    {after}
    return total
def main(loader, valid, debug):
    net = nn.Sequential({layers})
    opt = torch.optim.SGD(net.parameters(), 0.1)
    {before}
    for epoch in range(9):
        {top}
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        {bottom}
"""
RIGHT = {
    "switch": "net.eval()",
    "after": "pass",
    "layers": "nn.Linear(2, 2), nn.Dropout()",
    "before": "net.train()",
    "top": "pass",
    "bottom": "evaluate(net, valid)",
}


def found(**parts: str) -> list[tuple[int, int]]:
    program = PROGRAM.format(**{**RIGHT, **parts})
    return [(line, column) for line, column, _ in check(program, ["TP203"])]


def test_train_before_the_loop_only() -> None:
    assert found() == [(5, 5)]


@pytest.mark.parametrize(
    "parts",
    [
        {"before": "evaluate(net, valid)", "bottom": "pass"},
        {"before": "pass"},
        {"switch": "net.train(False)"},
        {"bottom": "if epoch % 5 == 0: evaluate(net, valid)"},
        {"bottom": "evaluate(net, valid); torch.save(net.state_dict(), 'net.pt')"},
        {"after": "if total > 3: net.train()"},
        {"top": "if epoch == 0: net.train()"},
        {"layers": "nn.Linear(2, 2), nn.BatchNorm1d(2)"},
    ],
    ids=str,
)
def test_training_goes_on_in_eval_mode(parts: dict[str, str]) -> None:
    assert found(**parts) == [(5, 5)]


@pytest.mark.parametrize(
    "parts",
    [
        {"top": "net.train()"},
        {"after": "net.train()"},
        {"bottom": "evaluate(net, valid); net.train()"},
        {"bottom": "evaluate(net, valid); net.train(mode=not debug)"},
        {"bottom": "pass"},
        {"bottom": "pass", "before": "evaluate(net, valid); net.train()"},
        {"bottom": "evaluate(net, valid); break"},
        {"bottom": "evaluate(net, valid); restore(net)"},
        {"before": "net.eval()", "bottom": "pass"},
        {"layers": "nn.Linear(2, 2), nn.ReLU()"},
        {"switch": "mode = net.training; net.eval()", "after": "net.train(mode)"},
        {"bottom": "evaluate(nn.Sequential(nn.Dropout()), valid)"},
    ],
    ids=str,
)
def test_right_programs(parts: dict[str, str]) -> None:
    assert found(**parts) == []


def test_the_evaluation_in_another_file_is_reported_at_the_call() -> None:
    program = PROGRAM.format(**RIGHT)
    start, end = program.index("def evaluate"), program.index("def main")
    text = "from engine import evaluate\n" + program[:start] + program[end:]
    engine = "import torch\nfrom torch import nn\n" + program[start:end]
    assert check({"main.py": text, "engine.py": engine}, ["TP203"]) == [(15, 9, "TP203")]


def test_a_method_that_trains_in_another_mode_is_its_own_evaluation() -> None:
    text = """\
    import torch
    from torch import nn
    def attack(net, x, y, opt, steps):
        net.eval()
        for _ in range(steps):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
    """
    assert check(text, ["TP203"]) == []
