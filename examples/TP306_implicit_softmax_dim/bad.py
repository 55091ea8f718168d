"""An actor over batches of histories: three dimensions, so the softmax goes over the batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.functional import log_softmax as normalize


class Actor(nn.Module):
    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(features, 32, batch_first=True)
        self.head = nn.Linear(32, actions)

    def forward(self, histories):
        states, _ = self.rnn(histories)
        return F.softmax(self.head(states))  # expect: TP306:16


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(),
            nn.Linear(64, 10),
            nn.LogSoftmax(),  # expect: TP306:13
        )
        self.attend = torch.nn.Softmax(dim=None)  # expect: TP306:23

    def forward(self, images):
        return self.body(images)


def entropy(scores):
    weights = F.softmin(  # expect: TP306:15
        scores,
        dtype=torch.float64,
    )
    return -(weights * normalize(scores)).sum()  # expect: TP306:24
