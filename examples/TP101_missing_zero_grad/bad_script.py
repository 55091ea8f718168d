"""Fits a line. Nothing ever clears the gradients."""
import torch
from torch import nn

x = torch.linspace(-1.0, 1.0, 64).unsqueeze(1)
y = 3.0 * x + 0.5

model = nn.Linear(1, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for step in range(200):
    loss = criterion(model(x), y)
    loss.backward()  # expect: TP101:5
    optimizer.step()
    if step % 50 == 0:
        print(step, loss.item())
