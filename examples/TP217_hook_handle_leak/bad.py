import torch
from torch import nn

features = {}


def keep(module, inputs, output):
    features["last"] = output.detach()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        self.body.register_forward_hook(keep)  # expect: TP217:9
        return self.head(self.body(x))


def extract(model, x):
    handle = model.head.register_forward_hook(keep)  # expect: TP217:14
    with torch.no_grad():
        model(x)
    return features["last"]


def main(batches, epochs):
    model = Net()
    model.eval()
    found = []
    for x in batches:
        found.append(extract(model, x))
    for _ in range(epochs):
        for layer in model.children():
            layer.register_forward_pre_hook(print)  # expect: TP217:13
        model.body.register_full_backward_hook(print)  # expect: TP217:9
    return found
