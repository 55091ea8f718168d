"""Sums and lists that are the loss, or a part of it, and die with their step."""
import torch
import torch.nn.functional as F
from torch import nn


def multi_task(model: nn.Module, heads, loader, optimizer):
    for inputs, targets in loader:
        features = model(inputs)
        total = 0
        parts = []
        for head, target in zip(heads, targets):
            loss = F.mse_loss(head(features), target)
            total += loss
            parts.append(loss)
        penalty = sum(parts) / len(parts)
        optimizer.zero_grad()
        (total + 0.1 * penalty).backward()
        optimizer.step()


def reinforce(policy: nn.Module, environment, optimizer, episodes):
    for _ in range(episodes):
        log_probs, rewards = [], []
        state, done = environment.reset(), False
        while not done:
            distribution = torch.distributions.Categorical(logits=policy(state))
            action = distribution.sample()
            log_probs.append(distribution.log_prob(action))
            state, reward, done = environment.step(action)
            rewards.append(reward)
        loss = -(torch.stack(log_probs) * torch.tensor(rewards)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def windows(cell: nn.LSTMCell, head: nn.Linear, sequence, optimizer, size):
    hidden = torch.zeros(1, 8), torch.zeros(1, 8)
    loss = 0
    for number, (element, target) in enumerate(sequence):
        hidden = cell(element, hidden)
        loss += F.mse_loss(head(hidden[0]), target)
        if (number + 1) % size == 0:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss = 0
            hidden = tuple(part.detach() for part in hidden)


class Agent:
    def __init__(self, policy: nn.Module):
        self.policy = policy
        self.optimizer = torch.optim.Adam(policy.parameters())
        self.saved_log_probs = []

    def act(self, state):
        distribution = torch.distributions.Categorical(logits=self.policy(state))
        action = distribution.sample()
        self.saved_log_probs.append(distribution.log_prob(action))
        return action

    def finish(self, returns):
        losses = []
        for log_prob, value in zip(self.saved_log_probs, returns):
            losses.append(-log_prob * value)
        self.optimizer.zero_grad()
        torch.stack(losses).sum().backward()
        self.optimizer.step()
        self.saved_log_probs.clear()


def regularised(model: nn.Module, inputs, labels):
    loss = F.cross_entropy(model(inputs), labels)
    for parameter in model.parameters():
        loss = loss + 1e-4 * parameter.pow(2).sum()
    return loss


def started_anew(model: nn.Module, loader, optimizer):
    for inputs, labels in loader:
        losses = []
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
        print(losses)
