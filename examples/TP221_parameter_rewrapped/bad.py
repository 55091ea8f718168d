import torch.nn.functional as F
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, tokens, bias=False)
        self.head.weight = nn.Parameter(self.embed.weight)  # expect: TP221:28

    def forward(self, ids):
        hidden, _ = self.rnn(self.embed(ids))
        return self.head(hidden)


class Autoencoder(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        encoder = nn.Linear(inputs, hidden)
        decoder = nn.Linear(hidden, inputs)
        decoder.weight = nn.Parameter(encoder.weight.t())  # expect: TP221:26
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, x):
        return self.decoder(F.relu(self.encoder(x)))


def tie(model: LanguageModel):
    model.head.weight = nn.Parameter(model.embed.weight.data)  # expect: TP221:25
    return model
