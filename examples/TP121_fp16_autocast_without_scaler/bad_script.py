"""The default of CUDA, and float16 by name."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 2)).to(device)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss()
batches = [(torch.randn(4, 10), torch.randint(0, 2, (4,))) for _ in range(8)]

for x, y in batches:
    optimizer.zero_grad()
    with torch.autocast("cuda"):  # expect: TP121:10
        loss = criterion(model(x.to(device)), y.to(device))
    loss.backward()
    optimizer.step()

for x, y in batches:
    optimizer.zero_grad()
    with torch.autocast(device_type=device.type, dtype=torch.float16):  # expect: TP121:10
        outputs = model(x.to(device))
        loss = criterion(outputs, y.to(device))
    loss.backward()
    optimizer.step()
