import torch
from torch import nn


class Trainer:
    def __init__(self, vocabulary):
        self.embed = nn.Embedding(vocabulary, 64)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, batch_first=True), 2)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.net = nn.Sequential(self.embed, self.encoder, nn.Linear(64, vocabulary)).to(self.device)
        self.optimizer = torch.optim.AdamW(self.net.parameters())

    def step(self, tokens):
        tokens = tokens.to(self.device)
        self.optimizer.zero_grad()
        scores = self.net(tokens[:, :-1])
        nn.functional.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten()).backward()
        self.optimizer.step()

    def fit(self, batches):
        for tokens in batches:  # expect: TP943:9
            self.step(tokens)
