"""A model on the GPU, its batches on the CPU."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

features = torch.randn(512, 20)
labels = torch.randint(0, 3, (512,))
loader = DataLoader(TensorDataset(features, labels), batch_size=32, shuffle=True, num_workers=2)

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 3)).cuda()  # expect: TP942:9
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for x, y in loader:
    optimizer.zero_grad()
    loss = criterion(model(x), y)  # expect: TP402:12, TP402:22
    loss.backward()
    optimizer.step()
