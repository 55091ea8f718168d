import torch
from torch import optim


def fit_points(start, target, steps=100):
    points = torch.tensor(start, requires_grad=True).double()
    for _ in range(steps):
        loss = (points.mean(dim=0) - target).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            points -= 0.1 * points.grad  # expect: TP108:29
            points.grad.zero_()
    return points


def invert(generator, image, steps=500):
    code = torch.randn(1, 512, requires_grad=True).cuda()
    optimizer = optim.Adam([code], lr=0.01)  # expect: TP108:29
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (generator(code) - image).abs().mean()
        loss.backward()
        optimizer.step()
    return code
