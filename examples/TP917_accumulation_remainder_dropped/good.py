"""The last window is stepped, or there is none."""
import itertools

import torch
import torch.nn.functional as F
from torch import nn


def in_the_test(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / every).backward()
        last = i == len(loader) - 1
        if (i + 1) % every == 0 or last:
            optimizer.step()
            optimizer.zero_grad()


def after_the_loop(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
    if len(loader) % every != 0:
        optimizer.step()
        optimizer.zero_grad()


def over_all_epochs(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every, epochs):
    seen = 0
    for _ in range(epochs):
        for x, y in loader:
            (F.cross_entropy(model(x), y) / every).backward()
            seen += 1
            if seen % every == 0:
                optimizer.step()
                optimizer.zero_grad()


def over_all_batches(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every, epochs):
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            done = epoch * len(loader) + i
            (F.cross_entropy(model(x), y) / every).backward()
            if done % every == 0:
                optimizer.step()
                optimizer.zero_grad()


def asserted(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    assert len(loader) % every == 0
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def computed(model: nn.Module, optimizer: torch.optim.Optimizer, draw, every, steps):
    for i in range(steps * every):
        x, y = draw()
        (F.cross_entropy(model(x), y) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def known(model: nn.Module, optimizer: torch.optim.Optimizer, draw):
    for i in range(1000):
        x, y = draw()
        (F.cross_entropy(model(x), y) / 4).backward()
        if i % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()


def endless(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for i, (x, y) in enumerate(itertools.cycle(loader)):
        (F.cross_entropy(model(x), y) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def alternating(generator: nn.Module, critic: nn.Module, loader, every):
    generator_optimizer = torch.optim.Adam(generator.parameters())
    critic_optimizer = torch.optim.Adam(critic.parameters())
    for i, (x, z) in enumerate(loader):
        critic_optimizer.zero_grad()
        critic_loss = critic(generator(z).detach()).mean() - critic(x).mean()
        critic_loss.backward()
        critic_optimizer.step()
        if i % every == 0:
            generator_optimizer.zero_grad()
            generator_loss = -critic(generator(z)).mean()
            generator_loss.backward()
            generator_optimizer.step()
