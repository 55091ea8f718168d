import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).eval()
torch.onnx.export(net, (torch.randn(1, 8),), "net.onnx", input_names=["rows"])  # expect: TP961:1
