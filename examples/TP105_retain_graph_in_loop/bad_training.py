"""Retained graphs that nothing uses: a copied line, and a generator that is detached anyway."""
import torch
import torch.nn.functional as F
from torch import nn


def fit(model, batches, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for inputs, targets in batches:
            loss = F.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward(retain_graph=True)  # expect: TP105:13
            optimizer.step()


def adversarial(generator: nn.Module, discriminator: nn.Module, batches):
    opt_g = torch.optim.Adam(generator.parameters())
    opt_d = torch.optim.Adam(discriminator.parameters())
    for noise, real in batches:
        fake = generator(noise)
        opt_g.zero_grad()
        (-discriminator(fake).mean()).backward()
        opt_g.step()

        opt_d.zero_grad()
        d_loss = discriminator(fake.detach()).mean() - discriminator(real).mean()
        d_loss.backward(retain_graph=True)  # expect: TP105:9
        opt_d.step()


def critic_first(generator: nn.Module, critic: nn.Module, batches):
    opt_g = torch.optim.Adam(generator.parameters())
    opt_c = torch.optim.Adam(critic.parameters())
    for noise, real in batches:
        ones = torch.ones(len(real), 1)
        fake = generator(noise)
        opt_c.zero_grad()
        c_loss = F.mse_loss(critic(real), ones) + F.mse_loss(critic(fake.detach()), -ones)
        c_loss.backward(retain_graph=True)  # expect: TP105:9
        opt_c.step()

        opt_g.zero_grad()
        F.mse_loss(critic(fake), ones).backward()
        opt_g.step()
