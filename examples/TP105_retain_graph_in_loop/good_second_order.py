"""A graph kept for a second derivative, and one that code elsewhere may go through again."""
import torch
import torch.nn.functional as F
from elsewhere import backward_through_critic


def penalized(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(inputs), targets)
        loss.backward(retain_graph=True, create_graph=True)
        optimizer.step()


def with_a_critic(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(inputs), targets)
        loss.backward(retain_graph=True)
        backward_through_critic(loss)
        optimizer.step()
