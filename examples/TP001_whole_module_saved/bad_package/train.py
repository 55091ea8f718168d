"""The modules are handed to helpers in another file."""
import torch
from helpers import save_checkpoint
from torch import nn


def run(epochs):
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    ema = torch.optim.swa_utils.AveragedModel(net)
    for epoch in range(epochs):
        save_checkpoint({"epoch": epoch, "net": net}, "last.pt")  # expect: TP001:49
    save_checkpoint(dict(ema=ema, epochs=epochs), "ema.pt")  # expect: TP001:30


run(2)
