import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        scores = self.out(x)
        return scores if self.training else torch.sigmoid(scores)

    @torch.no_grad()
    def predict(self, x):
        self.eval()
        return torch.sigmoid(self.out(x))


class Head(nn.Module):
    def __init__(self, with_sigmoid):
        super().__init__()
        self.out = nn.Linear(8, 1)
        self.activation = nn.Sigmoid() if with_sigmoid else nn.Identity()

    def forward(self, x):
        return self.activation(self.out(x))


def criterion_for(head_has_sigmoid):
    return nn.BCELoss() if head_has_sigmoid else nn.BCEWithLogitsLoss()


def fit(loader, with_sigmoid):
    scorer, head = Scorer(), Head(with_sigmoid)
    parameters = [*scorer.parameters(), *head.parameters()]
    optimizer = torch.optim.Adam(parameters)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.BCEWithLogitsLoss()(scorer(x), y) + criterion_for(with_sigmoid)(head(x), y)
        loss.backward()
        optimizer.step()
