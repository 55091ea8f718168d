import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 64)
        self.rnn = nn.LSTM(64, 64, num_layers=2, dropout=0.3, batch_first=True)
        self.out = nn.Linear(64, tags)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


def train_epoch(net, loader, optimizer):
    net.train()
    for ids, tags in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(ids).flatten(0, 1), tags.flatten()).backward()
        optimizer.step()


def evaluate(net, loader):
    net.train()  # expect: TP201:5
    hits = total = 0
    with torch.inference_mode():
        for ids, tags in loader:
            predicted = net(ids).argmax(-1)
            hits += predicted.eq(tags).sum().item()
            total += tags.numel()
    return hits / total


def main(train_loader, dev_loader):
    net = Tagger(1000, 17)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(5):
        train_epoch(net, train_loader, optimizer)
        print(evaluate(net, dev_loader))
