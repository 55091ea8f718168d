import torch
from torch import nn

torch.manual_seed(7)  # expect: TP903:1

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(16, 4).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(100):
    optimizer.zero_grad()
    net(torch.rand(8, 16, device=device)).square().mean().backward()
    optimizer.step()
