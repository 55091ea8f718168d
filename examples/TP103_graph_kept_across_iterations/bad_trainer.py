"""Trainers that keep their history on themselves; the loop is elsewhere."""
import torch
from torch import nn


class Trainer:
    def __init__(self, net: nn.Module, optimizer: torch.optim.Optimizer):
        self.net = net
        self.optimizer = optimizer
        self.criterion = nn.CrossEntropyLoss()
        self.losses = []
        self.history = {"loss": [], "norm": []}
        self.total = 0.0

    def run_batch(self, images, labels):
        self.optimizer.zero_grad()
        loss = self.criterion(self.net(images), labels)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.losses.append(loss)  # expect: TP103:9
        self.history["loss"].append(loss.detach())
        self.history["norm"].append(norm)
        self.total += loss  # expect: TP103:9

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for images, labels in loader:
                self.run_batch(images, labels)
        return torch.stack(self.losses).mean()


class ActorCritic:
    def __init__(self, actor: nn.Module, critic: nn.Module):
        self.actor, self.critic = actor, critic
        self.optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3)
        self.logs = {}

    def learn(self, observations, actions, advantages, returns):
        policy = torch.distributions.Categorical(logits=self.actor(observations))
        policy_loss = -(policy.log_prob(actions) * advantages).mean()
        value_loss = (returns - self.critic(observations)).pow(2).mean()
        self.optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        self.optimizer.step()
        self.logs.setdefault("policy", []).append(policy_loss)  # expect: TP103:9
        self.logs.setdefault("value", []).append(value_loss.item())
