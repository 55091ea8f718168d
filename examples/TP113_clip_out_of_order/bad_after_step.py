"""A recurrent tagger: the clipping sits where the logging is, after the optimizer has stepped."""
import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 64)
        self.rnn = nn.GRU(64, 128, batch_first=True)
        self.head = nn.Linear(128, tags)

    def forward(self, tokens):
        states, _ = self.rnn(self.embed(tokens))
        return self.head(states)


def train(model, batches, epochs, max_norm=5.0):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for step, (tokens, tags) in enumerate(batches):
            loss = F.cross_entropy(model(tokens).flatten(0, 1), tags.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # expect: TP113:20
            if step % 100 == 0:
                print(f"epoch {epoch} loss {loss.item():.3f} norm {norm:.2f}")


if __name__ == "__main__":
    train(Tagger(5_000, 17), [(torch.randint(5_000, (8, 20)), torch.randint(17, (8, 20)))], epochs=3)
