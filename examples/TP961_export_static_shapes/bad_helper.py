import torch
from torch import onnx


class Exporter:
    def __init__(self, net, size):
        self.net = net
        self.example = torch.randn(1, 3, size, size)

    def write(self, path):
        self.net.eval()
        onnx.export(  # expect: TP961:9
            self.net,
            self.example,
            path,
            opset_version=17,
        )
