import sys

import torch
import torch.distributed as dist

numbers = torch.zeros(4)
if sys.argv[1] == "send":
    dist.init_process_group("gloo", init_method="tcp://localhost:29500", rank=0, world_size=2)
    dist.send(torch.arange(4.0), dst=1)
else:
    dist.init_process_group("gloo", init_method="tcp://localhost:29500", rank=1, world_size=2)
    dist.recv(numbers, src=0)
    print(numbers)
if not dist.is_initialized():
    dist.init_process_group("gloo")
