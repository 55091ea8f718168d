"""Arrays of what is on the GPU: on a machine without one nobody notices."""
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Predictor:
    def __init__(self):
        self.net = nn.Linear(4, 3).to(device)
        self.net.eval()

    @torch.no_grad()  # expect: TP913:6
    def predict(self, rows):
        batch = torch.tensor(rows, dtype=torch.float32).to(device)
        scores = self.net(batch)
        return scores.numpy()  # expect: TP120:16

    def scores(self, rows):
        batch = torch.tensor(rows, dtype=torch.float32, device=device)
        return np.array(self.net(batch).cpu())  # expect: TP120:16


def grid():
    points = torch.linspace(0, 1, 20, device="cuda")
    return points.numpy()  # expect: TP120:12


if __name__ == "__main__":
    rows = [[0.0, 1.0, 2.0, 3.0]]
    print(Predictor().predict(rows), Predictor().scores(rows), grid())
