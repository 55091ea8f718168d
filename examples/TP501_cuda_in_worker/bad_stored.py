"""Data that lie on the GPU are read by workers; an encoder runs there."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=4)
parser.add_argument("--device", default="cuda")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 8)

    def forward(self, x):
        return self.layer(x)


class Encoded(Dataset):
    def __init__(self, rows, device):
        self.rows = torch.as_tensor(rows)
        self.encoder = Encoder()
        self.encoder.to(device)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        with torch.no_grad():
            return self._encode(index)

    def _encode(self, index):
        return self.encoder(self.rows[index])  # expect: TP501:16


def main():
    args = parser.parse_args()
    encoded = DataLoader(Encoded([[0.0] * 32], args.device), batch_size=8, num_workers=args.workers)
    x = torch.randn(256, 32).cuda()  # expect: TP945:9
    y = torch.randint(0, 2, (256,)).cuda()  # expect: TP945:9
    train, test = random_split(TensorDataset(x, y), [200, 56])
    return encoded, DataLoader(train, 8, shuffle=True, num_workers=2), DataLoader(test)  # expect: TP501:21
