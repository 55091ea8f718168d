"""TP407: `is_available` asks the CUDA runtime, which reads its variables once."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="the variables are read by the driver of a GPU")
HIDE = "import os; os.environ['CUDA_VISIBLE_DEVICES'] = ''; "
LOOK = "import torch; torch.cuda.is_available(); "
TRY = "import torch; torch.zeros(1).cuda()"


def runs(program: str) -> bool:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


@needs_gpu
def test_set_too_late_it_hides_nothing() -> None:
    assert runs(LOOK + HIDE + TRY)


@needs_gpu
def test_set_first_it_hides_the_device() -> None:
    assert not runs(HIDE + LOOK + TRY)


def test_is_available_asks_the_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def count() -> int:
        seen.append(os.environ.get("CUDA_VISIBLE_DEVICES"))
        return 1

    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("PYTORCH_NVML_BASED_CUDA_CHECK", raising=False)
    monkeypatch.setattr(torch.cuda, "_is_compiled", lambda: True)
    monkeypatch.setattr(torch._C, "_cuda_getDeviceCount", count, raising=False)
    assert torch.cuda.is_available()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert seen == [None]


def test_making_a_device_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def count() -> int:
        raise AssertionError("the runtime was asked")

    monkeypatch.setattr(torch._C, "_cuda_getDeviceCount", count, raising=False)
    assert torch.device("cuda").type == "cuda"
