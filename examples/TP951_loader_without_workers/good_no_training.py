"""A file that only hands loaders out does not say how they are used."""
from torch.utils.data import DataLoader


def preview(dataset):
    return next(iter(DataLoader(dataset, batch_size=4)))
