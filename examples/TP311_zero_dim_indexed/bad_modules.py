import torch
from losses.detection import BoxLoss
from torch import nn


class Trainer:
    def __init__(self, net: nn.Module) -> None:
        self.net = net
        self.criterion = nn.MSELoss().to("cpu")
        self.boxes = BoxLoss(0.5)
        self.loss = None

    def backward(self, x: torch.Tensor, y: torch.Tensor) -> None:
        self.loss = 0.5 * self.criterion(self.net(x), y)
        self.loss.backward()

    def current(self) -> dict[str, float]:
        return {"loss": self.loss.data[0]}  # expect: TP311:25

    def detect(self, x: torch.Tensor, y: torch.Tensor) -> tuple[float, float]:
        location, score = self.boxes(self.net(x), y)
        both = location + score
        both.backward()
        return location.data[0], both.detach()[0]  # expect: TP311:16,TP311:34


def vae_loss(decoded: torch.Tensor, x: torch.Tensor, mu: torch.Tensor, logvar: torch.Tensor) -> torch.Tensor:
    bce = nn.functional.binary_cross_entropy(decoded, x, reduction="sum")
    kld = torch.sum(1 + logvar - mu.pow(2) - logvar.exp()).mul_(-0.5)
    return bce + kld


def report(decoded: torch.Tensor, x: torch.Tensor, mu: torch.Tensor, logvar: torch.Tensor) -> str:
    loss = vae_loss(decoded, x, mu, logvar)
    return "loss %.4f" % loss.cpu().data[0]  # expect: TP311:26
