import torch

device = torch.device("cuda")
x = torch.randn(8, device=device)
kept = torch.where(x > 0, x, torch.zeros(8))  # expect: TP402:8
scaled = torch.mul(x, torch.ones(8))  # expect: TP402:10
