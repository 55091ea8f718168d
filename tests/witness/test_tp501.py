"""TP501: a forked worker cannot use CUDA that its parent has started; moved in the training process, all is well."""
from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, Dataset

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="what CUDA does after a fork needs a GPU to be seen")


class OnGpu(Dataset):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.full((2,), float(index)).cuda()


class OnCpu(OnGpu):
    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.full((2,), float(index))


@needs_gpu
def test_forked_worker_cannot_use_cuda() -> None:
    torch.zeros(1).cuda()
    with pytest.raises(RuntimeError, match="Cannot re-initialize CUDA in forked subprocess"):
        list(DataLoader(OnGpu(), num_workers=1, multiprocessing_context="fork"))


@needs_gpu
def test_without_workers_it_can() -> None:
    assert all(batch.is_cuda for batch in DataLoader(OnGpu()))


def test_batches_are_moved_in_the_training_process() -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(OnCpu(), num_workers=1, multiprocessing_context="fork")
    assert [batch.to(device).sum().item() for batch in loader] == [0.0, 2.0, 4.0, 6.0]


def test_workers_run_the_collate_function() -> None:
    def collate(samples: list[torch.Tensor]) -> bool:
        return torch.utils.data.get_worker_info() is not None

    assert list(DataLoader(OnCpu(), 2, num_workers=1, collate_fn=collate)) == [True, True]
    assert list(DataLoader(OnCpu(), 2, collate_fn=collate)) == [False, False]
