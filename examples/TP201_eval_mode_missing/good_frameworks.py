import lightning as L
import torch
from torch import nn


class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))

    def training_step(self, batch, _):
        x, y = batch
        return nn.functional.cross_entropy(self.net(x), y)

    def validation_step(self, batch, _):
        x, y = batch
        self.log("acc", (self.net(x).argmax(1) == y).float().mean().item())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
