"""A single backward and step, and a search that makes model and optimizer anew each time."""
import torch
from torch import nn


def smoke_test():
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.ones(2, 3)).mean()
    loss.backward()
    optimizer.step()


def first_steps(rates):
    for lr in rates:
        model = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        model(torch.ones(2, 3)).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    smoke_test()
    first_steps([0.1, 0.01])
