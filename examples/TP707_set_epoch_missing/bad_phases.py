"""Loaders by phase, made by a function of the program."""
import torch
from torch import nn, optim
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def prepare(data):
    return DataLoader(data, batch_size=8, sampler=DistributedSampler(data))


def fit(inputs, targets, epochs):
    model = nn.Linear(4, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(inputs, targets)
    loaders = {"train": prepare(data), "val": DataLoader(data, batch_size=8)}
    for _ in range(epochs):
        for phase in ("train", "val"):
            model.train(phase == "train")
            for x, y in loaders[phase]:  # expect: TP707:13
                with torch.set_grad_enabled(phase == "train"):
                    loss = mse_loss(model(x), y)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
