"""Transforms with generators of their own, one at the top of the module, one handed in, one in a helper."""
import argparse
import random

import numpy as np
import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset
from torchvision import datasets, transforms

shared = np.random.RandomState(7)


class Flip:
    def __init__(self, chance=0.5, rng=None):
        self.chance = chance
        self.rng = rng or random.Random(0)

    def __call__(self, image):
        if self.rng.random() < self.chance:  # expect: TP507:12
            image = image.flip(-1)
        return image


class AddNoise(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.generator = torch.Generator().manual_seed(3)

    def forward(self, image):
        return image + self.scale * torch.randn(image.shape, generator=self.generator)  # expect: TP507:72


class Crops(Dataset):
    def __init__(self, tracks, generator, transform):
        self.tracks = tracks
        self.generator = generator
        self.transform = transform

    def __len__(self):
        return len(self.tracks)

    def __getitem__(self, index):
        return self.transform(self._crop(self.tracks[index]))

    def _crop(self, track):
        start = self.generator.integers(0, len(track) - 100)  # expect: TP507:17
        return track[start : start + 100] * shared.uniform(0.8, 1.2)


def collate(samples):
    keep = shared.permutation(len(samples))[:4]  # expect: TP507:12
    return torch.stack([samples[number] for number in keep])


def loaders(folder, tracks, workers):
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", default=2, type=int)
    args = parser.parse_args()
    images = datasets.ImageFolder(folder, transforms.Compose([transforms.ToTensor()]))
    noisy = datasets.ImageFolder(folder, transforms.Compose([transforms.ToTensor(), AddNoise(0.1)]))
    crops = Crops(tracks, np.random.default_rng(), transform=Flip())
    both = ConcatDataset([Subset(crops, range(10)), crops])
    return (
        DataLoader(both, batch_size=8, num_workers=args.jobs),
        DataLoader(noisy, batch_size=8, num_workers=workers),
        DataLoader(images, batch_size=8, num_workers=workers, collate_fn=collate),
    )
