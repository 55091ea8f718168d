import torch
import torch._inductor.config as inductor
from torch import nn

inductor.triton.cudagraph_skip_dynamic_graphs = True

net = nn.Linear(8, 8).cuda()  # expect: TP942:7
fast = torch.compile(net, mode="reduce-overhead", dynamic=True)
for size in range(1, 100):
    fast(torch.randn(size, 8, device="cuda"))
