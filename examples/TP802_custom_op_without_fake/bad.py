import numpy as np
import torch
from torch.library import custom_op


@torch.library.custom_op("sounds::clip", mutates_args=())  # expect: TP802:2
def clip(wave: torch.Tensor, limit: float) -> torch.Tensor:
    return torch.from_numpy(np.clip(wave.numpy(), -limit, limit))


@custom_op("sounds::mirror", mutates_args=())
def mirror(wave: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(wave.numpy()[::-1].copy())


@mirror.register_fake
def _(wave):
    return torch.empty_like(wave)


def _louder(wave: torch.Tensor, factor: float) -> torch.Tensor:
    return torch.from_numpy(wave.numpy() * factor)


louder = custom_op("sounds::louder", _louder, mutates_args=())  # expect: TP802:10


@torch.compile
def prepare(wave):
    return mirror(clip(wave, 0.5))
