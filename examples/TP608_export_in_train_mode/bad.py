import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.drop(self.body(x)))


def to_onnx(model, path):
    torch.onnx.export(model, (torch.rand(1, 8),), path)  # expect: TP608:5, TP961:5


def to_script(model, path):
    traced = torch.jit.trace(model, torch.rand(1, 8))  # expect: TP011:14, TP608:14
    traced.save(path)


def main():
    model = Tagger(3)
    model.load_state_dict(torch.load("tagger.pt"))
    to_onnx(model, "tagger.onnx")
    to_script(model, "tagger.ts")
    torch.export.save(torch.export.export(model, (torch.rand(1, 8),)), "tagger.pt2")  # expect: TP608:23
