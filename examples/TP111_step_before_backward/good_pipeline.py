"""Steps for the iteration before while the next loss is already there: the gradients are those of that iteration."""
import torch
import torch.nn.functional as F


def train(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in batches:
        loss = F.mse_loss(model(x), y.detach())
        with torch.no_grad():
            print(loss.item())
        optimizer.step()
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
    optimizer.step()


def two_losses(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in batches:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
        F.l1_loss(model(x), y).backward()
        optimizer.step()
