"""Two losses over one encoder, and a loss that is computed once for all epochs."""
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
        policy_loss.backward()
        value_loss.backward()  # expect: TP104:9
        optimizer.step()


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = torch.randn(16, 4), torch.randn(16, 1)
loss = F.mse_loss(model(inputs), targets)
for epoch in range(10):
    optimizer.zero_grad()
    loss.backward()  # expect: TP104:5
    optimizer.step()


def fitted(features, wanted):
    weights = torch.zeros(4, 1, requires_grad=True)
    error = ((features @ weights - wanted) ** 2).mean()
    for _ in range(10):
        error.backward()  # expect: TP104:9
        with torch.no_grad():
            weights -= 0.1 * weights.grad
            weights.grad.zero_()
