"""What all parts share."""
from torch.nn import Module


class Named(Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
