"""FSDP first, then the optimizer."""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("nccl")  # expect: TP971:1
torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())

model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
model = FSDP(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

for _ in range(100):
    x, y = torch.randn(32, 64, device="cuda"), torch.randint(0, 10, (32,), device="cuda")
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
dist.destroy_process_group()
