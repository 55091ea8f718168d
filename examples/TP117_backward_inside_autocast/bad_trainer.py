"""A trainer whose context is chosen once, and whose helper goes backward."""
import contextlib

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.precision = torch.autocast(device) if device == "cuda" else contextlib.nullcontext()  # expect: TP121:26

    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def fit(self, batches):
        for inputs, targets in batches:
            with self.precision:
                loss = F.mse_loss(self.model(inputs), targets)
                self.update(loss)  # expect: TP117:17

    @torch.autocast("cuda")  # expect: TP121:6
    def overfit(self, inputs, targets):
        for _ in range(100):
            self.optimizer.zero_grad()
            F.mse_loss(self.model(inputs), targets).backward()  # expect: TP117:13
            self.optimizer.step()
