"""The end of a training script keeps the network itself."""
import torch
from torch import nn


class Digits(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(784, hidden), nn.ReLU(), nn.Linear(hidden, 10))

    def forward(self, images):
        return self.layers(images)

    def keep(self, path):
        torch.save(self, path)  # expect: TP001:20


def finish(path):
    model = Digits().to("cpu")
    model.eval()
    torch.save(model, path)  # expect: TP001:16


if __name__ == "__main__":
    finish("digits.pt")
    Digits(hidden=8).keep("small.pt")
