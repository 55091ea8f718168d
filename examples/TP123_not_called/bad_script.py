"""A training script that lost some of its parentheses."""
import torch
import torch.nn.functional as F
from torch import nn

net = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.1), nn.Linear(16, 3))
optimizer = torch.optim.Adam(net.parameters())
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
batches = [(torch.randn(8, 4), torch.randint(3, (8,))) for _ in range(10)]

for epoch in range(20):
    net.train  # expect: TP123:5
    for inputs, targets in batches:
        loss = F.cross_entropy(net(inputs), targets)
        optimizer.zero_grad  # expect: TP123:9
        loss.backward()
        optimizer.step  # expect: TP123:9
    scheduler.step  # expect: TP123:5

net.eval  # expect: TP123:1
with torch.no_grad():
    print(net(batches[0][0]).argmax(dim=1))
torch.cuda.empty_cache  # expect: TP123:1
