"""The derived class makes loaders of its own."""
from torch import nn, optim
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


class Engine:
    def __init__(self, model: nn.Module, data):
        self.model = DistributedDataParallel(model)
        self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = self.make_loader(data)

    def make_loader(self, data):
        return DataLoader(data, batch_size=8, shuffle=True)  # expect: TP951:16


class Training(Engine):
    def make_loader(self, data):
        self.sampler = DistributedSampler(data)
        return DataLoader(data, batch_size=8, sampler=self.sampler)  # expect: TP951:16

    def fit(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for x, y in self.loader:
                self.optimizer.zero_grad()
                mse_loss(self.model(x), y).backward()
                self.optimizer.step()
