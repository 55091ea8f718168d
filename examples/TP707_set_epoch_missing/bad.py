import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler
from tqdm import tqdm


def make_loader(data, distributed):
    sampler = DistributedSampler(data) if distributed else None
    return DataLoader(data, batch_size=8, sampler=sampler, shuffle=sampler is None)


def train(rank, epochs):
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    loader = make_loader(data, distributed=True)
    model = DDP(nn.Linear(4, 1).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in tqdm(loader):  # expect: TP707:9
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x.to(rank)), y.to(rank)).backward()
            optimizer.step()


class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        batches = BatchSampler(DistributedSampler(data, shuffle=True), 8, drop_last=True)
        self.loader = DataLoader(data, batch_sampler=batches)

    def run_epoch(self):
        for step, (x, y) in enumerate(self.loader):  # expect: TP707:9
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()

    def fit(self, epochs):
        epoch = 0
        while epoch < epochs:
            self.run_epoch()
            epoch += 1


if __name__ == "__main__":
    train(0, 10)
    Trainer(nn.Linear(4, 1), TensorDataset(torch.randn(64, 4), torch.randn(64, 1))).fit(3)
