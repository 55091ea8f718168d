"""Each process is to use the GPU of its rank."""
import os

import torch

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.device(rank)  # expect: TP410:1
weights = torch.randn(1000, 1000).cuda()
print(weights.device)
