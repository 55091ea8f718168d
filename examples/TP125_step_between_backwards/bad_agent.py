"""An actor whose loss went through the critic before the critic's step, by hand and by a helper."""
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
        critic_loss = F.mse_loss(self.critic(state, action), target)
        actor_loss = -self.critic(state, self.actor(state)).mean()

        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()

        self.actor_optimizer.zero_grad()
        actor_loss.backward()  # expect: TP125:9
        self.actor_optimizer.step()

    def learn_from_replay(self, state, action, target):
        critic_loss = F.mse_loss(self.critic(state, action), target)
        actor_loss = -self.critic(state, self.actor(state)).mean()
        descend(self.critic_optimizer, critic_loss)
        descend(self.actor_optimizer, actor_loss)  # expect: TP125:9


def descend(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main(batches):
    agent = Agent()
    for state, action, target in batches:
        agent.learn(state, action, target)
        agent.learn_from_replay(state, action, target)
