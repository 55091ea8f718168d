import torch
from torch import nn, optim


class SpamFilter(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(300, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x)


model = SpamFilter()
criterion = nn.CrossEntropyLoss()  # expect: TP226:13
optimizer = optim.Adam(model.parameters(), lr=1e-3)
for _ in range(10):
    x, y = torch.randn(8, 300), torch.zeros(8, dtype=torch.long)
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
