"""A trainer in mixed precision that clips scaled gradients."""
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, model, device, use_amp=True, max_norm=1.0):
        self.model = model.to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-4)
        self.scaler = torch.amp.GradScaler(device, enabled=use_amp)
        self.device, self.use_amp, self.max_norm = device, use_amp, max_norm

    def training_step(self, tokens, targets):
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.use_amp):
            loss = F.cross_entropy(self.model(tokens).flatten(0, 1), targets.flatten())
        self.optimizer.zero_grad(set_to_none=True)  # expect: TP912:9
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)  # expect: TP115:9
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()
