"""TP604: with CUDA graphs, each size of the inputs is recorded; torch warns above eight sizes."""
from __future__ import annotations

import logging

import pytest
import torch
import torch._inductor.config

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs are recorded on a GPU only")


def test_torch_warns_above_eight_sizes() -> None:
    assert torch._inductor.config.triton.cudagraph_dynamic_shape_warn_limit == 8
    assert torch._inductor.config.triton.cudagraph_skip_dynamic_graphs is False


def test_the_modes_that_record() -> None:
    options = torch._inductor.list_mode_options()
    assert options["reduce-overhead"]["triton.cudagraphs"]
    assert options["max-autotune"]["triton.cudagraphs"]
    assert not options["max-autotune-no-cudagraphs"].get("triton.cudagraphs", False)


@needs_gpu
def test_each_size_is_recorded(caplog: pytest.LogCaptureFixture) -> None:
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    torch._dynamo.reset()
    compiled = torch.compile(double, mode="reduce-overhead", dynamic=True)
    with caplog.at_level(logging.WARNING, logger="torch._inductor"):
        for size in range(2, 14):
            for _ in range(3):
                torch.compiler.cudagraph_mark_step_begin()
                compiled(torch.ones(size, device="cuda"))
    assert "distinct sizes" in caplog.text
