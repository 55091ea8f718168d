"""States and positions that forward makes on the CPU, whatever device its input is on."""
import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, words: int, tags: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, 64)
        self.positions = nn.Embedding(512, 64)
        self.lstm = nn.LSTM(64, 128, batch_first=True)
        self.out = nn.Linear(128, tags)

    def forward(self, tokens):
        hidden = (torch.zeros(1, tokens.size(0), 128), torch.zeros(1, tokens.size(0), 128))
        positions = torch.arange(tokens.size(1))
        embedded = self.embedding(tokens) + self.positions(positions)  # expect: TP402:45
        output, _ = self.lstm(embedded, hidden)  # expect: TP402:21
        return self.out(output)


def main() -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Tagger(1000, 12).to(device)
    tokens = torch.randint(0, 1000, (4, 20), device=device)
    print(model(tokens).shape)


if __name__ == "__main__":
    main()
