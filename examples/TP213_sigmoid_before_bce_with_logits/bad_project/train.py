import torch
from torch import nn

from tagger import Tagger


def main(loader):
    tagger = Tagger(32, 10)
    optimizer = torch.optim.SGD(tagger.parameters(), lr=0.1)
    multilabel = nn.BCEWithLogitsLoss()
    for words, tags in loader:
        optimizer.zero_grad()
        loss = multilabel(tagger(words), tags)  # expect: TP213:16
        loss.backward()
        optimizer.step()
