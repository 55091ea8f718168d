"""The loss of a critic is printed; only the penalty trains it."""
import torch
from torch import nn


def penalty_of(critic, real):
    real = real.clone().requires_grad_(True)
    (gradient,) = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return (gradient.norm(2, dim=1) - 1).square().mean()


def train(generator: nn.Module, critic: nn.Module, loader):
    criterion = nn.BCEWithLogitsLoss()
    opt_g = torch.optim.Adam(generator.parameters())
    opt_c = torch.optim.Adam(critic.parameters())
    for real, noise, ones, zeros in loader:
        opt_g.zero_grad()
        fake = generator(noise)
        g_loss = criterion(critic(fake), ones)
        g_loss.backward()
        opt_g.step()

        opt_c.zero_grad()
        real_loss = criterion(critic(real), ones)
        fake_loss = criterion(critic(fake.detach()), zeros)
        c_loss = (real_loss + fake_loss) / 2  # expect: TP126:9
        penalty = penalty_of(critic, real)
        penalty.backward()
        opt_c.step()
        print(f"critic {c_loss.item():.3f}, generator {g_loss.item():.3f}")
