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


class Gan:
    """The picture goes through both methods, and the critic's does not detach it."""

    def __init__(self, generator: nn.Module, critic: nn.Module):
        self.generator, self.critic = generator, critic
        self.opt_g = torch.optim.Adam(generator.parameters())
        self.opt_c = torch.optim.Adam(critic.parameters())

    def train_critic(self, real, fake):
        self.opt_c.zero_grad()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss.backward()
        self.opt_c.step()

    def train_generator(self, fake):
        self.opt_g.zero_grad()
        loss = -self.critic(fake).mean()
        loss.backward()  # expect: TP104:9
        self.opt_g.step()

    def fit(self, batches):
        for noise, real in batches:
            fake = self.generator(noise)
            self.train_critic(real, fake)
            self.train_generator(fake)
