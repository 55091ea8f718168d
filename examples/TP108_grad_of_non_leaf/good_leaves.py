import torch
from torch import nn, optim


def intermediate(net: nn.Linear, x):
    hidden = net(x)
    hidden.retain_grad()
    hidden.sum().backward()
    return hidden.grad


def asked_last(image, target):
    code = torch.randn(1, 512).cuda().requires_grad_()  # expect: TP945:12
    patch = image.double().detach().clone()
    patch.requires_grad = True
    optimizer = optim.Adam([code], lr=0.01)
    optimizer.zero_grad()
    ((code - target).abs().mean() + patch.sum()).backward()
    optimizer.step()
    return code.grad, patch.grad


def changes_nothing():
    w = torch.zeros(3, requires_grad=True).to("cpu").float().contiguous()
    w.sum().backward()
    return w.grad


def compared(net: nn.Linear, x):
    hidden = net(x)
    hidden.sum().backward()
    assert hidden.grad is None
    return net.weight.grad
