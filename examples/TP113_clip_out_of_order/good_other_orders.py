"""Orders that look odd and are right."""
import math

import torch
import torch.nn.functional as F
from torch import nn


def overlapped(model, batches):
    """Step at the top, for the pass before."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in batches:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        F.mse_loss(model(inputs), targets).backward()


def measured(model, batches):
    """An infinite limit clips nothing: it measures."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in batches:
        optimizer.zero_grad()
        F.mse_loss(model(inputs), targets).backward()
        optimizer.step()
        print("norm", nn.utils.clip_grad_norm_(model.parameters(), math.inf))


def with_engine(model, engine, batches):
    """The engine goes backward first."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(inputs), targets)
        engine.backward(loss)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        penalty = sum(p.pow(2).sum() for p in model.parameters())
        penalty.backward()
        optimizer.step()


def adversarial(generator, discriminator, batches):
    """Each network clipped before its own step."""
    opt_g = torch.optim.Adam(generator.parameters())
    opt_d = torch.optim.Adam(discriminator.parameters())
    for noise, real in batches:
        opt_d.zero_grad()
        (discriminator(generator(noise).detach()).mean() - discriminator(real).mean()).backward()
        nn.utils.clip_grad_norm_(discriminator.parameters(), 1.0)
        opt_d.step()
        opt_g.zero_grad()
        (-discriminator(generator(noise)).mean()).backward()
        nn.utils.clip_grad_norm_(generator.parameters(), 1.0)
        opt_g.step()
