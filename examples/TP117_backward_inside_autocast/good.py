"""The forward pass under autocast, the backward pass outside, or under autocast that is off."""
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(model, batches, optimizer):
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()


def train_in_one_block(model, batches, optimizer):
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(inputs), targets)
            with torch.autocast("cuda", enabled=False):
                loss.backward()
        optimizer.step()


def train_in_full_precision(model, batches, optimizer):
    for inputs, targets in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=False):
            F.mse_loss(model(inputs), targets).backward()
        optimizer.step()


def train_with_accelerate(model, optimizer, batches):
    accelerator = Accelerator()
    model, optimizer = accelerator.prepare(model, optimizer)
    for inputs, targets in batches:
        with accelerator.autocast():
            loss = F.mse_loss(model(inputs), targets)
            accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


def gradient_penalty(critic, mixed):
    mixed.requires_grad_()
    with torch.autocast("cuda"):
        scores = critic(mixed)
        [gradient] = torch.autograd.grad(scores.sum(), mixed, create_graph=True)
        return ((gradient.flatten(1).norm(dim=1) - 1) ** 2).mean()
