"""Four batches for a step, in a script."""
import torch
from torch import nn

model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(8, 4), torch.randint(0, 2, (8,))) for _ in range(12)]

optimizer.zero_grad()
for i, (x, y) in enumerate(batches):
    loss = criterion(model(x), y)
    loss.backward()  # expect: TP114:5
    if (i + 1) % 4 == 0 or i + 1 == len(batches):
        optimizer.step()
        optimizer.zero_grad()
