"""Built for each batch, and built for each epoch."""
import torch
import torch.nn as nn
from torch import optim

model = nn.Linear(4, 1)
criterion = nn.MSELoss()
batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(10)]

for x, y in batches:
    optimizer = optim.Adam(model.parameters(), lr=1e-3)  # expect: TP124:17
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()

learning_rate = 0.1
for epoch in range(20):
    learning_rate *= 0.9
    momentum_optimizer = optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9)  # expect: TP124:26
    for x, y in batches:
        momentum_optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        momentum_optimizer.step()
