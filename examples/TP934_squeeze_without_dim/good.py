"""The dimension is named; the result is no batch; the batch was made of one example."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.head = nn.Linear(width, 1)
        self.criterion = nn.MSELoss()

    def forward(self, x, target):
        predicted = self.head(x).squeeze(-1)
        return self.criterion(predicted, target).squeeze()


@torch.inference_mode()
def predict_one(net: nn.Sequential, example):
    net.eval()
    return net(example.unsqueeze(0)).squeeze()


def first_pictures(images, labels):
    for batch, names in DataLoader(TensorDataset(images, labels), batch_size=16):
        picture, name = batch[0], names[0]
        yield picture.squeeze(), name, batch[1].squeeze()
