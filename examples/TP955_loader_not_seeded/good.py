import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(256, 8)
order = torch.Generator().manual_seed(0)
loader = DataLoader(TensorDataset(features), batch_size=32, shuffle=True, generator=order)
plain = DataLoader(TensorDataset(features), batch_size=32, shuffle=False)
