import torch
import torch._dynamo
from torch import nn

torch._dynamo.config.allow_unspec_int_on_nn_module = True


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


net = torch.compile(Counting())
