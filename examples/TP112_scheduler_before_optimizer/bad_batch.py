"""Within one update the scheduler comes before the optimizer."""
import torch
import torch.nn.functional as F
from torch import nn, optim


class Finetuner:
    def __init__(self, model: nn.Module, total: int):
        self.model = model
        self.optimizer = optim.AdamW(model.parameters(), lr=5e-5)
        self.scheduler = optim.lr_scheduler.LambdaLR(self.optimizer, lambda n: max(0.0, 1.0 - n / total))

    def step(self, tokens, labels):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(tokens), labels)
        loss.backward()
        self.scheduler.step()  # expect: TP112:9
        self.optimizer.step()
        return loss.item()


def with_scaler(model, batches):
    sgd = optim.SGD(model.parameters(), lr=0.1)
    cosine = optim.lr_scheduler.CosineAnnealingLR(sgd, T_max=100)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        sgd.zero_grad()
        scaler.scale(F.mse_loss(model(x), y)).backward()
        cosine.step()  # expect: TP112:9
        scaler.step(sgd)
        scaler.update()
