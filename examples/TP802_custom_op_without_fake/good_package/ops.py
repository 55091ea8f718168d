import torch

import fakes


@torch.library.custom_op("tables::sort", mutates_args=())
def sort(table: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(table.numpy().copy())


fakes.install()
