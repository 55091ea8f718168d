"""TP402 device-mismatch in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
def loader():
    return DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 4)), batch_size=2)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
    def forward(self, x):
        return self.fc(x)
"""

BAD = {
    "a batch": """
        net = Net().cuda()
        for x, y in loader():
            out = net(x)  # expect: TP402:11
    """,
    "moved in a statement": """
        net = Net()
        net.to(device)
        for i, batch in enumerate(loader()):
            out = net(batch[0])  # expect: TP402:11
    """,
    "the target": """
        net = Net().to(device)
        for x, y in loader():
            loss = nn.MSELoss()(net(x.to(device)), y)  # expect: TP402:12
    """,
    "an observation": """
        class Agent:
            def __init__(self):
                self.net = Net().to(device)

            def act(self, state):
                state = torch.from_numpy(state).float().unsqueeze(0)
                return self.net(state).argmax().item()  # expect: TP402:16
    """,
    "a legacy constructor": """
        class Agent:
            def __init__(self, device):
                self.net = Net()
                self.net.to(device)

            def act(self, state):
                return self.net(torch.FloatTensor(state))  # expect: TP402:16
    """,
    "noise in forward": """
        class Noise(nn.Module):
            def forward(self, x):
                return x + torch.randn(x.size())  # expect: TP402:16
        noise = Noise()
        print(noise(torch.rand(2, 2, device=device)))
    """,
    "beside what follows a parameter": """
        def mask(q):
            bias = torch.zeros(3, 3, device=q.device)
            return bias.masked_fill(torch.ones(3, 3).bool(), 1.0)  # expect: TP402:12
    """,
    "class weights": """
        class Trainer:
            def __init__(self):
                self.net = Net().to(device)
                self.criterion = nn.CrossEntropyLoss(weight=torch.ones(4))

            def step(self, x, y):
                return self.criterion(self.net(x.to(device)), y.to(device))  # expect: TP402:16
    """,
    "two GPUs": """
        a = torch.zeros(3, device="cuda:0")
        b = torch.zeros(3).cuda(1)
        print(torch.stack([a, b]))  # expect: TP402:7
    """,
    "the module left behind": """
        def f():
            net = Net()
            return net(torch.rand(2, 4).cuda())  # expect: TP402:12
    """,
    "once for one stray": """
        net = Net().cuda()
        for x, y in loader():
            print(net(x))  # expect: TP402:11
            print(net(x), F.l1_loss(net(x.cuda()), x.cuda()))
    """,
}
GOOD = {
    "all moved": """
        net = Net().to(device)
        for x, y in loader():
            x, y = x.to(device), y.to(device)
            print(F.mse_loss(net(x), y), (net(x) > y).sum() + torch.tensor(1))
    """,
    "moved back": """
        net = Net().to(device)
        net = net.cpu()
        for x, _ in loader():
            print(net(x))
    """,
    "CPU by name": """
        device = "cpu"
        net = Net().to(device)
        for x, _ in loader():
            print(net(x))
    """,
    "a device that may be left out": """
        def table(n, device=None):
            return torch.arange(n, device=device)
        print(table(3) + torch.ones(3))
    """,
    "only the dtype": """
        net = Net().to(torch.float64)
        for x, _ in loader():
            print(net(x.to(torch.float64)))
    """,
    "no parameters": """
        act = nn.ReLU().to(device)
        for x, _ in loader():
            print(act(x))
    """,
    "an index": """
        x = torch.rand(4, 4).to(device)
        rows = torch.arange(2)
        print(x[rows], x[rows > 0])
    """,
    "what a class moves itself": """
        class Wrapper(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)
                self.to(device)
            def forward(self, x):
                return self.fc(x)
        wrapper = Wrapper()
        print(wrapper(torch.rand(2, 4).to(device)))
    """,
    "handed to code that cannot be read": """
        from elsewhere import place
        def f():
            net = Net()
            place(net)
            return net(torch.rand(2, 4).cuda())
    """,
    "an alias is moved": """
        def f():
            net = Net()
            for module in (net,):
                module.cuda()
            return net(torch.rand(2, 4).cuda())
    """,
    "a callee that follows its argument": """
        def reward(value, following):
            return value.to(following.device) + following

        def targets(value, following):
            total = reward(following.cpu(), value.cpu())
            return total + torch.arange(3)
    """,
    "a module on the CPU that follows its input": """
        class Routed(nn.Module):
            def __init__(self):
                super().__init__()
                self.gate = nn.Linear(4, 4)
            def forward(self, x):
                out = torch.zeros(2, 4, device=x.device)
                return out + self.gate(x) * torch.where(self.gate(x) > 0, out, self.gate(x))
        def run(x):
            routed = Routed()
            print(routed(x))
            return routed.to(device)
    """,
    "replicas": """
        net = nn.DataParallel(Net()).cuda()
        for x, y in loader():
            print(F.mse_loss(net(x), y.cuda()))
    """,
    "an unknown model": """
        def f(net, x):
            net.cuda()
            return net(torch.rand(2, 4))
    """,
    "an unknown data set": """
        def f(dataset):
            net = Net().cuda()
            for x, y in DataLoader(dataset):
                print(net(x))
    """,
    "moved by a helper": """
        def to(batch):
            return [t.to(device) for t in batch]
        net = Net().cuda()
        for batch in loader():
            x, y = to(batch)
            print(net(x))
    """,
    "a default device": """
        with torch.device("cuda"):
            print(Net().cuda()(torch.rand(2, 4)))
    """,
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_reported(text: str) -> None:
    source = PRELUDE + textwrap.dedent(text)
    assert check(source, ["TP402"]) == marks(source)


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_silent(text: str) -> None:
    assert check(PRELUDE + textwrap.dedent(text), ["TP402"]) == []


def test_model_and_loader_from_other_files() -> None:
    files = {
        "a.py": "import torch\nfrom net import Net\nfrom data import make\nnet = Net().cuda()\n"
        "for (x,) in make():\n    net(x)\n",
        "net.py": "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = nn.Linear(2, 2)\n    def forward(self, x):\n        return self.fc(x)\n",
        "data.py": "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n"
        "def make():\n    return DataLoader(TensorDataset(torch.rand(4, 2)))\n",
    }
    assert check(files, ["TP402"]) == [(6, 5, "TP402")]
