"""TP127 parameter-twice-in-optimizer in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
from itertools import chain
import torch
from torch import nn, optim
class Net(nn.Module):
    def __init__(self, encoder=None):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(2, 1)
    def forward(self, x):
        return self.head(self.encoder(x))
encoder = nn.Linear(2, 2)
net, other = Net(encoder), Net(nn.Linear(2, 2))
"""

BAD = {
    "a typing error": """
        opt = optim.Adam(chain(net.parameters(), net.parameters()))  # expect: TP127:7
    """,
    "an alias": """
        head = net.head
        opt = optim.Adam([*head.parameters(), *net.parameters()])  # expect: TP127:7
    """,
    "a comprehension over modules": """
        opt = optim.Adam([p for m in (net, encoder) for p in m.parameters()])  # expect: TP127:7
    """,
    "two lists": """
        opt = optim.SGD(list(net.parameters()) + list(encoder.parameters()), lr=0.1, **{})  # expect: TP127:7
    """,
    "a list that grows": """
        params = [{"params": net.parameters()}]
        params.append({"params": net.encoder.parameters(), "lr": 0.1})
        opt = optim.SGD(params, lr=0.1)  # expect: TP127:7
    """,
    "chain.from_iterable": """
        opt = optim.Adam(chain.from_iterable([net.parameters(), encoder.parameters()]))  # expect: TP127:7
    """,
    "a Sequential around it": """
        model = nn.Sequential(encoder, nn.ReLU())
        opt = optim.Adam([*model.parameters(), *encoder.parameters()])  # expect: TP127:7
    """,
    "named parameters": """
        params = [p for _, p in net.named_parameters()]
        opt = optim.Adam(params + list(net.head.parameters()))  # expect: TP127:7
    """,
}

GOOD = {
    "a filter": """
        params = [p for n, p in net.named_parameters() if "head" not in n]
        opt = optim.Adam(params + list(net.head.parameters()))
    """,
    "two branches": """
        if torch.cuda.is_available():
            params = list(net.parameters())
        else:
            params = list(net.head.parameters())
        opt = optim.Adam(params)
    """,
    "disjoint modules": """
        opt = optim.Adam([*net.parameters(), *other.parameters()])
        groups = optim.Adam([{"params": net.encoder.parameters()}, {"params": net.head.parameters()}])
    """,
    "objects of one call": """
        nets = [nn.Linear(2, 2) for _ in range(2)]
        a, b = nets
        opt = optim.Adam([*a.parameters(), *b.parameters()])
    """,
    "objects of one helper": """
        def make():
            return nn.Linear(2, 2)
        a, b = make(), make()
        opt = optim.Adam([*a.parameters(), *b.parameters()])
    """,
    "attributes of two objects": """
        opt = optim.Adam([*net.head.parameters(), *other.head.parameters()])
    """,
    "a module without parameters": """
        act = nn.ReLU()
        a, b = nn.Sequential(nn.Linear(2, 2), act), nn.Sequential(nn.Linear(2, 2), act)
        opt = optim.Adam([*a.parameters(), *b.parameters()])
    """,
    "two optimizers": """
        one, two = optim.Adam(net.parameters()), optim.Adam(net.head.parameters())
    """,
    "an object that is no module": """
        class Agent:
            def __init__(self):
                self.actor = nn.Linear(2, 2)
                self.critic = nn.Linear(2, 1)
            def parameters(self):
                return self.actor.parameters()
        agent = Agent()
        opt = optim.Adam([*agent.parameters(), *agent.critic.parameters()])
    """,
    "a name for two models": """
        params = list(net.parameters())
        net = Net(nn.Linear(2, 2))
        params += list(net.parameters())
        opt = optim.Adam(params)
    """,
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_reported(body: str) -> None:
    text = PRELUDE + textwrap.dedent(body)
    assert check(text) == marks(text)


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_silent(body: str) -> None:
    assert check(PRELUDE + textwrap.dedent(body)) == []


def test_a_class_of_another_file() -> None:
    files = {
        "train.py": """
            from torch import nn, optim
            from pkg.nets import Decoder

            embedding = nn.Embedding(10, 4)
            decoder = Decoder(embedding)
            optimizer = optim.Adam([*embedding.parameters(), *decoder.parameters()])
        """,
        "pkg/__init__.py": "",
        "pkg/nets.py": """
            from torch import nn

            class Decoder(nn.Module):
                def __init__(self, embedding):
                    super().__init__()
                    self.embedding = embedding
                    self.out = nn.Linear(4, 10)

                def forward(self, tokens):
                    return self.out(self.embedding(tokens))
        """,
    }
    assert check(files) == [(7, 13, "TP127")]
