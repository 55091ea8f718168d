"""Leaves whose gradient is wanted: inputs that are optimized, pipelines in stages."""
import pytest
import torch
import torch.nn.functional as F
from torch import nn, optim


def saliency(model, image, label):
    image = image.detach().clone().requires_grad_(True)
    F.cross_entropy(model(image), label).backward()
    return image.grad.abs()


def smoothness(image):
    image = image.detach()
    image.requires_grad = True
    (image[1:] - image[:-1]).square().sum().backward()
    return image.grad


def fit_noise(target, steps=10):
    start = target.mean().item()
    noise = torch.tensor([start], requires_grad=True)
    adam = optim.Adam([noise], lr=0.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (noise - target).square().mean()
        loss.backward()
        adam.step()
    return noise.detach()


def two_stages(first, second, x, y):
    hidden = first(x)
    boundary = hidden.detach().requires_grad_()
    F.mse_loss(second(boundary), y).backward()
    hidden.backward(boundary.grad)


class Temperature:
    """The entropy coefficient of soft actor-critic is trained alone."""

    def __init__(self, target):
        self.target = target
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.optimizer = optim.Adam([self.log_alpha], lr=3e-4)

    def update(self, log_prob):
        loss = -(self.log_alpha.exp() * (log_prob + self.target).detach()).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Entropy:
    """The same, with a leaf that is told to require a gradient later."""

    def __init__(self, make_optimizer, start=0.1, lr=3e-4):
        self.log_alpha = torch.tensor(start)
        self.log_alpha.requires_grad = True
        self.optimizer = make_optimizer([self.log_alpha], lr=lr)

    def update(self, actor, states, target):
        log_prob = torch.log_softmax(actor(states), dim=-1)
        loss = -(self.log_alpha.exp() * (log_prob + target).detach()).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Alpha:
    """The same, for an optimizer from the caller."""

    def __init__(self, algorithm, start=1.0):
        self.alpha = torch.tensor([start], requires_grad=True)
        self.training = algorithm([self.alpha])

    def update(self, log_prob, target):
        loss = -(self.alpha * (log_prob + target).cpu().detach()).mean()
        self.training.zero_grad()
        loss.backward()
        self.training.step()


def temperature(log_probs, target):
    log_alpha = torch.zeros(1, requires_grad=True)
    adam = optim.Adam([log_alpha])
    loss = (-log_alpha.exp() * (log_probs + target).detach()).mean()
    adam.zero_grad()
    loss.backward()
    adam.step()


def test_no_graph():
    loss = nn.Linear(2, 2)(torch.ones(1, 2)).sum().detach()
    with pytest.raises(RuntimeError):
        loss.backward()


def in_two_passes(model: nn.Module, chunks, optimizer: torch.optim.Optimizer):
    """The loss over all chunks gives gradients for their results, which go on into the model chunk by chunk."""
    with torch.no_grad():
        results = [model(chunk) for chunk in chunks]
    leaves = [result.detach().requires_grad_() for result in results]
    loss = torch.cat(leaves).logsumexp(0).mean()
    loss.backward()
    optimizer.zero_grad()
    for chunk, leaf in zip(chunks, leaves):
        model(chunk).backward(leaf.grad)
    optimizer.step()
