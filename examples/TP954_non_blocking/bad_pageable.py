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
    def __init__(self, paths, device):
        self.device = device if torch.cuda.is_available() else "cpu"
        self.net = nn.Sequential(nn.Flatten(1), nn.Linear(64, 1), nn.Flatten(0))
        self.net.to("cuda")
        self.optimizer = torch.optim.AdamW(self.net.parameters())
        self.loader = DataLoader(Pictures(paths), batch_size=16, shuffle=True, num_workers=4)  # expect: TP953:23

    def fit(self):
        for pictures, means in self.loader:
            pictures = pictures.to("cuda", non_blocking=True)  # expect: TP954:24
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(pictures), means.to("cuda", non_blocking=True)).backward()
            self.optimizer.step()
