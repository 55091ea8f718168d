from torch import nn


class Regression(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 1)

    def forward(self, x):
        return self.body(x)

    @staticmethod
    def train(model, batches):  # expect: TP222:5
        for x in batches:
            model(x).sum().backward()
