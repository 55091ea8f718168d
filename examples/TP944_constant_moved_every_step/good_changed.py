"""Changed by the loop, moved under its own name, or not known to be on the CPU."""
import torch


def fill(chunks, given):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    buffer = torch.zeros(64)
    scale, warm_up = torch.ones(64), torch.ones(1)
    total = 0
    for chunk in chunks:
        buffer.copy_(chunk)
        total = total + buffer.to(device)
        scale = scale.to(device)
        warm_up.to(device)
        total = total * scale + given.to(device)
    return total
