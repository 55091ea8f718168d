"""What stays behind when a file is done."""
from __future__ import annotations

import gc
import textwrap

from astroid import nodes
from support import check

TEXT = textwrap.dedent('''\
    """A module with everything that may hold a tree in a circle."""
    import torch
    from torch import nn


    class Net(nn.Module):
        """A class with a docstring."""

        def __init__(self, depth=3):
            super().__init__()
            self.parts = [Net(depth - 1) for _ in range(depth)]
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            for part in self.parts:
                x = part(x)
            return self.fc(x).relu_()


    def train(net, optimizer, depth=0):
        for x in torch.randn(3, 2):
            net(x).sum().backward()
            optimizer.step()
        return train(net, optimizer, depth + 1)
''')


def test_no_tree_outlives_its_analysis() -> None:
    check(TEXT)  # what is loaded once for all files is not meant
    gc.collect()
    gc.disable()
    try:
        assert check(TEXT) != []
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = [kept for kept in gc.garbage if isinstance(kept, (nodes.Module, nodes.ClassDef, nodes.FunctionDef))]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert left == []
