"""The second loss replaces the first."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        output, reconstructed = model(x)
        loss = criterion(output, y)  # expect: TP126:9
        loss = 0.1 * F.mse_loss(reconstructed, x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Gan:
    def __init__(self, generator, critic):
        self.generator = generator
        self.critic = critic
        self.optimizer = torch.optim.Adam(critic.parameters())
        self.bce = nn.BCEWithLogitsLoss()

    def step_critic(self, real, noise):
        self.optimizer.zero_grad()
        fake = self.generator(noise).detach()
        scores = self.critic(real)
        d_loss = self.bce(scores, torch.ones_like(scores)) + self.bce(  # expect: TP126:9
            self.critic(fake), torch.zeros_like(scores)
        )
        d_loss = 10 * gradient_penalty(self.critic, real, fake)
        d_loss.backward()
        self.optimizer.step()


def gradient_penalty(critic, real, fake):
    mixed = (0.5 * real + 0.5 * fake).requires_grad_(True)
    (gradient,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return (gradient.norm(2, dim=1) - 1).square().mean()


def two_heads(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    measure = nn.CrossEntropyLoss()
    for x, first, second in loader:
        left, right = model(x)
        loss = measure(left, first)  # expect: TP126:9
        loss = measure(right, second)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
