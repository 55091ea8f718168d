import torch
from torch import nn
from torch.nn.functional import cross_entropy


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 64)
        self.rnn = nn.LSTM(64, 128, batch_first=True)
        self.score = nn.Linear(128, tags)
        self.to_probabilities = nn.Softmax(dim=-1)  # expect: TP211:33

    def forward(self, tokens):
        hidden, _ = self.rnn(self.embed(tokens))
        return {"hidden": hidden, "tags": self.to_probabilities(self.score(hidden))}


def masked_loss(predicted, gold, tags):
    return cross_entropy(predicted.reshape(-1, tags), gold.reshape(-1), ignore_index=0)


def train(batches):
    tagger = Tagger(5000, 17)
    optimizer = torch.optim.Adam(tagger.parameters())
    for tokens, gold in batches:
        output = tagger(tokens)
        loss = masked_loss(output["tags"], gold, 17)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
