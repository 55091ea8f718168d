import torch
from torch import nn


class CausalBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        steps = x.size(1)
        mask = torch.tril(torch.ones(steps, steps))
        out, _ = self.attention(x, x, x, attn_mask=mask)  # expect: TP225:52
        return out
