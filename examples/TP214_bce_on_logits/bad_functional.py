import torch
import torch.nn.functional as F
from torch import nn

encoder = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU())
decoder = nn.Sequential(nn.Linear(64, 784), nn.Tanh())
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])


def reconstruct(images):
    return decoder(encoder(images))


def step(images):
    optimizer.zero_grad()
    loss = F.binary_cross_entropy(reconstruct(images), images.flatten(1))  # expect: TP214:12
    loss.backward()
    optimizer.step()
