"""One update of a deep Q network: gather keeps the second dimension, max drops it."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Agent:
    def __init__(self, observations, actions, gamma=0.99):
        self.online = nn.Sequential(nn.Linear(observations, 64), nn.ReLU(), nn.Linear(64, actions))
        self.target = nn.Sequential(nn.Linear(observations, 64), nn.ReLU(), nn.Linear(64, actions))
        self.gamma = gamma
        self.optimizer = torch.optim.Adam(self.online.parameters())

    def update(self, states, actions, rewards, next_states):
        chosen = self.online(states).gather(1, actions.view(-1, 1))
        with torch.no_grad():
            best = self.online(next_states).argmax(dim=1, keepdim=True)
            future = self.target(next_states).gather(1, best).squeeze(1)
        expected = rewards.view(-1) + self.gamma * future
        loss = F.smooth_l1_loss(chosen, expected)  # expect: TP305:16
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


if __name__ == "__main__":
    agent = Agent(4, 2)
    agent.update(torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.rand(8), torch.randn(8, 4))
