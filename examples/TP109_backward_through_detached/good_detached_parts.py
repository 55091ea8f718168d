"""What is detached on purpose: targets, features, a generator's output, the straight-through estimator."""
import torch
import torch.nn.functional as F
from torch import nn

encoder = nn.Linear(8, 4)
head = nn.Linear(4, 2)
critic = nn.Linear(4, 1)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters(), *critic.parameters()])


class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(8, 4)

    def forward(self, x):
        x = self.inner(x)
        return x + (torch.round(x) - x).detach()


def probe(x, y):
    optimizer.zero_grad()
    features = encoder(x).detach()
    loss = F.cross_entropy(head(features), y)
    loss.backward()
    optimizer.step()


def frozen_features(x, y):
    optimizer.zero_grad()
    with torch.no_grad():
        features = encoder(x)
    loss = F.cross_entropy(head(features), y)
    loss.backward()
    optimizer.step()


def actor_critic(x, rewards, log_probs):
    optimizer.zero_grad()
    values = critic(encoder(x)).squeeze(1)
    advantage = rewards - values.detach()
    loss = -(log_probs * advantage).mean() + F.mse_loss(values, rewards)
    loss.backward()
    optimizer.step()


def bootstrapped(x, following, reward):
    optimizer.zero_grad()
    with torch.no_grad():
        target = reward + 0.9 * critic(encoder(following))
    loss = F.smooth_l1_loss(critic(encoder(x)), target)
    loss.backward()
    optimizer.step()
    return loss.detach()


class Boxes(nn.Module):
    """The indices are chosen in NumPy, the features keep their graph."""

    def __init__(self):
        super().__init__()
        self.score = nn.Linear(8, 1)
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        scores = self.score(x).squeeze(-1)
        order = scores.detach().cpu().numpy().argsort()
        return self.out(x[torch.from_numpy(order)]), scores
