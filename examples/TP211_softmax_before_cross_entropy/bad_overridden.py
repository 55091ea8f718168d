import torch
import torch.nn.functional as F
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = self.make_head()

    def make_head(self):
        raise NotImplementedError

    def forward(self, x):
        return F.interpolate(self.head(x), scale_factor=2)


class Segmenter(Base):
    def make_head(self):
        return nn.Sequential(nn.Conv2d(3, 5, 1), nn.Softmax2d())  # expect: TP211:50


model = Segmenter()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def learn(x, y):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
