import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(x)


def score(path, rows):
    net = Scorer()
    net.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    net.cuda().eval()  # expect: TP942:5
    with torch.inference_mode():
        return net(rows.cuda()).cpu()
