import torch
from torch import nn, optim


class Attention(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.query = nn.Parameter(torch.randn(width, device=device))
        self.key = nn.Parameter(torch.randn(width).to(device))
        self.value = nn.Parameter(torch.randn(width)).requires_grad_(True)
        self.scale = nn.Parameter(torch.ones(width), requires_grad=False).to(device)

    def forward(self, x):
        return x * self.query * self.key * self.value * self.scale


def intermediate(net: nn.Linear, x):
    hidden = net(x)
    hidden.retain_grad()
    hidden.sum().backward()
    return hidden.grad


def asked_last(image, target):
    code = torch.randn(1, 512).cuda().requires_grad_()
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
