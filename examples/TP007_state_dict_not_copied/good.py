import copy

import torch
from torch import nn, optim

model = nn.Linear(10, 1)
optimizer = optim.Adam(model.parameters())
x, y = torch.randn(64, 10), torch.randn(64, 1)
best_loss, best_weights, best_values = float("inf"), None, None

for epoch in range(20):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    if loss.item() < best_loss:
        best_loss = loss.item()
        best_weights = copy.deepcopy(model.state_dict())
        best_values = {name: value.detach().clone() for name, value in model.state_dict().items()}
        state = model.state_dict()
        torch.save(state, "best.pt")

model.load_state_dict(best_weights)
model.load_state_dict(best_values)

last = model.state_dict()
torch.save(last, "last.pt")
