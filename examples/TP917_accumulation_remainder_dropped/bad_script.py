"""Ten batches, four to a step."""
import torch
from torch import nn

K = 4
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.randn(8, 1))
    (loss / K).backward()
    due = (step + 1) % K == 0
    if due:  # expect: TP917:5
        optimizer.step()
        optimizer.zero_grad()
