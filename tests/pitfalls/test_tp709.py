"""TP709 optimizer-before-wrap in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
from torch import nn, optim
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP
def train(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""

BAD = {
    "under another name": """
        def main(loader):
            net = nn.Linear(2, 2)
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            sharded = FSDP(net)  # expect: TP709:15
            train(sharded, optimizer, loader)
    """,
    "under a condition": """
        def main(loader, distributed):
            net = nn.Linear(2, 2)
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            if distributed:
                net = FSDP(net, device_id=0)  # expect: TP709:15
            train(net, optimizer, loader)
    """,
    "two optimizers, two modules": """
        def main(loader):
            a, b = nn.Linear(2, 2), nn.Linear(2, 2)
            opt_a, opt_b = optim.Adam(a.parameters()), optim.Adam(b.parameters())
            fully_shard(a)  # expect: TP709:5
            fully_shard(b)  # expect: TP709:5
            train(a, opt_a, loader)
            train(b, opt_b, loader)
    """,
    "made by a helper": """
        def make_optimizer(params, lr=0.1):
            return optim.SGD(params, lr=lr)

        def main(loader):
            net = nn.Linear(2, 2)
            optimizer = make_optimizer(net.parameters())
            net = FSDP(net)  # expect: TP709:11
            train(net, optimizer, loader)
    """,
    "methods in a row": """
        class Trainer:
            def __init__(self, model: nn.Module):
                self.model = model
                self.make()
                self.wrap()  # expect: TP709:9

            def make(self):
                self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)

            def wrap(self):
                self.model = FSDP(self.model)

            def fit(self, loader):
                train(self.model, self.optimizer, loader)
    """,
}

GOOD = {
    "methods in the right row": """
        class Trainer:
            def __init__(self, model: nn.Module):
                self.model = model
                self.wrap()
                self.make()

            def make(self):
                self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)

            def wrap(self):
                self.model = FSDP(self.model)

            def fit(self, loader):
                train(self.model, self.optimizer, loader)
    """,
    "in another branch": """
        def main(loader, sharded):
            net = nn.Linear(2, 2)
            if sharded:
                net = FSDP(net)
                optimizer = optim.SGD(net.parameters(), lr=0.1)
            else:
                net = DDP(net)
                optimizer = optim.SGD(net.parameters(), lr=0.1)
            train(net, optimizer, loader)
    """,
    "options that are not known": """
        def main(loader, **options):
            net = nn.Linear(2, 2)
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            net = FSDP(net, **options)
            train(net, optimizer, loader)
    """,
    "in every pass": """
        def main(loaders):
            for loader in loaders:
                net = nn.Linear(2, 2)
                net = FSDP(net)
                optimizer = optim.SGD(net.parameters(), lr=0.1)
                train(net, optimizer, loader)
    """,
    "a function of the same name": """
        def shard(net):
            return net

        def main(loader):
            net = nn.Linear(2, 2)
            optimizer = optim.SGD(net.parameters(), lr=0.1)
            net = shard(net)
            train(net, optimizer, loader)
    """,
    "members of a list": """
        def main(loader):
            nets = [nn.Linear(2, 2) for _ in range(2)]
            optimizer = optim.SGD(nets[0].parameters(), lr=0.1)
            nets[1] = FSDP(nets[1])
            train(nets[0], optimizer, loader)
    """,
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_reported(body: str) -> None:
    text = PRELUDE + textwrap.dedent(body)
    assert check(text) == marks(text)


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_silent(body: str) -> None:
    assert check(PRELUDE + textwrap.dedent(body)) == []


def test_wrapping_in_another_file() -> None:
    files = {
        "train.py": """
            import torch
            from torch import nn
            from parallel.wrap import distribute

            def main(loader):
                model = nn.Linear(2, 2)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                model = distribute(model)
                for x in loader:
                    optimizer.zero_grad()
                    model(x).mean().backward()
                    optimizer.step()
        """,
        "parallel/__init__.py": "",
        "parallel/wrap.py": """
            from torch.distributed.fsdp import fully_shard

            def distribute(model):
                fully_shard(model)
                return model
        """,
    }
    assert check(files) == [(9, 13, "TP709")]
