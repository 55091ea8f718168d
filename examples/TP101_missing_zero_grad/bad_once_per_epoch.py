"""The gradients are cleared once per epoch, but the optimizer steps once per batch."""
import torch
import torch.nn.functional as F
from torch import nn, optim


class Trainer:
    def __init__(self, model, batches, lr=1e-3):
        self.model = model
        self.batches = batches
        self.optim = optim.AdamW(model.parameters(), lr=lr)

    def loss_of(self, images, labels):
        return F.cross_entropy(self.model(images), labels)

    def run_batch(self, images, labels):
        loss = self.loss_of(images, labels)
        loss.backward()  # expect: TP101:9
        self.optim.step()
        return loss.item()

    def run_epoch(self):
        self.optim.zero_grad()
        return sum(self.run_batch(*batch) for batch in self.batches) / len(self.batches)

    def train_epoch(self):
        self.optim.zero_grad()
        total = 0.0
        for images, labels in self.batches:
            total += self.run_batch(images, labels)
        return total / len(self.batches)


if __name__ == "__main__":
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
    data = [(torch.randn(16, 1, 8, 8), torch.randint(0, 10, (16,))) for _ in range(8)]
    trainer = Trainer(net, data)
    net.train()
    for epoch in range(3):
        print(epoch, trainer.train_epoch())
