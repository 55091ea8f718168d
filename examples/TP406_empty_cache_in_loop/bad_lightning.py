import pytorch_lightning as pl
import torch
from torch import nn


class Regression(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 1)

    def training_step(self, batch, number):
        torch.cuda.empty_cache()  # expect: TP406:9
        return self.body(batch).square().mean()

    def on_train_epoch_end(self):
        torch.cuda.empty_cache()
