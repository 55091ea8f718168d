import torch
from torch import autograd, nn

torch.autograd.set_detect_anomaly(True)  # expect: TP911:1


def fit(model, optimizer, batches):
    for x, y in batches:
        with autograd.detect_anomaly():  # expect: TP911:14
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
