import torch
from torch import nn


class PatchCritic(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, width, 4, stride=2, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, 1, 4, padding=1),
        )

    def forward(self, image):
        return self.layers(image)


class AdversarialLoss(nn.Module):
    def __init__(self, least_squares=True):
        super().__init__()
        self.loss = nn.MSELoss() if least_squares else nn.BCELoss()  # expect: TP214:56

    def forward(self, prediction, is_real):
        wanted = torch.ones_like(prediction) if is_real else torch.zeros_like(prediction)
        return self.loss(prediction, wanted)


def critic_step(critic, optimizer, criterion, real, fake):
    optimizer.zero_grad()
    loss = criterion(critic(real), True) + criterion(critic(fake.detach()), False)
    loss.backward()
    optimizer.step()


def main(pairs):
    critic = PatchCritic()
    optimizer = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
    criterion = AdversarialLoss(least_squares=False)
    for real, fake in pairs:
        critic_step(critic, optimizer, criterion, real, fake)
