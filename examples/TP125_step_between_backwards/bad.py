"""A GAN whose generator loss is computed before the discriminator's step."""
import torch
from torch import nn, optim

generator = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
optimizer_g = optim.Adam(generator.parameters(), lr=2e-4)
optimizer_d = optim.Adam(discriminator.parameters(), lr=2e-4)
criterion = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)

for _ in range(100):
    real = torch.randn(32, 2)
    fake = generator(torch.randn(32, 8))
    d_loss = criterion(discriminator(real), ones) + criterion(discriminator(fake.detach()), zeros)
    g_loss = criterion(discriminator(fake), ones)

    optimizer_d.zero_grad()
    d_loss.backward()
    optimizer_d.step()

    optimizer_g.zero_grad()
    g_loss.backward()  # expect: TP125:5
    optimizer_g.step()
