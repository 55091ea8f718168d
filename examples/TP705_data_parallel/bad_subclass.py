"""A subclass that passes attributes through is no better."""
from torch import nn
from torch.nn.parallel import DataParallel as Threads


class TransparentDataParallel(Threads):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


def build(width):
    model = nn.Linear(width, 2)
    return TransparentDataParallel(model)  # expect: TP705:12
