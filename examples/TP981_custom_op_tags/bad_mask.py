import torch
from torch.library import custom_op


def _drop(rows: torch.Tensor, keep: float) -> torch.Tensor:
    mask = torch.empty_like(rows)
    mask.bernoulli_(keep)
    return mask


drop_mask = custom_op("augment::drop_mask", _drop, mutates_args=())  # expect: TP981:13


@drop_mask.register_fake
def _(rows, keep):
    return torch.empty_like(rows)


drop_mask.register_autograd(lambda ctx, gradient: (None, None))
