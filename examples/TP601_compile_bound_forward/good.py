"""The module is compiled, or its forward is put back where `__call__` finds it."""
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, compiled=False):
        super().__init__()
        self.head = nn.Linear(16, 4)
        if compiled:
            self.forward = torch.compile(self.forward)

    def forward(self, observation):
        return self.head(observation)

    def sample(self, observation):
        return self.head(observation).argmax(-1)


class Curve:
    """No module: its `forward` has no hooks."""

    def forward(self, x):
        return x.sin()


policy = Policy()
whole = torch.compile(policy)
policy.compile()
policy.forward = torch.compile(policy.forward, mode="reduce-overhead")
faster = torch.compile(policy.forward)
policy.forward = faster
setattr(policy, "forward", torch.compile(policy.forward))
sample = torch.compile(policy.sample)
curve = torch.compile(Curve().forward)
unbound = torch.compile(Policy.forward)
