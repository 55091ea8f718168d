import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x))


def train(features, labels, sampler):
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters())
    data = TensorDataset(features, labels)
    for loader in (DataLoader(data, 64, shuffle=True), DataLoader(data, 64, sampler=sampler)):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()


def validate(net, features, labels):
    net.eval()
    with torch.inference_mode():
        return [net(x).argmax(1) == y for x, y in DataLoader(TensorDataset(features, labels), batch_size=64)]
