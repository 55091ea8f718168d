import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def window(size):
    taps = torch.Tensor([np.exp(-((i - size // 2) ** 2) / 4.5) for i in range(size)])
    return (taps / taps.sum()).unsqueeze(0).unsqueeze(0)


class Attention(nn.Module):
    def __init__(self, width, block):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.mask = torch.tril(torch.ones(block, block)).view(1, block, block)  # expect: TP207:9

    def forward(self, x):
        steps = x.size(1)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(-2, -1)
        scores = scores.masked_fill(self.mask[:, :steps, :steps] == 0, float("-inf"))
        return scores.softmax(dim=-1) @ v


class FocalLoss(nn.Module):
    def __init__(self, alpha, weights):
        super().__init__()
        self.alpha = torch.tensor([alpha, 1 - alpha])  # expect: TP207:9
        self.weights = torch.tensor(weights)  # expect: TP207:9

    def forward(self, logits, targets):
        loss = F.cross_entropy(logits, targets, weight=self.weights, reduction="none")
        return (self.alpha[targets.long()] * loss).mean()


class Edges(nn.Module):
    def __init__(self):
        super().__init__()
        kernel = torch.tensor([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
        self.kernel = kernel.view(1, 1, 3, 3)  # expect: TP207:9
        self.window = window(11)  # expect: TP207:9
        self._statistics()

    def _statistics(self):
        self.mean = torch.Tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)  # expect: TP207:9

    def forward(self, image):
        gray = (image - self.mean).mean(dim=1, keepdim=True)
        return F.conv2d(gray, self.kernel, padding=1), F.conv1d(gray.flatten(2), self.window)


class Positions(nn.Module):
    def __init__(self, longest, width):
        super().__init__()
        self.ids = torch.arange(longest).unsqueeze(0)  # expect: TP207:9
        self.embed = nn.Embedding(longest, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.start = torch.zeros(1, 1, width)  # expect: TP207:9

    def forward(self, tokens):
        out, _ = self.rnn(self.embed(self.ids[:, : tokens.size(1)]), self.start)
        return out
