from torch import nn


def train_one_epoch(model, batches, optimizer):
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
