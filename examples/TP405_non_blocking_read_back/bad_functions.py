"""Copies that are read in several ways."""
import torch

CPU = torch.device("cpu")


def largest(scores):
    scores = scores.to(device=CPU, non_blocking=True)
    if scores.max() > 0.5:  # expect: TP405:8
        return scores.tolist()
    return []


def gathered(net, loader):
    outputs = []
    for batch in loader:
        output = net(batch.cuda(non_blocking=True))
        output = output.detach().to("cpu", non_blocking=True)
        outputs.append(output)
    return torch.cat(outputs)  # expect: TP405:12


def at_once(mask):
    return mask.cuda().float().to("cpu", non_blocking=True).numpy()  # expect: TP405:12


class Meter:
    def __init__(self):
        self.host = torch.empty(16, pin_memory=True)

    def update(self, values):
        self.host.copy_(values, non_blocking=True)
        print(f"values: {self.host}")  # expect: TP405:26


def parts(named):
    copies = {name: value.to("cpu", non_blocking=True) for name, value in named.items()}
    return copies["boxes"].numpy()  # expect: TP405:12
