"""TP408: streams cannot be sent to another process, events only through their inter-process handle."""
from __future__ import annotations

import pickle
from multiprocessing.reduction import ForkingPickler

import pytest
import torch
import torch.multiprocessing  # registers how tensors and events are sent
from torch.multiprocessing import reductions

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA events need a GPU")


def test_a_stream_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        ForkingPickler.dumps(torch.Stream(device="cpu"))


def test_an_event_is_sent_as_its_handle() -> None:
    class Event:
        device = torch.device("cpu")

        def ipc_handle(self) -> bytes:
            return b"handle"

    assert reductions.reduce_event(Event()) == (reductions.rebuild_event, (torch.device("cpu"), b"handle"))


@needs_gpu
def test_an_event_needs_to_be_made_for_it() -> None:
    with pytest.raises(RuntimeError):
        torch.cuda.Event().ipc_handle()
    assert torch.cuda.Event(interprocess=True).ipc_handle()


def test_tensors_can_be_sent() -> None:
    assert torch.equal(pickle.loads(pickle.dumps(torch.ones(2))), torch.ones(2))
