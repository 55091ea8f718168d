"""TP311 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
def f(x: torch.Tensor, y: torch.Tensor, n: int, k):
"""


def found(*lines: str) -> list[tuple[int, int, str]]:
    return check(HEAD + "".join(f"    {line}\n" for line in lines), ["TP311"])


@pytest.mark.parametrize(
    "scalar",
    [
        "x.sum()",
        "x.mean(dtype=torch.float64)",
        "torch.mean(x)",
        "torch.max(x)",
        "(x == y).sum()",
        "torch.dot(x, y)",
        "torch.tensor(3.0)",
        "F.nll_loss(x, y)",
        "F.mse_loss(x, y, size_average=False)",
        "F.kl_div(x, y, reduction='batchmean')",
        "nn.L1Loss(reduction='sum')(x, y)",
        "nn.CrossEntropyLoss().cuda()(x, y)",
        "-x.sum()",
        "x.sum() + 0.1 * y.mean()",
        "torch.abs(x.sum())",
        "x.sum() if n else y.mean()",
        "x.sum().div_(k)",
    ],
)
def test_scalars(scalar: str) -> None:
    assert found(f"loss = {scalar}", "print(loss.data[0])", "print(loss[-1])", "print(loss.detach().cpu()[0])") == [
        (6, 11, "TP311"),
        (7, 11, "TP311"),
        (8, 11, "TP311"),
    ]


@pytest.mark.parametrize(
    "other",
    [
        "x.sum(0)",
        "x.sum(dim=n)",
        "x.max(y)",
        "torch.max(x, y)",
        "torch.max(x, 1)",
        "torch.norm(x, 2, 1)",
        "torch.tensor([3.0])",
        "F.mse_loss(x, y, reduction='none')",
        "F.mse_loss(x, y, reduction=k)",
        "F.mse_loss(x, y, **k)",
        "nn.L1Loss(reduction='none')(x, y)",
        "nn.MSELoss(reduce=False)(x, y)",
        "nn.AdaptiveLogSoftmaxWithLoss(5, 9, [2])(x, y)",
        "k.sum()",
        "k(x, y)",
        "x.sum() * k",
        "x.sum() + x",
        "x.sum().view(1)",
        "x.sum().tolist()",
        "[x.sum()]",
    ],
)
def test_others(other: str) -> None:
    assert found(f"loss = {other}", "print(loss.data[0])", "print(loss[0])") == []


def test_sums_over_a_loop() -> None:
    assert found("loss = 0", "for z in x:", "    loss += F.mse_loss(z, y)", "return loss.data[0] / n") == [(8, 12, "TP311")]
    assert found("loss = x", "for z in x:", "    loss += F.mse_loss(z, y)", "return loss[0]") == []


def test_rebound_in_a_branch() -> None:
    assert found("loss = x.sum()", "if n:", "    loss = x", "return loss[0]") == []


def test_loss_from_another_file() -> None:
    files = {
        "a.py": """\
            from pkg.losses import total
            def run(net, x, y):
                loss = total(net(x), y)
                loss.backward()
                return loss.data[0]
            """,
        "pkg/__init__.py": "",
        "pkg/losses.py": """\
            import torch.nn.functional as F
            def total(out, y):
                main = F.cross_entropy(out, y)
                return main * 2
            """,
    }
    assert check(files, ["TP311"]) == [(5, 12, "TP311")]


def test_expected_to_raise() -> None:
    assert found("import pytest", "with pytest.raises(IndexError):", "    x.sum()[0]") == []
