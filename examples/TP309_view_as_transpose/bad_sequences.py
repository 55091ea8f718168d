"""Batch first, please: but no time step moves."""
import torch


def swap(x):
    return x.view(x.size(1), x.size(0), -1)  # expect: TP309:12


def flip(matrix: torch.Tensor):
    return matrix.reshape(matrix.shape[1], matrix.shape[0])  # expect: TP309:12


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(16, 32, 2)
        self.out = torch.nn.Linear(32, 5)

    def forward(self, tokens):
        steps, batch, width = tokens.shape
        hidden, state = self.rnn(tokens)
        state = state.view(state.size(1), state.size(0), state.size(2))  # expect: TP309:17
        return self.out(hidden.view(batch, steps, 32)), state, width


if __name__ == "__main__":
    print(swap(torch.arange(12).view(3, 2, 2)), flip(torch.eye(3)), Tagger()(torch.rand(7, 2, 16)))
