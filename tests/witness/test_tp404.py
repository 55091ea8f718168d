"""TP404: the clock is read while the device works. Without a GPU nothing runs behind the program's back."""
from __future__ import annotations

import time

import pytest
import torch

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="work is queued on a GPU only")


def measure(wait: bool) -> float:
    a = torch.randn(8192, 8192, device="cuda")
    torch.matmul(a, a)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(20):
        torch.matmul(a, a)
    if wait:
        torch.cuda.synchronize()
    spent = time.perf_counter() - start
    torch.cuda.synchronize()
    return spent


@needs_gpu
def test_only_the_launch_is_measured() -> None:
    assert measure(wait=False) * 3 < measure(wait=True)


def test_on_the_cpu_the_result_is_there() -> None:
    a = torch.ones(64, 64)
    start = time.perf_counter()
    product = torch.matmul(a, a)
    assert time.perf_counter() > start
    assert product.eq(64).all()
