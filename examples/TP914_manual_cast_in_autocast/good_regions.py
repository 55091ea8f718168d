"""Casts up, casts where autocast is off, results that leave the region."""
import torch
from torch import nn


def attend(net: nn.Module, head: nn.Module, x: torch.Tensor, amp: bool):
    with torch.autocast("cuda", dtype=torch.float16):
        h = net(x)
        with torch.autocast("cuda", enabled=False):
            h = head(h.half())
        exact = nn.functional.log_softmax(h.float(), dim=-1)
        kept = h.to(torch.float16)
    with torch.autocast("cuda", enabled=amp):
        net(x.half())
    return exact, kept
