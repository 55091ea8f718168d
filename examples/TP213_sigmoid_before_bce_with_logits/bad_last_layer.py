import torch
import torch.nn as nn
import torch.nn.functional as F

critic = nn.Sequential(
    nn.Linear(64, 32),
    nn.LeakyReLU(0.2),
    nn.Linear(32, 1),
    nn.Sigmoid(),  # expect: TP213:5
)
optimizer = torch.optim.Adam(critic.parameters(), lr=2e-4)


def adversarial(scores, is_real):
    wanted = torch.ones_like(scores) if is_real else torch.zeros_like(scores)
    return F.binary_cross_entropy_with_logits(scores, wanted)


def critic_step(real, fake):
    optimizer.zero_grad()
    loss = adversarial(critic(real), True) + adversarial(critic(fake.detach()), False)
    loss.backward()
    optimizer.step()
    return loss.item()
