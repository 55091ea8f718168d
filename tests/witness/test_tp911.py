"""TP911: anomaly detection stays on for the process, and checks every gradient."""
from __future__ import annotations

import warnings

import pytest
import torch


def nan_gradient() -> None:
    x = torch.zeros(1, requires_grad=True)
    (torch.sqrt(x) * 0).sum().backward()


def test_stays_on_and_checks_each_operation() -> None:
    torch.autograd.set_detect_anomaly(True)
    try:
        assert torch.is_anomaly_enabled()
        with warnings.catch_warnings(), pytest.raises(RuntimeError, match="nan"):
            warnings.simplefilter("ignore")
            nan_gradient()
    finally:
        torch.autograd.set_detect_anomaly(False)


def test_off_checks_nothing() -> None:
    nan_gradient()
