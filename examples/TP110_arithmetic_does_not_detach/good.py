"""Copies that are detached, that hold no graph, or that are meant to carry one."""
import torch
import torch.nn.functional as F
from torch import nn

policy = nn.Linear(8, 4)
encoder = nn.Linear(8, 4)
optimizer = torch.optim.Adam([*policy.parameters(), *encoder.parameters()], lr=3e-4)


def update(states, advantages):
    log_probs = F.log_softmax(policy(states), dim=-1)
    old_log_probs = log_probs.detach().clone()
    older = log_probs.clone().detach()
    saved = log_probs.clone()
    ratio = torch.exp(log_probs - old_log_probs) + torch.exp(log_probs - older) + torch.exp(log_probs - saved.detach())
    loss = -(ratio * advantages).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def regress(first, second):
    with torch.no_grad():
        target = encoder(second) * 1
    loss = F.mse_loss(policy(first), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def q_learning(states, actions, returns):
    q = policy(states)
    target = q.clone()
    target[torch.arange(len(actions)), actions] = returns
    loss = F.mse_loss(q, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def has_moved(states, labels):
    before = policy.weight.clone()
    loss = F.cross_entropy(policy(states), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return not torch.equal(before, policy.weight)


def autoencode(images):
    optimizer.zero_grad()
    loss = F.mse_loss(policy(images)[:, :4], images.clone()[:, :4])
    loss.backward()
    optimizer.step()


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)

    def forward(self, x):
        x = self.first(x)
        identity = x.clone()
        x = torch.tanh(self.second(x))
        return x + identity


def smooth(states):
    hidden = encoder(states)
    following = torch.tanh(hidden)
    before = hidden.clone()
    loss = (following - before).square().mean()
    loss.backward()
