"""The method is saved, loaded or copied where its result is meant."""
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


net, twin = Net(), Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

torch.save(net.state_dict, "net.pt")  # expect: TP006:12
twin.load_state_dict(net.state_dict)  # expect: TP006:22
torch.save(
    {
        "epoch": 3,
        "net": net.state_dict(),
        "optimizer": optimizer.state_dict,  # expect: TP006:22
    },
    "checkpoint.pt",
)


def save_checkpoint(state, path):
    torch.save(state, path)


def train(model, loader, epochs):
    best = copy.deepcopy(model.state_dict)  # expect: TP006:26
    for epoch in range(epochs):
        model.train()
        state = {"epoch": epoch, "weights": model.state_dict}  # expect: TP006:45
        save_checkpoint(state, f"{epoch}.pt")
    model.load_state_dict(best)


class Trainer:
    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.best = self.model.state_dict  # expect: TP006:21

    def restore(self):
        self.model.load_state_dict(self.best)

    def save(self, path):
        torch.save(dict(model=self.model.state_dict, step=1), path)  # expect: TP006:31
