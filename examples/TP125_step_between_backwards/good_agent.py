"""Both orders that are right: the critic's step first, or both backward passes first."""
import torch
import torch.nn.functional as F
from torch import nn


class Critic(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.hidden = nn.Linear(states + actions, 64)
        self.value = nn.Linear(64, 1)

    def forward(self, state, action):
        return self.value(torch.relu(self.hidden(torch.cat([state, action], dim=1))))


class Agent:
    def __init__(self, states=4, actions=2):
        self.actor = nn.Sequential(nn.Linear(states, 64), nn.ReLU(), nn.Linear(64, actions), nn.Tanh())
        self.critic = Critic(states, actions)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-4)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def learn(self, state, action, target):
        descend(self.critic_optimizer, F.mse_loss(self.critic(state, action), target))
        descend(self.actor_optimizer, -self.critic(state, self.actor(state)).mean())

    def learn_together(self, state, action, target):
        critic_loss = F.mse_loss(self.critic(state, action), target)
        value = self.critic(state, action).detach()
        actor_loss = (self.actor(state) * (target - value)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()


def descend(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main(batches):
    agent = Agent()
    for state, action, target in batches:
        agent.learn(state, action, target)
        agent.learn_together(state, action, target)
