"""TP608: a program exported in train mode keeps its dropout."""
from __future__ import annotations

import pytest
import torch
from torch import nn


def differs(program: nn.Module) -> bool:
    x = torch.ones(1, 64)
    return not torch.equal(program(x), program(x))


def test_exported_in_train_mode() -> None:
    torch.manual_seed(0)
    program = torch.export.export(nn.Dropout(0.5), (torch.ones(1, 64),)).module()
    assert differs(program)
    with pytest.raises(NotImplementedError):
        program.eval()


def test_exported_in_eval_mode() -> None:
    assert not differs(torch.export.export(nn.Dropout(0.5).eval(), (torch.ones(1, 64),)).module())


@pytest.mark.filterwarnings("ignore:.*torch.jit.trace:DeprecationWarning")
def test_traced() -> None:
    torch.manual_seed(0)
    assert differs(torch.jit.trace(nn.Dropout(0.5), torch.ones(1, 64), check_trace=False))
    assert not differs(torch.jit.trace(nn.Dropout(0.5).eval(), torch.ones(1, 64)))
