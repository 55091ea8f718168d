"""TP903: a seed switches no deterministic algorithms on; that runs then differ is PyTorch's word for CUDA."""
from __future__ import annotations

import pytest
import torch


def test_a_seed_leaves_algorithms_free() -> None:
    torch.manual_seed(0)
    assert not torch.are_deterministic_algorithms_enabled()
    assert not torch.backends.cudnn.deterministic


def test_the_switch_makes_them_deterministic() -> None:
    torch.use_deterministic_algorithms(True)
    try:
        assert torch.are_deterministic_algorithms_enabled()
    finally:
        torch.use_deterministic_algorithms(False)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="sums of index_add_ differ in order on CUDA only")
def test_an_operation_without_deterministic_form_is_refused() -> None:
    torch.use_deterministic_algorithms(True)
    try:
        with pytest.raises(RuntimeError, match="deterministic"):
            torch.ones(8, device="cuda").histc(4)
    finally:
        torch.use_deterministic_algorithms(False)
