import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 14), nn.Sigmoid())  # expect: TP213:41
criterion = nn.MultiLabelSoftMarginLoss()
loss = criterion(model(torch.zeros(2, 4)), torch.zeros(2, 14))
