import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm


class Sentences(Dataset):
    def __init__(self, lines):
        self.lines = lines

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return self.lines[index]


class Trainer:
    def __init__(self, model, lines, learning_rate):
        self.model = FullyShardedDataParallel(model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=learning_rate)
        self.loader = DataLoader(Sentences(lines), batch_size=16, num_workers=4)  # expect: TP706:23, TP952:23, TP956:23

    def run_batch(self, batch):
        self.optimizer.zero_grad()
        output = self.model(batch)
        loss = nn.functional.mse_loss(output, batch)
        loss.backward()
        self.optimizer.step()

    def fit(self, epochs):
        for _ in range(epochs):
            for batch in tqdm(self.loader):
                self.run_batch(batch)
