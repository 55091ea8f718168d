import torch
from torch import nn

net = nn.Linear(10, 2)
decay = 1e-2
optimizer = torch.optim.Adam(net.parameters(), lr=3e-4, weight_decay=decay)  # expect: TP916:13
