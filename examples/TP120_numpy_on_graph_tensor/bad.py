"""Scores are drawn and counted as arrays, with their graph."""
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn

model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))


def plot(x):
    model.eval()
    prediction = model(x)  # expect: TP202:18
    plt.plot(x.numpy(), prediction.numpy())  # expect: TP120:25
    plt.show()


def probabilities(x):
    scores = torch.sigmoid(model(x))
    return np.asarray(scores)  # expect: TP120:12


def weights():
    return [model[0].weight.detach().numpy(), model[2].weight.detach().numpy()]


def run():
    x = torch.linspace(-1, 1, 50).unsqueeze(1)
    plot(x)
    print(probabilities(x).mean(), weights())


if __name__ == "__main__":
    run()
