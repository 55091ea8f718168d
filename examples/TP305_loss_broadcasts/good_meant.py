"""Broadcasting that is meant: scalars, rows, variances, outer differences."""
import torch
import torch.nn as nn
import torch.nn.functional as F

positions = torch.randn(50)
rows = torch.randn(50, 4)
mean = nn.Linear(4, 1)

scalar = F.mse_loss(mean(rows), torch.tensor(1.0))
real = F.mse_loss(mean(rows), torch.ones(1))
centred = ((rows - rows.mean(dim=0)) ** 2).mean()
standard = ((rows - rows.mean(dim=1, keepdim=True)) ** 2).mean()
likelihood = F.gaussian_nll_loss(rows, rows + 1, rows.var(dim=1, keepdim=True))
apart = ((positions[:, None] - positions[None]) ** 2).mean()
gaps = (positions.unsqueeze(1) - positions).abs().sum()
pairs = ((rows.unsqueeze(1) - rows) ** 2).sum(-1)
labels = torch.randint(0, 3, (50,)).view(-1, 1)
same = (labels == labels.t()).sum()
distances = torch.exp(-(labels.float() - positions).pow(2)).mean()
logits = F.binary_cross_entropy_with_logits(mean(rows).squeeze(1), torch.ones(50))
