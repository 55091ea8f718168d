import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from engine import train_one_epoch

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data, seed=3))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.train()
for epoch in range(5):
    train_one_epoch(model, loader, optimizer)  # expect: TP707:5
