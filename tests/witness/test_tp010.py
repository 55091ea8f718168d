"""Every row of the table that says "removed", on the installed torch and torchvision: it is gone, or it raises."""
import importlib
import warnings

import pytest
import torch
from torch import nn

from flake8_torch_pitfalls.torch_model.lifetimes import lifetimes
from torchvision_witness import torchvision

REMOVED = [row for row in lifetimes() if row.removed]
NAMES = [row for row in REMOVED if row.how == "gone" and not row.argument and not row.when]
ARGUMENTS = [row for row in REMOVED if row.how == "gone" and row.argument]

MATRIX = torch.eye(3)
BYTES = torch.ones(3, dtype=torch.uint8)
IMAGES = torch.rand(2, 3, 4, 4)


class Removed(Exception):
    """Raised for a name that a module no longer has."""


def found(name):
    """Return what *name* stands for."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(thing, part):
                raise Removed(name)
            thing = getattr(thing, part)
        return thing
    raise Removed(name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", NAMES, ids=lambda row: row.name)
def test_name_is_gone(row):
    """The name cannot be imported or looked up any more."""
    with pytest.raises(Removed):
        found(row.name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ARGUMENTS, ids=lambda row: f"{row.name}-{row.argument}")
def test_argument_is_gone(row):
    """The function or class is there, and does not take the argument."""
    function = found(row.name)
    given = {"torchvision.utils.save_image": (IMAGES, "unused.png"), "torchvision.utils.make_grid": (IMAGES,)}
    with pytest.raises(TypeError, match=row.argument if row.argument != "data_source" else "no arguments"):
        function(*given.get(row.name, ()), **{row.argument: (0, 1)})


def test_the_video_functions_and_the_beta_transforms_are_reported_for_the_right_library():
    """The versions in the table are torchvision's own: it is installed here in the version for this torch."""
    assert torchvision.__version__.startswith("0.28")


CALLS = {
    "torch.symeig": lambda: torch.symeig(MATRIX),
    "torch.solve": lambda: torch.solve(MATRIX, MATRIX),
    "torch.lstsq": lambda: torch.lstsq(MATRIX, MATRIX),
    "torch.eig": lambda: torch.eig(MATRIX),
    "torch.matrix_rank": lambda: torch.matrix_rank(MATRIX),
    "torch.Tensor.symeig": lambda: MATRIX.symeig(),
    "torch.Tensor.solve": lambda: MATRIX.solve(MATRIX),
    "torch.Tensor.lstsq": lambda: MATRIX.lstsq(MATRIX),
    "torch.Tensor.eig": lambda: MATRIX.eig(),
    "torch.Tensor.reinforce": lambda: MATRIX.reinforce(1.0),
    "torch.autograd.variable": lambda: torch.autograd.variable(3),
    "torch.stft": lambda: torch.stft(torch.ones(100), 16, window=torch.ones(16)),
    "torch.Tensor.stft": lambda: torch.ones(100).stft(16, window=torch.ones(16)),
    "torch.masked_fill": lambda: torch.masked_fill(torch.ones(3), BYTES, 0.0),
    "torch.masked_select": lambda: torch.masked_select(torch.ones(3), BYTES),
    "torch.masked_scatter": lambda: torch.masked_scatter(torch.ones(3), BYTES, MATRIX),
    "torch.Tensor.masked_fill": lambda: torch.ones(3).masked_fill(BYTES, 0.0),
    "torch.Tensor.masked_fill_": lambda: torch.ones(3).masked_fill_(BYTES, 0.0),
    "torch.Tensor.masked_select": lambda: torch.ones(3).masked_select(BYTES),
    "torch.Tensor.masked_scatter": lambda: torch.ones(3).masked_scatter(BYTES, MATRIX),
    "torch.Tensor.masked_scatter_": lambda: torch.ones(3).masked_scatter_(BYTES, MATRIX),
    "torch.Tensor.__setitem__": lambda: torch.ones(3).__setitem__(BYTES, 0.0),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [row.name for row in REMOVED if row.how == "raises"])
def test_call_raises(name):
    """The name is there, and of no use."""
    assert found(name) is not None
    with pytest.raises(RuntimeError):
        CALLS[name]()


def test_a_module_is_not_callable():
    """``torch.fft`` was a function."""
    with pytest.raises(TypeError, match="not callable"):
        torch.fft(torch.ones(4), 1)


def test_the_subclass_of_a_scheduler_cannot_pass_verbose_on():
    """The third argument of the base class was ``verbose``."""

    class Warmup(torch.optim.lr_scheduler.LRScheduler):
        def __init__(self, optimizer, last_epoch=-1, verbose=False):
            super().__init__(optimizer, last_epoch, verbose)

    with pytest.raises(TypeError):
        Warmup(torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1))


def test_looking_for_the_name_is_no_protection():
    """``hasattr`` finds what only raises, and ``except AttributeError`` does not catch it."""
    assert hasattr(torch, "symeig")
    with pytest.raises(RuntimeError):
        try:
            torch.symeig(MATRIX)
        except AttributeError:
            pass


def test_what_to_write():
    """The replacements work, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.linalg.eigh(MATRIX)[0].tolist() == [1, 1, 1]
        assert torch.linalg.solve(MATRIX, MATRIX).equal(MATRIX)
        torch.stft(torch.ones(100), 16, window=torch.ones(16), return_complex=True)
        assert torch.ones(3).masked_fill(BYTES.bool(), 0.0).sum() == 0
        optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
        torch.optim.lr_scheduler.StepLR(optimizer, 3)
        torchvision.utils.make_grid(IMAGES, normalize=True, value_range=(0, 1))
