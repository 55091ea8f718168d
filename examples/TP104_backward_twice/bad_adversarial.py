"""The discriminator's loss goes back into the generator and frees its graph."""
import torch
from torch import nn


def train(loader, noise_size=16):
    generator = nn.Sequential(nn.Linear(noise_size, 32), nn.ReLU(), nn.Linear(32, 8))
    discriminator = nn.Sequential(nn.Linear(8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
    criterion = nn.BCEWithLogitsLoss()
    opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4)
    opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4)
    for real in loader:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        opt_d.zero_grad()
        fake = generator(torch.randn(len(real), noise_size))
        d_loss = criterion(discriminator(real), ones) + criterion(discriminator(fake), zeros)
        d_loss.backward()
        opt_d.step()

        opt_g.zero_grad()
        g_loss = criterion(discriminator(fake), ones)
        g_loss.backward()  # expect: TP104:9
        opt_g.step()
