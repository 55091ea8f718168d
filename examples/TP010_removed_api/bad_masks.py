import torch
from torch import nn


def attention(query, key, value, lengths):
    scores = torch.bmm(query, key.transpose(1, 2))
    mask = torch.arange(key.size(1)).expand(len(lengths), -1) >= lengths.unsqueeze(1)
    mask = mask.byte()
    scores.masked_fill_(mask.unsqueeze(1), float("-inf"))  # expect: TP010:5
    return torch.bmm(scores.softmax(dim=-1), value)


class CausalBlock(nn.Module):
    def __init__(self, length: int) -> None:
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(length, length, dtype=torch.uint8)))

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return scores.masked_fill(1 - self.mask, -1e9)  # expect: TP010:16


def drop_padding(tokens: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
    keep = (tokens != 0).to(torch.uint8)
    logits[1 - keep] = 0.0  # expect: TP010:5
    return torch.masked_select(tokens, keep)  # expect: TP010:12
