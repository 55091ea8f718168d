"""A class that says what it wants to be said."""
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.width = width

    def extra_repr(self):
        return f"width={self.width}"


scale = Scale(4)
print(scale)
