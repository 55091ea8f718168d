"""A helper gives the next batch, but starts the workers for it."""
import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, dataset):
        self.model = model
        self.dataset = dataset
        self.optimizer = torch.optim.Adam(model.parameters())
        self.loader = DataLoader(dataset, batch_size=64, shuffle=True, num_workers=8)

    def batch(self):
        return next(iter(self.loader))  # expect: TP510:21

    def sample(self):
        loader = DataLoader(self.dataset, batch_size=64, shuffle=True, num_workers=2)  # expect: TP510:18
        images, labels = next(iter(loader))
        return images, labels

    def step(self, images, labels):
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.model(images), labels).backward()
        self.optimizer.step()

    def run(self, steps):
        done = 0
        while done < steps:
            images, labels = self.batch()
            self.step(images, labels)
            done += 1

    def run_on_samples(self, steps):
        for _ in range(steps):
            images, labels = self.sample()
            self.step(images, labels)
