"""A trainer that clears through the model, between clipping and the step; and one that clears in a helper."""
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def training_step(self, batch, labels):
        loss = F.cross_entropy(self.model(batch), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.model.zero_grad()  # expect: TP102:9
        self.optimizer.step()
        return loss.detach()


def prepare(optimizer):
    optimizer.zero_grad(set_to_none=True)  # expect: TP102:5


def train_with_scaler(model, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        prepare(optimizer)
        scaler.step(optimizer)
        scaler.update()
