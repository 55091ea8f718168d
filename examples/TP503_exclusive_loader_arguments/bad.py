"""A sampler and a shuffle."""
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
from torch.utils.data.distributed import DistributedSampler


def balanced(labels):
    weights = 1.0 / torch.bincount(labels).float()
    return WeightedRandomSampler(weights[labels].tolist(), len(labels))


def loaders(images, labels, workers, distributed):
    data = TensorDataset(images, labels)
    train = DataLoader(
        data, batch_size=32, num_workers=workers,
        sampler=balanced(labels),
        shuffle=True,  # expect: TP503:9
    )
    sampler = None
    if distributed:
        sampler = DistributedSampler(data)
    valid = DataLoader(data, 32, True, sampler, num_workers=workers)  # expect: TP503:34
    return train, valid
