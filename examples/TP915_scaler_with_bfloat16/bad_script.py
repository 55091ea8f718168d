import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters())
scaler = torch.amp.GradScaler(device)  # expect: TP915:10
for _ in range(100):
    optimizer.zero_grad()
    with torch.autocast(device, dtype=torch.bfloat16):
        loss = model(torch.rand(4, 8, device=device)).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
