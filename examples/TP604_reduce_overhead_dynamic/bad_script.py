import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, width=64, classes=10):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, classes)

    def forward(self, tokens):
        return self.out(self.norm(tokens)).mean(dim=1)


head = Head().cuda().eval()  # expect: TP942:8
fast = torch.compile(head, mode="reduce-overhead", dynamic=True)  # expect: TP604:8, TP962:8
with torch.inference_mode():
    print(fast(torch.randn(4, 17, 64, device="cuda")).argmax(dim=-1))


@torch.compile(mode="max-autotune", dynamic=True)  # expect: TP604:2
def attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
