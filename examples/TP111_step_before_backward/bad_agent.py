"""The same in a method; the loop is elsewhere."""
import torch
import torch.nn.functional as F
from torch import nn


class DQN:
    def __init__(self, observations, actions):
        self.online = nn.Linear(observations, actions)
        self.target = nn.Linear(observations, actions)
        self.opt = torch.optim.Adam(self.online.parameters())

    def learn(self, states, actions, rewards, following):
        with torch.no_grad():
            wanted = rewards + 0.99 * self.target(following).amax(dim=1)
        values = self.online(states).gather(1, actions.unsqueeze(1)).squeeze(1)
        loss = F.smooth_l1_loss(values, wanted)
        self.online.zero_grad()
        self.opt.step()  # expect: TP111:9
        loss.backward()
        return loss.item()


class Trainer:
    """Backward pass and step each have a method of their own."""

    def __init__(self, model: nn.Module):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters())

    def fit(self, batches):
        for inputs, targets in batches:
            self.opt.zero_grad()
            loss = F.mse_loss(self.model(inputs), targets)
            self.update()
            self.propagate(loss)

    def update(self):
        self.opt.step()  # expect: TP111:9

    def propagate(self, loss):
        loss.backward()
