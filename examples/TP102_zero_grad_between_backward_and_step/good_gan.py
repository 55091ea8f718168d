"""Two optimizers: what the generator's backward left in the discriminator is cleared before the generator's step."""
import torch
from torch import nn
from torch.optim import Adam


def train(batches, latent=8):
    net_g = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 2))
    net_d = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
    opt_g = Adam(net_g.parameters(), lr=2e-4)
    opt_d = Adam(net_d.parameters(), lr=2e-4)
    criterion = nn.BCEWithLogitsLoss()
    for real in batches:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        fake = net_g(torch.randn(len(real), latent))

        opt_g.zero_grad()
        loss_g = criterion(net_d(fake), ones)
        loss_g.backward()
        net_d.zero_grad()
        opt_g.step()

        loss_d = criterion(net_d(real), ones) + criterion(net_d(fake.detach()), zeros)
        loss_d.backward()
        opt_d.step()
