import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.alpha = nn.Parameter(torch.zeros(width, requires_grad=True))
        self.beta = nn.Parameter(torch.ones(width).to(device) * 0.1)  # expect: TP945:34
        self.key = nn.Parameter(torch.randn(width)).requires_grad_(True)
        self.scale = nn.Parameter(torch.ones(width), requires_grad=False).to(device)
        self.register_parameter("gamma", nn.Parameter(torch.ones(width)))
        self.mixes = nn.ParameterList(nn.Parameter(torch.randn(width)) for _ in range(3))
        self.late = [torch.zeros(width, requires_grad=True)]
        self.late = nn.ParameterList(self.late)
        self.named = [nn.Parameter(torch.ones(1)) for _ in range(2)]
        for i, parameter in enumerate(self.named):
            self.register_parameter(f"named{i}", parameter)

    def forward(self, x):
        for mix in (*self.mixes, *self.late, *self.named):
            x = x * mix
        return x * self.alpha * self.beta * self.gamma * self.key * self.scale


class Agent(nn.Module):
    """The temperature has an optimizer of its own, which is given the tensor."""

    def __init__(self, width):
        super().__init__()
        self.actor = nn.Linear(width, 2)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.alpha_optimizer = torch.optim.Adam([self.log_alpha], lr=3e-4)

    def forward(self, state):
        return self.actor(state) * self.log_alpha.exp()


class Attack(nn.Module):
    """The perturbation is not trained: its gradient is asked for, and applied by hand."""

    def __init__(self, model, shape):
        super().__init__()
        self.model = model
        self.delta = torch.zeros(shape, requires_grad=True)
        self.shift = torch.zeros(shape, requires_grad=True)

    def forward(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x + self.delta + self.shift), y)
        [gradient] = torch.autograd.grad(loss, [self.delta], retain_graph=True)
        loss.backward()
        return gradient.sign() + self.shift.grad.sign()


class Saliency(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        self.probe = torch.zeros_like(x, requires_grad=True)
        return self.model(x + self.probe)


class Adapted(nn.Module):
    """The context is set anew for each task, and adapted by whoever holds the policy."""

    def __init__(self, width):
        super().__init__()
        self.policy = nn.Linear(2 * width, 2)
        self.context = torch.zeros(width, requires_grad=True)
        self.fast = torch.zeros(width, requires_grad=True)

    def reset(self):
        with torch.no_grad():
            self.context[:] = 0
        self.fast = torch.zeros_like(self.fast, requires_grad=True)

    def forward(self, state):
        return self.policy(torch.cat([state, self.context + self.fast], dim=-1))


class OwnBooks(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fast = [torch.randn(width, width, requires_grad=True)]

    def parameters(self, recurse=True):
        yield from self.fast


class Problem:
    """No module itself: nothing could be registered."""

    def __init__(self):
        self.x = torch.zeros(3, requires_grad=True)
