import warnings

import torch
from torch import nn


def with_dropout():
    return nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.2), nn.Linear(16, 1))


def after_eval():
    model = with_dropout()
    model.eval()
    torch.onnx.export(model, (torch.rand(1, 8),), "model.onnx")  # expect: TP961:5


def by_the_old_exporter():
    model = with_dropout()
    model.train()
    torch.onnx.export(model, (torch.rand(1, 8),), "model.onnx", dynamo=False)  # expect: TP961:5


def trained_after_tracing(batches):
    with warnings.catch_warnings(action="ignore"):  # TorchScript is deprecated
        model = torch.jit.trace(with_dropout(), torch.rand(1, 8))
    for x in batches:
        model(x).sum().backward()


def same_in_both_modes():
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
    model.train()
    torch.onnx.export(model, (torch.rand(1, 8),), "model.onnx")  # expect: TP961:5


def from_out_of_view(load):
    model = load("model.pt")
    torch.onnx.export(model, (torch.rand(1, 8),), "model.onnx")  # expect: TP961:5
