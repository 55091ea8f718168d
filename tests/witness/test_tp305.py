"""TP305: what a loss computes of operands that broadcast over each other."""
from __future__ import annotations

import warnings

import pytest

torch = pytest.importorskip("torch")

F = torch.nn.functional
WARN = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
SILENT = ("kl_div", "poisson_nll_loss", "hinge_embedding_loss")


@pytest.mark.parametrize("name", [*WARN, *SILENT])
def test_every_prediction_meets_every_target(name: str) -> None:
    predicted, targets = torch.rand(4, 1), torch.rand(4)
    loss = getattr(F, name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert loss(predicted, targets, reduction="none").shape == (4, 4)
        assert loss(predicted.squeeze(1), targets.unsqueeze(1), reduction="none").shape == (4, 4)
    about_sizes = [one for one in caught if "Using a target size" in str(one.message)]
    assert len(about_sizes) == (2 if name in WARN else 0)
    assert loss(predicted.squeeze(1), targets, reduction="none").shape == (4,)


def test_gaussian_nll_is_silent_and_takes_one_variance_for_a_row() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert F.gaussian_nll_loss(torch.rand(4, 1), torch.rand(4), torch.ones(4, 1), reduction="none").shape == (4, 4)
        rows = torch.rand(4, 3)
        assert F.gaussian_nll_loss(rows, rows, torch.ones(4, 1), reduction="none").shape == (4, 3)


@pytest.mark.parametrize("name", ["binary_cross_entropy", "binary_cross_entropy_with_logits"])
def test_binary_cross_entropy_refuses(name: str) -> None:
    with pytest.raises(ValueError, match="size"):
        getattr(F, name)(torch.rand(4, 1), torch.rand(4))


def test_plain_differences_and_counts_are_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ((torch.zeros(4, 1) - torch.ones(4)) ** 2).sum() == 16
        assert (torch.ones(4, 1) == torch.ones(4)).sum() == 16
    assert ((torch.zeros(4) - torch.ones(4)) ** 2).sum() == 4


@pytest.mark.filterwarnings("ignore:Using a target size")
def test_the_model_learns_the_mean_of_the_targets() -> None:
    torch.manual_seed(0)
    inputs = torch.randn(64, 1)
    targets = 3 * inputs.squeeze(1) + 1

    def trained(shape: tuple[int, ...]) -> torch.nn.Linear:
        layer = torch.nn.Linear(1, 1)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        for _ in range(200):
            optimizer.zero_grad()
            F.mse_loss(layer(inputs), targets.view(shape)).backward()
            optimizer.step()
        return layer

    assert abs(trained((64,)).weight.item()) < 0.01
    assert trained((64, 1)).weight.item() == pytest.approx(3, abs=0.01)
