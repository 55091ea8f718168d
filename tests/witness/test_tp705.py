"""TP705: PyTorch advises against DataParallel; what it does on several GPUs cannot be seen without them."""
from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.parallel import DataParallel, replicate


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.calls = 0

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return numbers * self.scale


def test_the_documentation_recommends_the_other() -> None:
    text = " ".join((DataParallel.__doc__ or "").split())
    assert "It is recommended to use :class:`~torch.nn.parallel.DistributedDataParallel`, instead" in text
    assert "even if there is only a single node" in text


def test_keys_get_a_prefix_that_can_be_stripped() -> None:
    state = DataParallel(Counter()).state_dict()
    assert list(state) == ["module.scale"]
    nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    Counter().load_state_dict(state)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_what_a_replica_counts_is_lost() -> None:
    counter = Counter().cuda()
    DataParallel(counter)(torch.ones(4, device="cuda"))
    assert counter.calls == 0
    assert len(replicate(counter, [0, 1])) == 2
