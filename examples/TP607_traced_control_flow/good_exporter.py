import torch
from torch import nn


class Router(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.left = nn.Linear(width, width)
        self.right = nn.Linear(width, width)

    def forward(self, x):
        return self.left(x) if x.mean() > 0 else self.right(x)


class Classifier(nn.Module):
    def __init__(self, width=4, heads=2):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(width, width) for _ in range(heads))
        self.router = Router(width)

    def forward(self, x):
        for head in self.heads:
            x = head(x)
        return x

    def route(self, x):
        return self.router(x)


class Exporter:
    def __init__(self, model: nn.Module):
        self.model = model.eval()

    def export(self, path):
        torch.onnx.export(self.model, (torch.randn(1, 4),), path, dynamo=False)  # expect: TP961:9


def main():
    model = Classifier()
    Exporter(model).export("classifier.onnx")
    print(model.route(torch.randn(1, 4)))
