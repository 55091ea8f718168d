import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 50)
        self.norm = nn.BatchNorm1d(50)
        self.out = nn.Linear(50, 2)

    def forward(self, x):
        return self.out(F.relu(self.norm(self.hidden(x))))

    @torch.no_grad()
    def predict(self, x):
        was_training = self.training
        self.eval()
        labels = self(x).argmax(1)
        self.train(was_training)
        return labels.tolist()


def run_phase(model, loader, optimizer, phase):
    model.train(phase == "train")
    hits = 0
    for x, y in loader:
        with torch.set_grad_enabled(phase == "train"):
            logits = model(x)
            loss = F.cross_entropy(logits, y)
        if phase == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        hits += (logits.argmax(1) == y).sum().item()
    return hits


@torch.no_grad()
def accuracy(model, loader):
    return sum((model(x).argmax(1) == y).sum().item() for x, y in loader)


def main(train_loader, val_loader):
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(3):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        print(accuracy(model, val_loader))
        model.train(False)
        print(accuracy(model, train_loader))
    run_phase(model, val_loader, optimizer, "val")
