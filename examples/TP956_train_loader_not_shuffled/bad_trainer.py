import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        picture = torch.load(self.paths[index], weights_only=True)
        return picture, picture.mean()


class Trainer:
    def __init__(self, paths):
        self.net = nn.Sequential(nn.Flatten(1), nn.Linear(64, 1), nn.Flatten(0))
        self.optimizer = torch.optim.AdamW(self.net.parameters())
        self.loader = DataLoader(Pictures(paths), 16, num_workers=4, persistent_workers=True)  # expect: TP956:23

    def step(self, pictures, means):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.net(pictures), means).backward()
        self.optimizer.step()

    def fit(self):
        for epoch in range(5):
            for index, (pictures, means) in enumerate(self.loader):
                self.step(pictures, means)
