import torch
import torch.nn.functional as F
from torch import nn


class Segmenter(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes
        self.net = nn.Conv2d(3, classes, 1)

    def forward(self, x):
        scores = self.net(x).view(-1, self.classes, 32, 32)
        return F.log_softmax(scores, dim=-1)  # expect: TP211:16


def train_step(model, optimizer, images, masks):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(images), masks)
    loss.backward()
    optimizer.step()
    return loss.item()


def main(images, masks):
    model = Segmenter(4)
    return train_step(model, torch.optim.SGD(model.parameters(), lr=0.1), images, masks)
