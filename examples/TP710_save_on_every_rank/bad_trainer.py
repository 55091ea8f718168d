import torch
from torch import nn


class Trainer:
    def __init__(self, model, rank, path):
        self.rank = rank
        self.model = nn.parallel.DistributedDataParallel(model.to(rank), device_ids=[rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.path = path
        self.best = float("inf")

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            if total < self.best:
                self.best = total
                torch.save(self.model.module.state_dict(), self.path)  # expect: TP710:17
