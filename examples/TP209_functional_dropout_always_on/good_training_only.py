import torch.nn.functional as F
from torch import nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    def forward_train(self, x):
        return self.body(F.dropout(x, 0.1))

    def training_step(self, batch):
        x, y = batch
        return F.mse_loss(self.body(F.dropout(x, 0.1)), y)

    def forward(self, x):
        return self.body(x)
