"""Collate functions, transforms and worker_init_fn run in workers too."""
import functools
import os

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def collate(samples, device):
    images = torch.stack([image for image, _ in samples])
    return images.to(device, non_blocking=True), torch.tensor([label for _, label in samples])  # expect: TP501:12


class Normalize:
    def __init__(self, mean, std):
        self.mean = torch.tensor(mean, device="cuda")
        self.std = torch.tensor(std, device="cuda")

    def __call__(self, image):
        return (image - self.mean) / self.std  # expect: TP501:25


def choose_device(worker_id):
    torch.cuda.set_device(worker_id % torch.cuda.device_count())  # expect: TP501:5


def loaders(folder):
    steps = transforms.Compose([transforms.ToTensor(), Normalize([0.5], [0.25])])
    images = datasets.ImageFolder(folder, transform=steps)
    options = {"num_workers": 2, "pin_memory": True} if torch.cuda.is_available() else {}
    device = torch.device("cuda:0")
    train = DataLoader(images, batch_size=32, shuffle=True, collate_fn=functools.partial(collate, device=device), **options)
    test = DataLoader(images, batch_size=32, num_workers=os.cpu_count(), worker_init_fn=choose_device)
    return train, test
