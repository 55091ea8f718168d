import torch
import torch.nn.functional as F
from torch import nn


class Recognizer(nn.Module):
    def __init__(self, symbols):
        super().__init__()
        self.head = nn.Linear(32, symbols)

    def forward(self, steps):
        return self.head(steps)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(8, 1)
        self.var = nn.Linear(8, 1)

    def forward(self, x):
        return self.mean(x), self.var(x)


def recognition_loss(steps, labels, lengths, label_lengths):
    model = Recognizer(20)
    ctc = nn.CTCLoss(blank=0)
    scores = model(steps).permute(1, 0, 2)
    return ctc(scores, labels, lengths, label_lengths)  # expect: TP220:12


def smoothed(steps, labels, lengths, label_lengths, head):
    p = torch.softmax(head(steps), dim=2)  # expect: TP220:9
    return F.ctc_loss(p, labels, lengths, label_lengths)


def regression_loss(x, y):
    mean, var = Regressor()(x)
    return nn.GaussianNLLLoss()(mean, y, var)  # expect: TP220:12
