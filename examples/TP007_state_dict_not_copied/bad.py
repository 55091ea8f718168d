import torch
from torch import nn, optim

model = nn.Linear(10, 1)
optimizer = optim.Adam(model.parameters())
x, y = torch.randn(64, 10), torch.randn(64, 1)
best_loss, best_weights = float("inf"), None

for epoch in range(20):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    if loss.item() < best_loss:
        best_loss = loss.item()
        best_weights = model.state_dict()  # expect: TP007:24

model.load_state_dict(best_weights)
