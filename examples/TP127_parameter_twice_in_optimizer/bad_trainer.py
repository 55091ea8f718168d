"""Parameters that are collected step by step, in a class and in a function."""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.out = nn.Linear(16, 100)

    def forward(self, tokens):
        return self.out(self.embedding(tokens))


class Trainer:
    def __init__(self):
        self.embedding = nn.Embedding(100, 16)
        self.encoder = nn.Sequential(self.embedding, nn.Linear(16, 16))
        self.decoder = Decoder(self.embedding)
        params = list(self.encoder.parameters())
        params += list(self.decoder.parameters())
        self.optimizer = torch.optim.Adam(params, lr=1e-3)  # expect: TP127:26

    def step(self, tokens, target):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.encoder(tokens), target) + self.decoder(tokens).mean()
        loss.backward()
        self.optimizer.step()


def unfreeze(model: nn.Module):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.add_param_group({"params": model.features.parameters(), "lr": 0.01})  # expect: TP127:5
    return optimizer


def swap(a: nn.Module, b: nn.Module):
    params = []
    params.extend(a.parameters())
    params.extend(b.parameters())
    params.extend(a.parameters())
    return torch.optim.SGD(params, lr=0.1)  # expect: TP127:12
