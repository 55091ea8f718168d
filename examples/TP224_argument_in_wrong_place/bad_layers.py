import torch.nn as nn
import torch.nn.functional as F
from torch.nn import BatchNorm2d as Norm

BN_MOMENTUM = 0.1


def conv_block(cin, cout, bias=False):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, 1, 1, bias),  # expect: TP224:39, TP923:9
        Norm(cout, BN_MOMENTUM),  # expect: TP224:20
        nn.ReLU(0.2),  # expect: TP224:17
        nn.MaxPool2d(2, 2, True),  # expect: TP224:28
        nn.Upsample(2),  # expect: TP224:21
    )


class Tagger(nn.Module):
    def __init__(self, width, heads, dropout, batch_first=True):
        super().__init__()
        self.lstm = nn.LSTM(width, width, 2, 0.5)  # expect: TP224:46
        self.gru = nn.GRU(width, width, 1, True, True, True)  # expect: TP224:56
        self.attention = nn.MultiheadAttention(width, heads, batch_first)  # expect: TP224:62
        self.crossed = nn.MultiheadAttention(8, 512)  # expect: TP224:24
        self.layer = nn.TransformerEncoderLayer(width, heads, dropout)  # expect: TP224:63
        self.norm = nn.GroupNorm(64, 8)  # expect: TP224:21
        self.last = nn.LayerNorm(16, 16)  # expect: TP224:38
        self.out = nn.Linear(width, 10, "relu")  # expect: TP224:41

    def forward(self, x):
        x = nn.ReLU(x)  # expect: TP224:13
        x = F.normalize(x, -1)  # expect: TP224:28
        return F.gumbel_softmax(x, True)  # expect: TP224:36
