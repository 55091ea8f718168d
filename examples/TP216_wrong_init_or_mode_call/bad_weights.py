import torch
from torch import nn
from torch.nn import init


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.query = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size)
        self.weight = nn.Parameter(torch.empty(size, size))
        self.bias = nn.Parameter(torch.empty(size))
        self.reset()

    def reset(self):
        init.xavier_uniform_(self.weight)
        init.xavier_uniform_(self.bias)  # expect: TP216:9
        init.zeros_(self.query)  # expect: TP216:9

    def forward(self, x):
        return self.norm(self.query(x) @ self.weight + self.bias)


def init_weights(m):
    if isinstance(m, (nn.Conv2d, nn.Linear)):
        init.kaiming_normal_(m.weight, mode="fan-in", nonlinearity="relu")  # expect: TP216:9
        init.kaiming_uniform_(m.bias.data)  # expect: TP216:9
    elif type(m) == nn.BatchNorm2d:
        init.orthogonal_(m.weight)  # expect: TP216:9


def init_all():
    for name in ("a", "b"):
        print(name)


def build(size):
    model = nn.Sequential(Attention(size), nn.GELU(), nn.Linear(size, size))
    model.apply(init_weights)
    model.apply(init_all())  # expect: TP216:17
    model[2].apply(init.xavier_normal_)  # expect: TP216:20
    init.xavier_normal_(model[2].weight, gain=init.calculate_gain("gelu"))  # expect: TP216:47
    return model
