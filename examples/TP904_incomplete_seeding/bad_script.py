import numpy as np
import torch
from torch import nn

torch.manual_seed(42)  # expect: TP904:1

features = torch.rand(100, 8)
order = np.random.permutation(100)
train, held_out = order[:80], order[80:]
net = nn.Linear(8, 2)
print(net(features[train]).mean().item(), len(held_out))
