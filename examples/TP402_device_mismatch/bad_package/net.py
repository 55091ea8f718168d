"""A network."""
import torch.nn as nn


class Autoencoder(nn.Module):
    def __init__(self, size: int = 784) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 16))
        self.decoder = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, size))

    def forward(self, x):
        return self.decoder(self.encoder(x))
