"""The scheduler moves on before the first update: the first learning rate is never used."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR


def train_epoch(model, optimizer, batches):
    model.train()
    for x, y in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def main(epochs=6):
    model = nn.Linear(8, 3)
    batches = [(torch.randn(4, 8), torch.randint(0, 3, (4,))) for _ in range(5)]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = MultiStepLR(optimizer, milestones=[2, 4])
    for epoch in range(epochs):
        scheduler.step()  # expect: TP112:9
        train_epoch(model, optimizer, batches)


if __name__ == "__main__":
    main()
