import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset, Subset, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def fit(model, loader, optimizer, sampler=None, epochs=3):
    for epoch in range(epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for features, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(features), labels)
            loss.backward()
            optimizer.step()


def with_sampler(dataset: TensorDataset):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler, num_workers=2)  # expect: TP952:14
    model = DDP(nn.Linear(8, 3))
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1), sampler)


def divided_by_rank(dataset: TensorDataset):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mine = Subset(dataset, range(rank, len(dataset), world_size))
    loader = DataLoader(mine, batch_size=32, shuffle=True, num_workers=2)  # expect: TP952:14
    model = DDP(nn.Linear(8, 3))
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))


class Stream(IterableDataset):
    def __init__(self, source):
        self.source = source

    def __iter__(self):
        return iter(self.source)


def of_stream(source):
    loader = DataLoader(Stream(source), batch_size=32)  # expect: TP951:14
    model = DDP(nn.Linear(8, 3))
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))


def only_evaluated(dataset: TensorDataset):
    model = DDP(nn.Linear(8, 3)).eval()
    loader = DataLoader(dataset, batch_size=32, num_workers=2)
    correct = 0
    with torch.no_grad():
        for features, labels in loader:
            correct += (model(features).argmax(1) == labels).sum().item()
    return correct / len(dataset)


def only_distributed_if_asked(dataset: TensorDataset, distributed):
    model = nn.Linear(8, 3)
    if distributed:
        model = DDP(model)
        sampler = DistributedSampler(dataset)
        loader = DataLoader(dataset, batch_size=32, sampler=sampler, num_workers=2)  # expect: TP952:18
    else:
        sampler = None
        loader = DataLoader(dataset, batch_size=32, shuffle=True, num_workers=2)  # expect: TP952:18
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1), sampler)


def alone(dataset: TensorDataset):
    model = nn.Linear(8, 3)
    loader = DataLoader(dataset, batch_size=32, shuffle=True, num_workers=2)  # expect: TP952:14
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))
