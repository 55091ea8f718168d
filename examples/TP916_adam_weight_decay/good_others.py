"""Optimizers for which the penalty and the decay are one."""
from torch import nn
from torch.optim import SGD, Adam

net = nn.Linear(3, 3)
plain = SGD(net.parameters(), lr=0.1, weight_decay=1e-4)
adam = Adam(net.parameters(), lr=1e-3)
