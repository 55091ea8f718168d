"""TP008 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """import argparse, collections, copy, datetime, enum, os, pathlib, pickle, random
import numpy as np, torch
from torch import nn
from pathlib import Path
from collections import defaultdict
net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
class Config:
    pass
class Mode(enum.Enum):
    ON = 1
"""
LINES = HEAD.count("\n")


def found(text: str, version: tuple[int, int] = (2, 13)) -> list[tuple[int, int]]:
    return [(line - LINES, column) for line, column, _ in check(HEAD + text, ["TP008"], version)]


@pytest.mark.parametrize(
    "value",
    [
        "net", "opt", "nn.MSELoss()", "[net]", "{'deep': {'model': net}}", "np.mean([1.0])", "np.zeros(2)",
        "np.sqrt(2) * 3", "(np.ones(2) == np.ones(2)).mean()", "torch.ones(2).numpy()", "net(torch.ones(2)).detach().cpu().numpy().mean()",
        "np.random.get_state()", "Path('a')", "pathlib.Path('a') / 'b'", "defaultdict(list)", "collections.deque()",
        "datetime.datetime.now()", "frozenset([1])", "range(3)", "Config()", "Config", "Mode.ON", "torch.__version__",
        "argparse.ArgumentParser().parse_args()", "max(0.0, np.max([1.0]))", "argparse.Namespace(a=1)", "net.forward",
        "torch.utils.data.TensorDataset(torch.ones(2))", "copy.deepcopy(net)", "dict(model=net)", "torch.Generator()",
    ],
)  # fmt: skip
def test_saved_value_is_refused(value: str) -> None:
    text = f"value = {value}\ntorch.save({{'value': value, 'n': 1}}, 'a/b.pt')\nstate = torch.load('b.pt')\n"
    assert found(text) == [(3, 9)]
    assert found(f"torch.save({value}, 'b.pt')\ntorch.load('b.pt')") == [(2, 1)]


@pytest.mark.parametrize(
    "value",
    [
        "net.state_dict()", "opt.state_dict()", "torch.ones(2)", "nn.Parameter(torch.ones(2))", "float(np.mean([1]))",
        "np.mean([1.0]).item()", "np.zeros(2).tolist()", "np.inf", "random.getstate()", "torch.get_rng_state()",
        "str(Path('a'))", "dict(defaultdict(list))", "collections.OrderedDict()", "collections.Counter()", "{1, 2}",
        "vars(argparse.Namespace(a=1))", "argparse.Namespace(a=1).__dict__", "Mode.ON.value", "unknown", "unknown()",
        "len([1])", "str(torch.__version__)", "torch.device('cpu')", "torch.float32", "torch.from_numpy(np.ones(2))",
        "torch.tensor(np.ones(2))", "[1, 'a', None, (2.5, True)]", "net.weight", "torch.ByteTensor(3)", "np.random.randint(5)",
    ],
)  # fmt: skip
def test_saved_value_is_accepted(value: str) -> None:
    text = f"value = {value}\ntorch.save({{'value': value, 'n': 1}}, 'b.pt')\nstate = torch.load('b.pt')\n"
    assert found(text) == []


@pytest.mark.parametrize(
    "text, column",
    [
        ("torch.load('x')(1)", 1),
        ("torch.load('x').eval()", 1),
        ("torch.load('x', map_location='cpu').to('cpu').state_dict()", 1),
        ("torch.load('x')['model'].float().eval()", 1),
        ("torch.load('x').get('args').lr", 1),
        ("a, b = torch.load('x')\nb.parameters()", 8),
        ("for m in [torch.load(p) for p in 'ab']: m.eval()", 11),
        ("with open('x', 'rb') as f: m = torch.load(f)\nm.predict()", 32),
        ("m = nn.DataParallel(torch.load('x'))", 21),
        ("m = torch.load('x', weights_only=True)\nm.eval()", 5),
        ("def f(m): m.eval()\nf(torch.load('x'))", 3),
        ("def f(): return torch.load('x')\nf().eval()", 17),
        ("def f():\n    m = torch.load('x')\n    return m, 1\nm, n = f()\nm.eval()", 9),
        ("class A:\n    def a(self): self.m = torch.load('x')\n    def b(self): self.m.eval()", 27),
        ("m = torch.load('x')\nm.fc = nn.Linear(2, 2)", 5),
        ("options = vars(torch.load('x')['args'])", 16),
        ("m = torch.load('x')\ntorch.onnx.export(m, torch.ones(1), 'm.onnx')", 5),
        ("class A:\n    m = None\n    def a(self):\n        self.m = net\n        self.m = torch.load('x')\n"
         "        self.m.eval()", 18),
        ("try: m = torch.load('x')\nexcept FileNotFoundError: m = net\nm.eval()", 10),
    ],
)  # fmt: skip
def test_used_as_an_object(text: str, column: int) -> None:
    [(_, at)] = found(text)
    assert at == column


@pytest.mark.parametrize(
    "text",
    [
        "m = torch.load('x')\nm.keys()\nm['a'].shape\nm['b'].append(1)\nm['c'].item()",
        "m = torch.load('x', weights_only=False)\nm.eval()",
        "m = torch.load('x', **options)\nm.eval()",
        "m = torch.load('x', pickle_module=pickle)\nm.eval()",
        "m = torch.load('x')\nm = net\nm.eval()",
        "class A:\n    def a(self): self.m = net\n    def b(self): self.m = torch.load('x')\n    def c(self): self.m.eval()",
        "m = torch.load('x')\nif isinstance(m, nn.Module): m.eval()",
        "m = torch.load('x')\nm = m if hasattr(m, 'keys') else m.state_dict()",
        "def f():\n    m = torch.load('x')\n    return net, m\nm, n = f()\nm.eval()",
        "try: m = torch.load('x')\nexcept Exception: m = net\nm.eval()",
        "try: m = torch.load('x', weights_only=False)\nexcept TypeError: m = torch.load('x')\nm.eval()",
        "torch.load = custom\ntorch.load('x').eval()",
        "os.environ['TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD'] = '1'\ntorch.load('x').eval()",
        "torch.serialization.add_safe_globals([Config])\ntorch.load('x').eval()",
        "if new: m = torch.load('x', weights_only=False)\nelse: m = torch.load('x')\nm.eval()",
        "torch.jit.load('x').eval()",
        "net.load_state_dict(torch.load('x'))",
        "sizes = torch.load('x')['sizes'].to(net.weight.device)\nnet(sizes)",
    ],
)
def test_not_used_as_an_object(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "save, load, expected",
    [
        ("'a.pt'", "os.path.join('runs', 'a.pt')", True),
        ("f'runs/epoch_{1}.pt'", "'epoch_{}.pt'.format(2)", True),
        ("'epoch_%d.pt' % 1", "Path('runs') / f'epoch_{3}.pt'", True),
        ("PATH", "PATH", True),
        ("'a.pt'", "'b.pt'", False),
        ("'a.pt'", "some.path", False),
        ("f'{a}.pt'", "f'{b}.pt'", False),
    ],
)
def test_same_file(save: str, load: str, expected: bool) -> None:
    text = f"PATH = input()\ndef write(a): torch.save(net, {save})\ndef read(b): return torch.load({load})\n"
    assert bool(found(text)) is expected


def test_versions() -> None:
    text = "torch.load('x').eval()"
    assert found(text, (2, 6)) == [(1, 1)]
    assert found(text, (2, 5)) == []
    assert found("torch.load('x', weights_only=True).eval()", (2, 5)) == [(1, 1)]


def test_keys_tell_the_checkpoint() -> None:
    save = "def save(args): torch.save({'model': net.state_dict(), 'epoch': 1, 'args': args}, args.path)\n"
    load = "def load(p):\n    s = torch.load(p)\n    net.load_state_dict(s['model'])\n    return s['epoch']\n"
    assert found(save + load) == [(3, 9)]
    assert found(save + load.replace("epoch", "step")) == []
    assert found(save.replace("'args': args", "'args': vars(args)") + load) == []


def test_pair_of_methods() -> None:
    text = "class A:\n    def save(self, p): torch.save(self, p)\n    def load(self, p): return torch.load(p)\n"
    assert found(text) == [(3, 31)]
    assert found(text.replace("def load", "def fetch")) == []
    text = text.replace("torch.save(self, p)", "torch.save({'c': Config(), 'n': 1}, p)")
    assert found(text.replace("return torch.load(p)", "return torch.load(p)['n']")) == [(3, 31)]
    assert found(text.replace("return torch.load(p)", "return torch.load(p)['m']")) == []


def test_name_in_the_class() -> None:
    text = (
        "class A:\n    name = 'cache.pt'\n    def put(self):\n        with open(os.path.join('x', self.name), 'wb') as f:\n"
        "            torch.save(Path('a'), f)\n    def get(self):\n        return torch.load(os.path.join('x', self.name))\n"
    )
    assert found(text) == [(7, 16)]


def test_used_in_another_file() -> None:
    files = {
        "main.py": "import torch\nfrom lib import run, Net\nrun(torch.load('x'))\nNet(torch.load('y')['options'])\n",
        "lib.py": "from torch import nn\ndef run(model):\n    model.eval()\nclass Net(nn.Module):\n"
        "    def __init__(self, options):\n        super().__init__()\n        self.width = options.width\n",
    }
    assert check(files, ["TP008"]) == [(3, 5, "TP008"), (4, 5, "TP008")]


def test_saved_in_another_file() -> None:
    files = {
        "main.py": "import torch\nfrom pkg.io import save\nsave(1)\ntorch.load('last.pt')\n",
        "pkg/__init__.py": "",
        "pkg/io.py": "import torch\nfrom torch import nn\ndef save(x): torch.save(nn.Linear(1, 1), 'last.pt')\n",
    }
    assert check(files, ["TP008"]) == [(4, 1, "TP008")]
    files["pkg/io.py"] = files["pkg/io.py"].replace("1)", "1).state_dict()")
    assert check(files, ["TP008"]) == []


def test_a_state_that_a_loop_adds_to() -> None:
    text = """
def save(model, parts, path):
    state = dict(model=model.state_dict())
    for name, part in parts.items():
        state = {**state, name: part.state_dict()}
    torch.save(state, path)

def load(model, path):
    state = torch.load(path)
    model.load_state_dict(state["model"])
"""
    assert found(text) == []
