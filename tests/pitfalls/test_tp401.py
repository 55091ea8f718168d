"""TP401 move-discarded in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = "import torch\nimport torch.nn as nn\nfrom torch.utils.data import DataLoader, TensorDataset\n"

BAD = {
    "two on one line": """
        def put(device):
            x, y = torch.ones(2), torch.ones(2)
            x.to(device), y.to(device)  # expect: TP401:5, TP401:19
            return x + y
    """,
    "a factory": """
        x = torch.zeros(3)
        x.cuda()  # expect: TP401:1
        print(x)
    """,
    "an alias of torch": """
        import torch as th
        y = th.arange(3).float()
        y.to("cuda")  # expect: TP401:1
        print(y)
    """,
    "an attribute": """
        class Memory:
            def __init__(self, device):
                self.states = torch.zeros(10, 4)
                self.states.to(device)  # expect: TP401:9

            def sample(self):
                return self.states[:2]
    """,
    "an element": """
        def f(xs: list[torch.Tensor], device):
            for i in range(len(xs)):
                xs[i].to(device)  # expect: TP401:9
            return xs
    """,
    "the result of a module": """
        net = nn.Linear(2, 2)
        out = net(torch.rand(1, 2))
        out.cpu()  # expect: TP401:1
        print(out.detach().numpy())
    """,
    "parameters": """
        net = nn.Linear(2, 2)
        for p in net.parameters():
            p.half()  # expect: TP401:5
        print(net.weight)
    """,
    "a chain": """
        def f(x: torch.Tensor, device):
            x.float().to(device)  # expect: TP401:5
            return x
    """,
    "a batch": """
        def f(dataset, net):
            loader = DataLoader(dataset, 4)
            x, y = next(iter(loader))
            y.cuda()  # expect: TP401:5
            return net(x, y)
    """,
    "a flag in front": """
        def f(x: torch.Tensor, cuda: bool):
            cuda and x.cuda()  # expect: TP401:14
            return x
    """,
}
GOOD = {
    "a warm-up and the same again for the clock": """
        def measure(clock):
            t = torch.zeros(1)
            t.cuda()
            start = clock()
            for _ in range(10):
                t.cuda()
            return clock() - start
    """,
    "two on one line, shown by a notebook": """
        x, y = torch.ones(2), torch.ones(2)
        x.cpu(), y.cpu()
        print(x, y)
    """,
    "kept": "x = torch.zeros(3)\nx = x.cuda()\ny = x.cpu().numpy()\nprint(x.cpu())\n",
    "in place": "x = torch.zeros(3)\nx.zero_()\nx.data = x.data.cuda()\n",
    "a module by annotation": "def f(net: nn.Module):\n    net.cuda()\n    return net\n",
    "a module or a tensor": """
        def f(thing: nn.Module | torch.Tensor, device):
            thing.to(device)
            return thing
    """,
    "nothing known": "def f(x, device):\n    x.to(device)\n    x.contiguous()\n    return x * 2\n",
    "not read again": "x = torch.zeros(3)\nx.cuda()\n",
    "a batch collated by the program": """
        def f(dataset, collate, net):
            for batch in DataLoader(dataset, 4, collate_fn=collate):
                batch.to("cuda")
                print(net(batch))
    """,
    "items as they are": """
        def f(dataset, net):
            for item in DataLoader(dataset, batch_size=None):
                item.to("cuda")
                print(net(item))
    """,
    "something unknown in one branch": """
        def f(make, flag, device):
            x = torch.zeros(3)
            if flag:
                x = make()
            x.to(device)
            return x
    """,
    "a loop variable that is used": """
        def f(xs: list[torch.Tensor], device):
            kept = []
            for x in xs:
                x = x.to(device)
                kept.append(x)
            return kept
    """,
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_reported(text: str) -> None:
    source = PRELUDE + textwrap.dedent(text)
    assert check(source, ["TP401"]) == marks(source)


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_silent(text: str) -> None:
    assert check(PRELUDE + textwrap.dedent(text), ["TP401"]) == []


def test_a_tensor_from_another_file() -> None:
    files = {
        "a.py": "from b import noise\nz = noise(3)\nz.cuda()\nprint(z)\n# torch\n",
        "b.py": "import torch\ndef noise(n):\n    return torch.randn(n)\n",
    }
    assert check(files, ["TP401"]) == [(3, 1, "TP401")]


def test_a_module_from_another_file() -> None:
    files = {
        "a.py": "import torch\nfrom b import Net\nnet = Net()\nnet.cuda()\nprint(net(torch.zeros(1)))\n",
        "b.py": "from c import Base\nclass Net(Base):\n    pass\n",
        "c.py": "from torch import nn\nclass Base(nn.Module):\n    def forward(self, x):\n        return x\n",
    }
    assert check(files, ["TP401"]) == []
