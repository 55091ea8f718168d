"""Boolean masks, float masks with very negative numbers, masks that change nothing, and unknown ones."""
import torch
import torch.nn.functional as F
from torch import nn


def future(steps):
    mask = torch.triu(torch.ones(steps, steps), diagonal=1)
    return mask.masked_fill(mask == 1, float("-inf"))


class Encoder(nn.Module):
    def __init__(self, width, longest):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 4), 2)
        self.attention = nn.MultiheadAttention(width, 4)
        self.register_buffer("allowed", torch.tril(torch.ones(longest, longest, dtype=torch.bool)))

    def forward(self, x, ids, mask=None):
        steps = x.size(0)
        kept = (ids != 0).to(x.dtype)
        x = self.encoder(x, future(steps), ids == 0)
        x = self.encoder(x, mask=nn.Transformer.generate_square_subsequent_mask(steps), src_key_padding_mask=mask)
        x, _ = self.attention(x, x, x, key_padding_mask=(1 - kept) * -1e9)
        x, _ = self.attention(x, x, x, attn_mask=torch.zeros(steps, steps), key_padding_mask=torch.ones(1, steps))
        x, _ = self.attention(x, x, x, attn_mask=torch.triu(torch.full((steps, steps), float("-inf")), diagonal=1))
        x = F.scaled_dot_product_attention(x, x, x, self.allowed[:steps, :steps])
        x = F.scaled_dot_product_attention(x, x, x, attn_mask=torch.tril(torch.ones(steps, steps)).log())
        weights = kept.clone()
        weights.mul_(-1e9)
        return F.scaled_dot_product_attention(x, x, x, attn_mask=weights)


def with_scores(attention: nn.MultiheadAttention, x, scores_mask, padding):
    out, _ = attention(x, x, x, attn_mask=scores_mask.float(), key_padding_mask=padding)
    return out


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(8, 8)

    def forward(self, x, attn_mask):
        return self.inner(x) * attn_mask


def use(x):
    return Own()(x, attn_mask=torch.tril(torch.ones(8, 8)))
