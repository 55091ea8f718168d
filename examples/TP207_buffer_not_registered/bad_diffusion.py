import torch
from torch import nn


def extract(table, t, shape):
    out = table.gather(-1, t)
    return out.reshape(shape[0], *([1] * (len(shape) - 1)))


class Diffusion(nn.Module):
    def __init__(self, model, steps=1000):
        super().__init__()
        self.model = model
        self.steps = steps
        alphas = torch.cumprod(1.0 - torch.linspace(1e-4, 0.02, steps), dim=0)
        self.signal = torch.sqrt(alphas)  # expect: TP207:9
        self.noise = torch.sqrt(1.0 - alphas)  # expect: TP207:9

    def q_sample(self, x, t, noise):
        return extract(self.signal, t, x.shape) * x + extract(self.noise, t, x.shape) * noise

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.shape[0],), device=x.device)
        return self.model(self.q_sample(x, t, torch.randn_like(x)), t)


class Whitened(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.running = torch.zeros(width)  # expect: TP207:9

    def forward(self, x):
        y = self.linear(x)
        self.running = 0.9 * self.running + 0.1 * y.detach().mean(dim=0)
        return y - self.running
