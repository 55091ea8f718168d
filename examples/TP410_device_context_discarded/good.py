"""Ways to choose a device that do choose one."""
import contextlib
import os

import pytest
import torch

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
device = torch.device("cuda", rank)


def noise(shape, index, stream):
    with torch.cuda.device(index), torch.cuda.stream(stream):
        return torch.randn(shape, device="cuda")


def many(shape, index):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.cuda.device(index))
        return torch.randn(shape, device="cuda")


def is_device(text):
    try:
        torch.device(text)
    except RuntimeError:
        return False
    return True


def test_refuses_nonsense():
    with pytest.raises(RuntimeError):
        torch.device("gpu-of-mine")
