"""TP122: context managers that are never entered."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def default_modes() -> Iterator[None]:
    """Restore what a test switches."""
    yield
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_statements_change_nothing() -> None:
    torch.no_grad()
    torch.inference_mode()
    torch.autocast("cpu")
    torch.autograd.detect_anomaly()
    assert torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled()
    assert not torch.is_autocast_enabled("cpu")
    assert not torch.is_anomaly_enabled()


def test_entered_they_work() -> None:
    with torch.no_grad(), torch.autocast("cpu"):
        assert not torch.is_grad_enabled()
        assert torch.is_autocast_enabled("cpu")


def test_some_statements_work() -> None:
    torch.set_grad_enabled(False)
    torch.autograd.set_detect_anomaly(True)
    assert not torch.is_grad_enabled()
    assert torch.is_anomaly_enabled()


@pytest.mark.parametrize(
    "manager", [torch.no_grad, torch.inference_mode, torch.enable_grad, torch.autocast, torch.set_grad_enabled]
)
def test_without_parentheses_with_raises(manager: type) -> None:
    with pytest.raises(TypeError, match="context manager protocol"):
        with manager:
            pass


@pytest.mark.parametrize("decorator", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_grad_modes_decorate_without_parentheses(decorator: type) -> None:
    @decorator
    def enabled() -> bool:
        return torch.is_grad_enabled()

    assert enabled() is (decorator is torch.enable_grad)


@pytest.mark.filterwarnings("ignore")
def test_autocast_does_not() -> None:
    with pytest.raises(ValueError, match="device_type"):
        torch.autocast(lambda x: x)

    half = torch.cuda.amp.autocast(lambda x: x)
    with pytest.raises(TypeError, match="requires a callable"):
        half(torch.ones(1))
