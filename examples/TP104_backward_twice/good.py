"""Backward passes that do not meet: summed, retained, detached, computed anew."""
import torch
import torch.nn.functional as F
from torch import nn


def train(encoder: nn.Module, policy: nn.Module, value: nn.Module, batches):
    optimizer = torch.optim.Adam([*encoder.parameters(), *policy.parameters(), *value.parameters()])
    for states, actions, returns in batches:
        features = encoder(states)
        policy_loss = F.cross_entropy(policy(features), actions)
        value_loss = F.mse_loss(value(features).squeeze(1), returns)
        optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        optimizer.step()


def train_apart(encoder: nn.Module, policy: nn.Module, value: nn.Module, batches):
    optimizer = torch.optim.Adam([*encoder.parameters(), *policy.parameters(), *value.parameters()])
    for states, actions, returns in batches:
        optimizer.zero_grad()
        features = encoder(states)
        F.cross_entropy(policy(features), actions).backward()
        F.mse_loss(value(features.detach()).squeeze(1), returns).backward()
        optimizer.step()

        optimizer.zero_grad()
        features = encoder(states)
        F.cross_entropy(policy(features), actions).backward(retain_graph=True)
        F.mse_loss(value(features).squeeze(1), returns).backward()
        optimizer.step()


def accumulate(model: nn.Module, inputs, targets):
    loss = F.mse_loss(model(inputs), targets)
    for _ in range(10):
        model.zero_grad()
        loss.backward()
        loss = F.mse_loss(model(inputs), targets)


def disjoint(left: nn.Module, right: nn.Module, batches):
    for inputs, targets in batches:
        left.zero_grad()
        right.zero_grad()
        F.mse_loss(left(inputs), targets).backward()
        F.mse_loss(right(inputs), targets).backward()


class Pairs:
    """Each call of the helper computes a graph of its own."""

    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def error(self, inputs, targets):
        self.model.train()
        return F.mse_loss(self.model(inputs), targets)

    def step(self, left, right, targets):
        self.optimizer.zero_grad()
        one = self.error(left, targets)
        other = self.error(right, targets)
        one.backward()
        other.backward()
        self.optimizer.step()
