import torch
from torch import nn


def gelu(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(1.702 * x)


net = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4))
batches = [torch.randn(8, 16) for _ in range(20)]

for batch in batches:
    out = torch.compile(net)(batch)  # expect: TP602:11

for step in range(100):
    fast = torch.compile(gelu, mode="reduce-overhead")  # expect: TP602:12
    fast(batches[step % 20])

for epoch in range(5):
    net = torch.compile(net)  # expect: TP602:11
    for batch in batches:
        net(batch)

for batch in batches:

    @torch.compile  # expect: TP602:6
    def shifted(x):
        return net(x) + 1

    print(shifted(batch).shape)
