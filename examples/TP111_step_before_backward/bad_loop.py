"""Each iteration steps on gradients that it has just cleared."""
import torch
from torch import nn


def train(model, batches):
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in batches:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()  # expect: TP111:9
        loss.backward()


if __name__ == "__main__":
    train(nn.Linear(4, 1), [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(10)])
