"""Four micro-batches make a step, but the gradients of the four before are never dropped."""
import torch
import torch.nn.functional as F
from torch import nn


def finetune(model: nn.Module, batches, optimizer: torch.optim.Optimizer, every=4):
    model.train()
    for index, (tokens, labels) in enumerate(batches, start=1):
        loss = F.cross_entropy(model(tokens), labels) / every
        loss.backward()  # expect: TP101:9
        if index % every == 0:  # expect: TP917:9
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()


def pretrain(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for index, (tokens, labels) in enumerate(batches):
        if index % 4 == 0:
            optimizer.zero_grad()
        loss = F.cross_entropy(model(tokens), labels)
        loss.backward()  # expect: TP101:9
        optimizer.step()


def from_a_generator(model: nn.Module, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def losses():
        for x, y in batches:
            yield F.mse_loss(model(x), y)

    for loss in losses():
        loss.backward()  # expect: TP101:9
        optimizer.step()
