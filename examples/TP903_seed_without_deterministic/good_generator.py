"""The seed of one generator, on a GPU."""
import torch
from torch.utils.data import random_split


def split(dataset, seed):
    generator = torch.Generator().manual_seed(seed)
    return random_split(dataset, [0.8, 0.2], generator=generator)


def noise(shape):
    return torch.randn(shape, device="cuda", generator=torch.Generator("cuda").manual_seed(3))


def sample_once(net):
    torch.manual_seed(0)
    return net(torch.rand(1, 3, device="cuda"))
