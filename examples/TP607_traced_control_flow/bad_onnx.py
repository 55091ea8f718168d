import torch
from nets.gates import Gate
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate(4)

    def forward(self, x):
        return self.gate(x)  # expect: TP607:16


class Exporter:
    def __init__(self, path):
        self.path = path

    def export(self, model: nn.Module):
        torch.onnx.export(model, (torch.randn(1, 4),), self.path, dynamo=False)  # expect: TP961:9


def main():
    Exporter("net.onnx").export(Net().eval())
    gate = Gate(4)
    gate.eval()
    torch.onnx.export(gate, (torch.randn(1, 4),), "gate.onnx", dynamo=False)  # expect: TP607:5, TP961:5
