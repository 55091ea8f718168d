"""The backward pass stands after the loop."""
import torch
from torch import nn

model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())
batches = [(torch.randn(8, 4), torch.randint(0, 2, (8,))) for _ in range(10)]

for epoch in range(5):
    optimizer.zero_grad()
    for x, y in batches:
        output = model(x)
        loss = criterion(output, y)  # expect: TP126:9
    loss.backward()
    optimizer.step()
