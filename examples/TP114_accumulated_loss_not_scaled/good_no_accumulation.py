"""A step in some passes only is no accumulation by itself."""
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn


def critics(actor: nn.Module, critic: nn.Module, batches, delay):
    actor_optimizer = torch.optim.Adam(actor.parameters())
    critic_optimizer = torch.optim.Adam(critic.parameters())
    for i, (state, value) in enumerate(batches):
        critic_loss = F.mse_loss(critic(state), value)
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        if i % delay == 0:
            actor_loss = -critic(actor(state)).mean()
            actor_optimizer.zero_grad()
            actor_loss.backward()
            actor_optimizer.step()


def one(model: nn.Module, optimizer: torch.optim.Optimizer, loader):
    every = 1
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def accelerated(model: nn.Module, loader, every):
    accelerator = Accelerator(gradient_accumulation_steps=every)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for i, (x, y) in enumerate(loader):
        accelerator.backward(F.cross_entropy(model(x), y))
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
