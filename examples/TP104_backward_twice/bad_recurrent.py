"""A character model that hands its hidden state from batch to batch."""
import torch
import torch.nn.functional as F
from torch import nn


class CharModel(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.embed = nn.Embedding(96, size)
        self.rnn = nn.LSTM(size, size, batch_first=True)
        self.head = nn.Linear(size, 96)

    def forward(self, chars, state):
        out, state = self.rnn(self.embed(chars), state)
        return self.head(out), state


def train(batches, size=128):
    model = CharModel(size)
    optimizer = torch.optim.Adam(model.parameters())
    state = (torch.zeros(1, 32, size), torch.zeros(1, 32, size))
    for chars, following in batches:
        optimizer.zero_grad()
        logits, state = model(chars, state)
        loss = F.cross_entropy(logits.flatten(0, 1), following.flatten())
        loss.backward()  # expect: TP104:9
        optimizer.step()
