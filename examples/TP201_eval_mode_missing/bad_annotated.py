import torch
from torch import nn
from torch.utils.data import DataLoader


def predict(model: nn.Module, loader):
    found = []
    with torch.no_grad():  # expect: TP913:10
        for x in loader:
            found.append(model(x))  # expect: TP201:26
    return torch.cat(found)


def main(data):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(), nn.Linear(3, 1))
    model.load_state_dict(torch.load("model.pt", map_location="cpu"))
    print(predict(model, DataLoader(data)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))

    def forward(self, x):
        return self.layers(x)

    @torch.no_grad()  # expect: TP913:6
    def label(self, x):
        return self(x).argmax(1)  # expect: TP201:16


net = Net()
net.load_state_dict(torch.load("net.pt", map_location="cpu"))
print(net.label(torch.zeros(1, 4)).tolist())
