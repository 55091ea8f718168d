"""The probabilities before the update are copied with their graph: the ratio's gradient is zero."""
import torch
import torch.nn.functional as F
from torch import nn

policy = nn.Linear(8, 4)
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)


def update(states, advantages):
    log_probs = F.log_softmax(policy(states), dim=-1)
    old_log_probs = log_probs.clone()  # expect: TP110:21
    ratio = torch.exp(log_probs - old_log_probs)
    loss = -(ratio * advantages).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def update_in_one_line(states, advantages):
    log_probs = F.log_softmax(policy(states), dim=-1)
    loss = -(torch.exp(log_probs - log_probs.clone()) * advantages).mean()  # expect: TP110:36
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
