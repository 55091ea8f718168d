"""Targets and baselines that are trained along with what is compared with them."""
import torch
import torch.nn.functional as F
from torch import nn


class Predictive:
    def __init__(self):
        self.encoder = nn.Linear(8, 4)
        self.predictor = nn.Linear(4, 4)
        parameters = [*self.encoder.parameters(), *self.predictor.parameters()]
        self.optimizer = torch.optim.SGD(parameters, lr=0.1)
        self.criterion = nn.MSELoss()

    def step(self, first, second):
        target = self.encoder(second) * 1.0  # expect: TP110:18
        predicted = self.predictor(self.encoder(first))
        loss = self.criterion(predicted, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def step_symmetric(self, first, second):
        left, right = self.encoder(first), self.encoder(second)
        loss = F.smooth_l1_loss(self.predictor(left), right.clone())  # expect: TP110:55
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def reinforce(actor, critic, states, returns):
    log_probs = torch.log_softmax(actor(states), dim=-1)[:, 0]
    values = critic(states).squeeze(-1)
    baseline = values + 0  # expect: TP110:16
    advantage = returns - baseline
    loss = -(log_probs * advantage).mean() + F.mse_loss(values, returns)
    loss.backward()


def main():
    actor, critic = nn.Linear(8, 4), nn.Linear(8, 1)
    reinforce(actor, critic, torch.randn(5, 8), torch.randn(5))
    Predictive().step(torch.randn(5, 8), torch.randn(5, 8))


if __name__ == "__main__":
    main()
