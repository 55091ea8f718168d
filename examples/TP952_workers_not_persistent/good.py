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


def train(paths, epochs):
    net = nn.Sequential(nn.Flatten(1), nn.Linear(64, 1), nn.Flatten(0))
    optimizer = torch.optim.AdamW(net.parameters())
    loader = DataLoader(Pictures(paths), 16, shuffle=True, num_workers=4, persistent_workers=True)
    for _ in range(epochs):
        for pictures, means in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(pictures), means).backward()
            optimizer.step()
