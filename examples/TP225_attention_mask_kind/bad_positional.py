import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)
x = torch.randn(4, 1, 8)
future = torch.triu(torch.ones(4, 4), diagonal=1)
y = encoder(x, future)  # expect: TP225:16
