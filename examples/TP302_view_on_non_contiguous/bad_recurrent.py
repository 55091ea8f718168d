import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags, width=64):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.head = nn.Linear(width, tags)
        self.width = width

    def forward(self, sentence):
        x = self.embed(sentence)
        out, _ = self.lstm(x)
        flat = out.view(-1, self.width)  # expect: TP302:16
        return self.head(flat)


x = torch.arange(12).view(3, 4)
print(x.t().view(12))  # expect: TP302:7
print(x.T.view(2, 6))  # expect: TP302:7
print(torch.zeros(3, 4).t().view_as(x))  # expect: TP302:7
