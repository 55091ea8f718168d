import torch


class SafeMeter:
    """Takes numbers and tensors alike."""

    def __init__(self):
        self.values = []
        self.total = 0.0

    def update(self, value, n=1):
        if isinstance(value, torch.Tensor):
            value = value.detach().item()
        self.values.append(value)
        self.total += value * n


class LastValue:
    """Holds no more than the newest loss."""

    def __init__(self):
        self.last = None

    def update(self, value):
        self.last = value


def record(history, name, value):
    history[name].append(float(value))
