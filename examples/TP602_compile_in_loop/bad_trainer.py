import torch
from torch import compile as optimize
from torch import nn
from torch.utils.data import DataLoader


def objective(net: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return nn.functional.mse_loss(net(x), y)


def accelerated(net: nn.Module) -> nn.Module:
    return torch.compile(net, dynamic=False)


class Trainer:
    def __init__(self, net: nn.Module, loader: DataLoader, lr: float) -> None:
        self.net = net
        self.loader = loader
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr)

    def train_step(self, x: torch.Tensor, y: torch.Tensor) -> float:
        compute = optimize(objective)  # expect: TP602:19
        loss = compute(self.net, x, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, epochs: int) -> None:
        self.net.train()
        for _ in range(epochs):
            for x, y in self.loader:
                self.train_step(x, y)


def predict(net: nn.Module, loader: DataLoader) -> list[torch.Tensor]:
    net.eval()
    found = []
    with torch.no_grad():
        for x, _ in loader:
            found.append(accelerated(net)(x))  # expect: TP602:26
    return found
