"""TP502: after the parent has started CUDA, a forked child cannot use it; a spawned one can."""
from __future__ import annotations

import multiprocessing

import pytest
import torch


def use_cuda(results: multiprocessing.SimpleQueue) -> None:
    try:
        results.put(torch.zeros(1).cuda().item())
    except RuntimeError as error:
        results.put(str(error))


def result_of(method: str) -> object:
    context = multiprocessing.get_context(method)
    results = context.SimpleQueue()
    process = context.Process(target=use_cuda, args=(results,))
    process.start()
    found = results.get()
    process.join()
    return found


@pytest.mark.skipif(not torch.cuda.is_available(), reason="what CUDA does after a fork needs a GPU to be seen")
def test_forked_child_cannot_use_cuda() -> None:
    assert "Cannot re-initialize CUDA in forked subprocess" in str(result_of("fork"))
    assert result_of("spawn") == 0.0


def test_documentation_says_what_asking_does() -> None:
    assert "fork" in str(torch.cuda.is_available.__doc__)
