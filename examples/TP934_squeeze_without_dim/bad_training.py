import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(features, targets, device):
    net = nn.Sequential(nn.Linear(8, 1)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    loader = DataLoader(TensorDataset(features, targets), batch_size=32, shuffle=True, num_workers=0)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(net(x).squeeze(), y.squeeze())  # expect: TP934:26, TP934:44
        loss.backward()
        optimizer.step()
