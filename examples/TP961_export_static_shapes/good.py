import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).eval()
example = torch.randn(1, 8)
torch.onnx.export(net, (example,), "net.onnx", dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
torch.onnx.export(net, (example,), "old.onnx", input_names=["x"], dynamic_axes={"x": {0: "batch"}}, dynamo=False)
torch.onnx.export(net, (example,), "one.onnx", dynamic_shapes=None)
