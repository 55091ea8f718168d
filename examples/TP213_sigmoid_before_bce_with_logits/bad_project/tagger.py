from torch import nn


class Tagger(nn.Module):
    def __init__(self, width, tags):
        super().__init__()
        self.rnn = nn.GRU(width, 64, batch_first=True)
        self.out = nn.Linear(64, tags)
        self.activation = nn.Sigmoid()

    def forward(self, words):
        states, _ = self.rnn(words)
        return self.activation(self.out(states[:, -1]))
