"""TP005: what load_state_dict returns is no module and no optimizer."""
from __future__ import annotations

import pytest
import torch
from torch import nn


def test_the_report_of_a_module() -> None:
    source, net = nn.Linear(2, 2), nn.Linear(2, 2)
    report = net.load_state_dict(source.state_dict())
    assert report.missing_keys == report.unexpected_keys == []
    assert torch.equal(net.weight, source.weight)
    with pytest.raises(AttributeError, match="_IncompatibleKeys"):
        report.eval()
    with pytest.raises(TypeError, match="not callable"):
        report(torch.ones(2))


def test_optimizers_and_schedulers_return_nothing() -> None:
    optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), 0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    assert optimizer.load_state_dict(optimizer.state_dict()) is None
    assert scheduler.load_state_dict(scheduler.state_dict()) is None
