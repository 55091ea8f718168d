import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")  # expect: TP971:1
rank = int(os.environ["LOCAL_RANK"])
total = torch.ones(1)
dist.all_reduce(total)
print(rank, total.item())
dist.destroy_process_group()
