"""Detached and on the CPU, or never recorded."""
import numpy as np
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 3).to(device)


def predict(x):
    model.eval()
    with torch.no_grad():  # expect: TP913:10
        return model(x.to(device)).cpu().numpy()


def embed(x):
    return model(x.to(device)).detach().cpu().numpy()


def force(x):
    return model(x.to(device)).numpy(force=True)


@torch.inference_mode()
def scores(x):
    out = torch.softmax(model(x.to(device)), dim=1)
    return np.asarray(out.to("cpu"))


@torch.no_grad()  # expect: TP913:2
def confusion(x, labels):
    predicted = model(x.to(device)).argmax(1).cpu().numpy()
    matrix = np.zeros((3, 3))
    for truth, guess in zip(labels.numpy(), predicted):
        matrix[truth, guess] += 1
    return matrix


class Recorder:
    def __init__(self):
        self.losses = []

    def add(self, loss):
        self.losses.append(loss.item())

    def curve(self):
        return torch.tensor(self.losses).numpy()
