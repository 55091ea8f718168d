import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(256, 8)
loader = DataLoader(TensorDataset(features), batch_size=32, shuffle=True)  # expect: TP955:10
first = next(iter(loader))
