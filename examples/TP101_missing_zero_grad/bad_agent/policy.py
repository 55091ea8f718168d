"""What all agents share."""
import torch
from torch import nn


class Policy:
    def __init__(self, observations, actions):
        self.net = nn.Sequential(nn.Linear(observations, 64), nn.Tanh(), nn.Linear(64, actions))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.log_probs = []
        self.rewards = []

    def act(self, observation):
        distribution = torch.distributions.Categorical(logits=self.net(observation))
        action = distribution.sample()
        self.log_probs.append(distribution.log_prob(action))
        return action.item()
