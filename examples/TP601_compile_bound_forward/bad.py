"""A policy is compiled by its forward method, and its hooks are lost."""
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 4)

    def forward(self, observation):
        return self.head(observation)


class Runner:
    def __init__(self, model: nn.Module):
        self.model = model.eval()
        self.fast = torch.compile(self.model.forward, fullgraph=True)  # expect: TP601:35

    @torch.inference_mode()
    def act(self, observation):
        return self.fast(observation).argmax(-1)


policy = Policy()
step = policy.forward
compiled = torch.compile(step, mode="reduce-overhead")  # expect: TP601:26
by_hand = torch.compile(dynamic=True)(policy.forward)  # expect: TP601:39
