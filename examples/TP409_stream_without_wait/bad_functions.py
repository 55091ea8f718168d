"""Two branches of a network on two streams."""
import torch
from torch import nn


class TwoPaths(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(8, 8)
        self.right = nn.Linear(8, 8)
        self.stream = torch.cuda.Stream()

    def forward(self, x):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            right = self.right(x)
        left = self.left(x)
        return left + right  # expect: TP409:23


def guarded(x: torch.Tensor):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with stream:
        y = torch.mm(x, x)
    y.record_stream(torch.cuda.current_stream())
    if y.shape[0] > 1:
        y = torch.relu(y)  # expect: TP409:24
    return y
