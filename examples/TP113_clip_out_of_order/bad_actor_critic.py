"""An agent with two optimizers; the critic's gradients are clipped in time, the actor's too late."""
import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, observations, actions):
        self.actor = nn.Sequential(nn.Linear(observations, 64), nn.ReLU(), nn.Linear(64, actions))
        self.critic = nn.Sequential(nn.Linear(observations, 64), nn.ReLU(), nn.Linear(64, 1))
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def clip(self, network):
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)

    def learn(self, states, actions, returns):
        values = self.critic(states).squeeze(1)
        critic_loss = F.smooth_l1_loss(values, returns)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.clip(self.critic)
        self.critic_optimizer.step()

        advantages = returns - values.detach()
        log_probs = F.log_softmax(self.actor(states), dim=1).gather(1, actions[:, None]).squeeze(1)
        actor_loss = -(advantages * log_probs).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        nn.utils.clip_grad_norm_(self.actor.parameters(), 0.5)  # expect: TP113:9
