"""A script that adds up its loss, as the first tutorial of many people does."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(5)]

history = []
for epoch in range(2):
    running_loss = 0.0
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        running_loss += loss  # expect: TP103:9
        history.append(loss)  # expect: TP103:9
    print(f"epoch {epoch}: {running_loss / len(batches):.3f}")
print(sum(history) / len(history))
