"""The gradients are gone before the step can use them."""
import torch
from torch import nn, optim


def train(model, batches, epochs=3):
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(epochs):
        for images, labels in batches:
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.zero_grad()  # expect: TP102:13
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    train(nn.Linear(4, 3), [(torch.randn(8, 4), torch.randint(0, 3, (8,))) for _ in range(4)])
