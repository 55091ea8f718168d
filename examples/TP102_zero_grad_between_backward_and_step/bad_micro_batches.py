"""Meant to accumulate over four batches, but each batch clears what the ones before have left."""
import torch
import torch.nn.functional as F
from torch import nn


class Finetuner:
    def __init__(self, model: nn.Module, accumulate=4):
        self.model = model
        self.accumulate = accumulate
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)

    def run(self, batches):
        self.model.train()
        for index, (tokens, labels) in enumerate(batches):
            self.optimizer.zero_grad()  # expect: TP102:13
            loss = F.cross_entropy(self.model(tokens), labels) / self.accumulate
            loss.backward()
            if (index + 1) % self.accumulate == 0:
                self.optimizer.step()
