"""Tensors that are read as data: copies without a graph, and copies that are none."""
import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, states: int, actions: int) -> None:
        self.policy = nn.Sequential(nn.Linear(states, 32), nn.ReLU(), nn.Linear(32, actions))
        self.optimizer = torch.optim.Adam(self.policy.parameters())

    def learn(self, states: torch.Tensor, actions: torch.Tensor, returns):
        scores = self.policy(states)
        taken = scores.gather(1, actions)
        loss = F.smooth_l1_loss(taken.squeeze(1), torch.as_tensor(returns))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return torch.tensor(loss)  # expect: TP307:16


def perturbed(weights: "torch.Tensor", scale: float):
    before = torch.Tensor(weights)  # expect: TP307:14
    weights.add_(scale * torch.randn_like(weights))
    return weights - before  # always zero


def rows(table):
    numbers = torch.as_tensor(table)
    mean = numbers.mean(0)
    return [numbers.new_tensor(row - mean) for row in numbers]  # expect: TP307:13
