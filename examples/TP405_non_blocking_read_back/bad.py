"""The predictions of a batch as an array."""
import numpy as np
import torch
from torch import nn

net = nn.Linear(10, 2).cuda().eval()  # expect: TP942:7
batch = torch.randn(64, 10, device="cuda")
with torch.no_grad():  # expect: TP913:6
    scores = net(batch).to("cpu", non_blocking=True)
print(np.asarray(scores).argmax(axis=1))  # expect: TP405:7
