import torch
import torch.nn as nn

PAD = 0


def padding_mask(ids):
    return (ids != PAD).float()


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, 4)
        self.embed = nn.Embedding(1000, width)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.decoder = nn.TransformerDecoderLayer(width, 4)

    def encode(self, ids, mask):
        return self.encoder(self.embed(ids), src_key_padding_mask=mask)  # expect: TP225:67

    def forward(self, ids, wanted):
        memory = self.encode(ids, padding_mask(ids))
        padded = ids.eq(PAD).long()
        blocked = torch.zeros(wanted.size(0), wanted.size(0))
        blocked[:, 0] = 1
        return self.decoder(
            self.embed(wanted),
            memory,
            blocked,  # expect: TP225:13
            memory_key_padding_mask=padded,  # expect: TP225:37
        )


class Pooled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = nn.TransformerEncoderLayer(width, 4)

    def forward(self, x, mask):
        return self.encoder(x, src_key_padding_mask=mask.float()).mean(0)  # expect: TP225:53
