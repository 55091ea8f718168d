"""A trainer whose helpers clean up."""
import gc

import torch
from torch import nn


def free_memory():
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


class Trainer:
    def __init__(self, model: nn.Module, train_loader, test_loader):
        self.model = model
        self.train_loader = train_loader
        self.test_loader = test_loader
        self.optimizer = torch.optim.Adam(model.parameters())

    def train_step(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(batch.cuda()).mean()
        loss.backward()
        self.optimizer.step()
        torch.cuda.empty_cache()  # expect: TP406:9
        return loss.item()

    def train_epoch(self):
        self.model.train()
        return sum(self.one_epoch())

    def one_epoch(self):
        losses = []
        for batch in self.train_loader:
            losses.append(self.train_step(batch))
        return losses

    def test(self):
        self.model.eval()
        scores = []
        with torch.no_grad():
            for batch in self.test_loader:
                scores.append(self.model(batch.cuda()).mean().item())
                free_memory()  # expect: TP406:17
        return scores
