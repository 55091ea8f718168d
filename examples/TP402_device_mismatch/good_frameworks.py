"""Accelerate, Lightning and the wrapper for several processes move what a module is given."""
import lightning
import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset

DATA = TensorDataset(torch.rand(64, 3), torch.rand(64, 1))


def accelerated():
    accelerator = Accelerator()
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(DATA, batch_size=4, num_workers=2)  # expect: TP956:14
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        accelerator.backward(loss)
        optimizer.step()


def parallel(rank):
    loader = DataLoader(DATA, batch_size=4, num_workers=2)
    wrapped = DistributedDataParallel(nn.Linear(3, 1).to(rank), device_ids=[rank])
    for x, y in loader:
        print(F.mse_loss(wrapped(x), y.to(rank)))


class Lit(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.mse_loss(self.net(x), y)

    def train_dataloader(self):
        return DataLoader(DATA, batch_size=4, num_workers=2)


def fabric():
    engine = lightning.Fabric(accelerator="cuda")
    model, optimizer = engine.setup(nn.Linear(3, 1))
    loader = engine.setup_dataloaders(DataLoader(DATA, batch_size=4, num_workers=2))
    for x, y in loader:
        print(F.mse_loss(model(x), y), optimizer)
