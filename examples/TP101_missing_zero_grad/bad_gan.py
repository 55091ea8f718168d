"""The discriminator's gradients are cleared, the generator's are not."""
import torch
from torch import nn
from torch.optim import Adam


def make_nets(latent):
    generator = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 2))
    discriminator = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
    return generator, discriminator


def train(batches, latent=8):
    net_g, net_d = make_nets(latent)
    opt_g = Adam(net_g.parameters(), lr=2e-4, betas=(0.5, 0.999))
    opt_d = Adam(net_d.parameters(), lr=2e-4, betas=(0.5, 0.999))
    criterion = nn.BCEWithLogitsLoss()
    for real in batches:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        fake = net_g(torch.randn(len(real), latent))

        opt_d.zero_grad()
        loss_d = criterion(net_d(real), ones) + criterion(net_d(fake.detach()), zeros)
        loss_d.backward()
        opt_d.step()

        loss_g = criterion(net_d(fake), ones)
        loss_g.backward()  # expect: TP101:9
        opt_g.step()
    return net_g


if __name__ == "__main__":
    train([torch.randn(16, 2) for _ in range(20)])
