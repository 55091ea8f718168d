"""TP211: shapes in which an activation reaches cross-entropy, and their right look-alikes."""
from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest
from support import check

HEAD = """\
import copy
import functools
from collections import OrderedDict
import torch
import torch.nn.functional as F
from torch import nn
from torchvision import models
"""


def lines(body: str | Mapping[str, str]) -> list[int]:
    """Return the lines of *body*, counted without the imports above it, that hold a finding."""
    if isinstance(body, str):
        return [line - HEAD.count("\n") for line, _, _ in check(HEAD + body, ["TP211"])]
    return [line for line, _, _ in check(body, ["TP211"])]


FUNCTIONS = {
    "functional": (
        "def step(x, y, net):\n    out = F.softmax(net(x), dim=1)\n    return F.cross_entropy(out, y)\n",
        [2],
    ),
    "nested call": ("def step(x, y, net):\n    return nn.CrossEntropyLoss()(net(x).softmax(-1), y)\n", [2]),
    "method of an unknown tensor": (
        "def step(x, y):\n    p = x.softmax(dim=1)\n    return F.cross_entropy(input=p, target=y)\n",
        [2],
    ),
    "sigmoid": ("def step(x, y):\n    return F.cross_entropy(torch.sigmoid(x), y)\n", [2]),
    "reshaped": (
        "def step(x, y, n):\n    p = torch.softmax(x, 2)\n"
        "    return F.cross_entropy(p[:, 1:].contiguous().view(-1, n), y.view(-1))\n",
        [2],
    ),
    "kept off zero": ("def step(x, y):\n    p = x.softmax(1) + 1e-8\n    return F.cross_entropy(p, y)\n", [2]),
    "clamped": ("def step(x, y):\n    p = x.softmax(1).clamp(1e-7, 1)\n    return F.cross_entropy(p, y)\n", [2]),
    "logarithm between": ("def step(x, y):\n    return F.cross_entropy(torch.softmax(x, 1).log(), y)\n", []),
    "exponential of log_softmax": ("def step(x, y):\n    return F.cross_entropy(x.log_softmax(1).exp(), y)\n", [2]),
    "log_softmax": ("def step(x, y):\n    return F.cross_entropy(F.log_softmax(x, dim=1), y)\n", []),
    "log_softmax over the batch": (
        "def step(x, y):\n    z = nn.Linear(8, 4)(x.view(16, 8))\n    return F.cross_entropy(F.log_softmax(z, dim=0), y)\n",
        [3],
    ),
    "log_softmax over pixels": (
        "def step(x, y):\n    p = F.log_softmax(x.view(2, 3, 8, 8), -1)\n    return F.cross_entropy(p, y)\n",
        [2],
    ),
    "log_softmax moved to the class dimension": (
        "def step(x, y):\n    p = F.log_softmax(x.view(2, 8, 8, 3), -1).permute(0, 3, 1, 2)\n"
        "    return F.cross_entropy(p, y)\n",
        [],
    ),
    "log_softmax layer over the batch": (
        "def step(x, y):\n    last = nn.LogSoftmax(dim=0)\n    return F.cross_entropy(last(x.view(4, 3)), y)\n",
        [2],
    ),
    "log_softmax at the end of a model for images": (
        "def step(x, y):\n    net = nn.Sequential(nn.Flatten(), nn.Linear(192, 3), nn.LogSoftmax(dim=-1))\n"
        "    return F.cross_entropy(net(x.view(2, 3, 8, 8)), y)\n",
        [],
    ),
    "log_softmax of last of two dimensions": (
        "def step(x, y):\n    return F.cross_entropy(F.log_softmax(x.view(4, 3), -1), y)\n",
        [],
    ),
    "soft targets": ("def step(x, t):\n    return F.cross_entropy(x, F.softmax(t, dim=1))\n", []),
    "soft targets by keyword": (
        "def step(x, t):\n    return F.cross_entropy(target=t.softmax(1), input=x)\n",
        [],
    ),
    "metric beside": (
        "def step(x, y, net):\n    out = net(x)\n    p = out.softmax(1)\n    return F.cross_entropy(out, y), p\n",
        [],
    ),
    "name taken again after the loss": (
        "def run(batches, net):\n    for x, y in batches:\n        out = net(x)\n"
        "        F.cross_entropy(out, y).backward()\n        out = out.softmax(1)\n",
        [],
    ),
    "only in one branch": (
        "def step(x, y, flag):\n    if flag:\n        x = x.softmax(1)\n    return F.cross_entropy(x, y)\n",
        [],
    ),
    "in both branches": (
        "def step(x, y, flag):\n    p = x.softmax(1) if flag else torch.sigmoid(x)\n    return F.cross_entropy(p, y)\n",
        [2, 2],
    ),
    "another loss": ("def step(x, y):\n    return F.nll_loss(F.softmax(x, 1), y) + F.mse_loss(x.softmax(1), y)\n", []),
    "scaled": ("def step(x, y):\n    return F.cross_entropy(x.softmax(1) * 20, y)\n", []),
    "attention": (
        "def step(q, k, v, y):\n    w = F.softmax(q @ k, dim=-1)\n    return F.cross_entropy(w @ v, y)\n",
        [],
    ),
    "tuple": (
        "def both(x):\n    return x, x.softmax(1)\n"
        "def step(x, y):\n    logits, probs = both(x)\n    return F.cross_entropy(logits, y)\n",
        [],
    ),
    "wrong part of a tuple": (
        "def both(x):\n    return x, x.softmax(1)\n"
        "def step(x, y):\n    logits, probs = both(x)\n    return F.cross_entropy(probs, y)\n",
        [2],
    ),
    "part of a tuple by number": (
        "def both(x):\n    return x, x.softmax(1)\ndef step(x, y):\n    return F.cross_entropy(both(x)[1], y)\n",
        [2],
    ),
    "dictionary": (
        "def both(x):\n    return {'logits': x, 'probs': x.softmax(1)}\n"
        "def step(x, y):\n    out = both(x)\n"
        "    return F.cross_entropy(out['logits'], y) + F.cross_entropy(out['probs'], y)\n",
        [2],
    ),
    "dictionary that is filled": (
        "def both(x):\n    out = {}\n    out['logits'] = x\n    out['probs'] = x.softmax(1)\n    return out\n"
        "def step(x, y):\n    return F.cross_entropy(both(x)['probs'], y)\n",
        [4],
    ),
    "list of outputs": (
        "def run(xs, y):\n    outs = []\n    for x in xs:\n        outs.append(x.softmax(1))\n"
        "    return F.cross_entropy(torch.cat(outs), y), sum(F.cross_entropy(o, y) for o in outs)\n",
        [4],
    ),
    "zip": (
        "def run(xs, ys):\n    outs = [x.softmax(1) for x in xs]\n    loss = 0\n    for out, y in zip(outs, ys):\n"
        "        loss += F.cross_entropy(out, y)\n    return loss\n",
        [2],
    ),
    "partial": (
        "criterion = functools.partial(F.cross_entropy, label_smoothing=0.1)\n"
        "def step(x, y):\n    return criterion(x.softmax(1), y)\n",
        [3],
    ),
    "dictionary of losses": (
        "LOSSES = {'ce': nn.CrossEntropyLoss(), 'mse': nn.MSELoss()}\n"
        "def step(x, y):\n    return LOSSES['ce'](x.softmax(1), y) + LOSSES['mse'](x.softmax(1), y)\n",
        [3],
    ),
    "some loss of a dictionary": (
        "LOSSES = {'ce': nn.CrossEntropyLoss(), 'mse': nn.MSELoss()}\n"
        "def step(x, y, name):\n    return LOSSES[name](x.softmax(1), y)\n",
        [],
    ),
    "factory": (
        "def make(weight=None):\n    return nn.CrossEntropyLoss(weight=weight).cuda()\n"
        "def step(x, y):\n    criterion = make()\n    return criterion(x.softmax(1), y)\n",
        [5],
    ),
    "helper": (
        "def compute(pred, target, criterion):\n    return criterion(pred.view(-1, 3), target)\n"
        "def step(x, y):\n    return compute(x.softmax(1), y, nn.CrossEntropyLoss())\n",
        [4],
    ),
    "helper called rightly and wrongly": (
        "def compute(pred, target):\n    return F.cross_entropy(pred, target)\n"
        "def step(x, y):\n    return compute(x, y)\n"
        "def other(x, y):\n    return compute(x.softmax(1), y)\n",
        [6],
    ),
    "flag hidden by the caller": (
        "def head(x, raw=False):\n    return x if raw else x.softmax(1)\n"
        "def step(x, y, options):\n    return F.cross_entropy(head(x, **options), y)\n",
        [],
    ),
    "hidden arguments": ("def step(args):\n    return F.cross_entropy(*args)\n", []),
    "flag decided by the caller": (
        "def head(x, probabilities=False):\n    if probabilities:\n        return x.softmax(1)\n    return x\n"
        "def step(x, y):\n    return F.cross_entropy(head(x), y) + F.cross_entropy(head(x, True), y)\n",
        [3],
    ),
}

MODULE = "def train(net, x, y):\n    return F.cross_entropy(net(x), y)\n"
MODULES = {
    "sequential": ("net = nn.Sequential(nn.Linear(2, 3), nn.Softmax(dim=1))\n", [3]),
    "sequential with a flatten at the end": ("net = nn.Sequential(nn.Conv2d(1, 3, 2), nn.Sigmoid(), nn.Flatten())\n", [3]),
    "logits": ("net = nn.Sequential(nn.Linear(2, 3), nn.Softmax(dim=1), nn.Linear(3, 3))\n", []),
    "log_softmax": ("net = nn.Sequential(nn.Linear(2, 3), nn.LogSoftmax(dim=1))\n", []),
    "nested": ("net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Softmax(1)))\n", [3]),
    "ordered": ("net = nn.Sequential(OrderedDict([('fc', nn.Linear(2, 3)), ('out', nn.Softmax(1))]))\n", [3]),
    "ordered dictionary by name": (
        "layers = OrderedDict()\nlayers['fc'] = nn.Linear(2, 3)\nlayers['out'] = nn.Softmax(1)\nnet = nn.Sequential(layers)\n",
        [5],
    ),
    "list": ("net = nn.Sequential(*[nn.Linear(2, 3), nn.Softmax(1)])\n", [3]),
    "list that grows": (
        "layers = [nn.Linear(2, 3)]\nfor _ in range(3):\n    layers += [nn.ReLU(), nn.Linear(3, 3)]\n"
        "layers.append(nn.Softmax(1))\nnet = nn.Sequential(*layers)\n",
        [6],
    ),
    "list that may grow": (
        "layers = [nn.Linear(2, 3)]\nif len(layers) > 1:\n    layers.append(nn.Softmax(1))\nnet = nn.Sequential(*layers)\n",
        [],
    ),
    "list that grows on": (
        "layers = [nn.Linear(2, 3), nn.Softmax(1)]\nlayers.extend([nn.Linear(3, 3)])\nnet = nn.Sequential(*layers)\n",
        [],
    ),
    "append": ("net = nn.Sequential(nn.Linear(2, 3))\nnet.append(nn.Softmax(1))\n", [4]),
    "add_module": ("net = nn.Sequential()\nnet.add_module('a', nn.Linear(2, 3))\nnet.add_module('b', nn.Softmax(1))\n", [5]),
    "edited": ("net = nn.Sequential(nn.Linear(2, 3), nn.Softmax(1))\nnet[1] = nn.Identity()\n", []),
    "copied, wrapped and moved": (
        "inner = nn.Sequential(nn.Linear(2, 3), nn.Softmax(1))\n"
        "net = nn.DataParallel(torch.compile(copy.deepcopy(inner))).to('cuda')\n",
        [3],
    ),
    "head of a published model": (
        "net = models.resnet18()\nnet.fc = nn.Sequential(nn.Linear(512, 3), nn.Softmax(1))\n",
        [4],
    ),
    "head of another published model": (
        "net = models.vgg16()\nnet.classifier[6] = nn.Sequential(nn.Linear(4096, 3), nn.Sigmoid())\n",
        [4],
    ),
    "right head of a published model": ("net = models.resnet18()\nnet.fc = nn.Linear(512, 3)\n", []),
    "subclass of sequential": (
        "class Net(nn.Sequential):\n    def __init__(self):\n        super().__init__(nn.Linear(2, 3), nn.Softmax(1))\nnet = Net()\n",
        [5],
    ),
    "lambda": ("net = lambda x: F.softmax(x, dim=1)\n", [3]),
}

CLASS = """\
class Net(nn.Module):
    def __init__(self{parameters}):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        {init}
    def forward(self, x):
        {forward}
def train(net, x, y):
    criterion = nn.CrossEntropyLoss()
    return criterion(net(x), y)
train(Net({arguments}), torch.rand(2, 2), torch.tensor([0, 1]))
"""
CLASSES = {
    "attribute": ("", "self.act = nn.Softmax(dim=1)", "return self.act(self.fc(x))", "", [5]),
    "registered": ("", "self.add_module('act', nn.Softmax(dim=1))", "return self.act(self.fc(x))", "", [5]),
    "functional": ("", "pass", "return F.softmax(self.fc(x), dim=1)", "", [7]),
    "renamed": ("", "self.softmax = nn.LogSoftmax(dim=1)", "return self.softmax(self.fc(x))", "", []),
    "shared": (
        "",
        "self.act = nn.Sigmoid()",
        "x = self.act(self.fc(x)); return self.act(self.fc(x))",
        "",
        [7],
    ),
    "attention inside": ("", "pass", "return self.fc(x * F.softmax(x, dim=1))", "", []),
    "given": (", act=None", "self.act = act", "return self.act(self.fc(x))", "nn.Softmax(1)", [11]),
    "given and right": (", act=None", "self.act = act", "return self.act(self.fc(x))", "nn.ReLU()", []),
    "only for inference": (
        "",
        "pass",
        "return self.fc(x) if self.training else self.fc(x).softmax(1)",
        "",
        [],
    ),
    "only when asked": (
        ", probabilities=False",
        "self.probabilities = probabilities",
        "return self.fc(x).softmax(1) if self.probabilities else self.fc(x)",
        "",
        [],
    ),
    "asked": (
        ", probabilities=False",
        "self.probabilities = probabilities",
        "return self.fc(x).softmax(1) if self.probabilities else self.fc(x)",
        "True",
        [7],
    ),
    "in a helper": ("", "self.act = nn.Softmax(1)", "return self.finish(x)\n    def finish(self, x):\n        return self.act(x)", "", [5]),
    "sequential attribute": (
        "",
        "self.body = nn.Sequential(nn.Linear(2, 3), nn.Softmax(1))",
        "return self.body(x).squeeze(1)",
        "",
        [5],
    ),
    "backbone with a new head": (
        "",
        "self.body = models.resnet18(); self.body.fc = nn.Sequential(nn.Linear(512, 3), nn.Softmax(1))",
        "return self.body(x)",
        "",
        [5],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    body, expected = FUNCTIONS[name]
    assert lines(body) == expected


@pytest.mark.parametrize("name", MODULES)
def test_modules_at_the_top_of_a_script(name: str) -> None:
    body, expected = MODULES[name]
    assert lines(MODULE + body + "train(net, torch.rand(2, 2), torch.tensor([0, 1]))\n") == expected


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name: str) -> None:
    parameters, init, forward, arguments, expected = CLASSES[name]
    text = CLASS.format(parameters=parameters, init=init, forward=forward, arguments=arguments)
    assert lines(text) == expected


@pytest.mark.parametrize(
    "setting, expected",
    [("pass", [5]), ("net.act = nn.Identity()", []), ("self.net.act = nn.Identity()", []), ("net.fc = nn.ReLU()", [5])],
)
def test_a_layer_replaced_from_outside(setting: str, expected: list[int]) -> None:
    text = CLASS.format(
        parameters="", init="self.act = nn.Softmax(1)", forward="return self.act(self.fc(x))", arguments=""
    )
    assert lines(text + f"def prepare(self, net):\n    {setting}\n") == expected


def test_a_flag_set_from_outside() -> None:
    text = CLASS.format(
        parameters="",
        init="self.flag = True",
        forward="return self.fc(x).softmax(1) if self.flag else self.fc(x)",
        arguments="",
    )
    assert lines(text) == [7]
    assert lines(text + "def prepare(net):\n    net.flag = False\n") == []


@pytest.mark.parametrize(
    "call, expected", [("net(x)", [7]), ("net(x, raw=True)", []), ("net(x, True)", []), ("net(x, **options)", [])]
)
@pytest.mark.parametrize("wrapper", ["{}", "nn.DataParallel({})", "nn.parallel.DistributedDataParallel(torch.compile({}))"])
def test_flags_reach_the_model_through_wrappers(call: str, expected: list[int], wrapper: str) -> None:
    text = CLASS.format(
        parameters="", init="pass", forward="return x if raw else self.fc(x).softmax(1)", arguments=""
    )
    text = text.replace("forward(self, x)", "forward(self, x, raw=False)").replace("net(x)", call)
    assert lines(text.replace("train(Net()", "train(" + wrapper.format("Net()"))) == expected


LIGHTNING = """\
import pytorch_lightning as pl
class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 3)])
        self.loss = nn.CrossEntropyLoss()
    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return F.softmax(x, dim=1)
    def training_step(self, batch, _):
        x, y = batch
        return {result}
"""


@pytest.mark.parametrize(
    "result, expected",
    [
        ("self.loss(self(x), y)", [10]),
        ("self.loss(self.forward(x), y)", [10]),
        ("F.nll_loss(torch.log(self(x)), y)", []),
        ("self.loss(self(x).log(), y)", []),
    ],
)
def test_lightning(result: str, expected: list[int]) -> None:
    assert lines(LIGHTNING.format(result=result)) == expected


TRAINER = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.softmax = nn.Softmax(dim=-1)
    def add_loss_op(self, loss):
        self.loss = loss
    def forward(self, x):
        return self.softmax(self.fc(x))
    def fit(self, batches):
        for x, y in batches:
            self.output = self(x)
            self.loss(self.output, y).backward()
net = Net()
net.add_loss_op({loss})
net.fit([])
"""


@pytest.mark.parametrize("loss, expected", [("nn.CrossEntropyLoss()", [5]), ("nn.MSELoss()", []), ("load()", [])])
def test_a_model_that_trains_itself(loss: str, expected: list[int]) -> None:
    assert lines(TRAINER.format(loss=loss)) == expected


WRAPPER = """\
class Loss({base}):
    def __init__(self):
        super().__init__()
        self.inner = nn.CrossEntropyLoss()
    {forward}
def step(x, y):
    criterion = Loss()
    return criterion(x.softmax(1), y)
"""


@pytest.mark.parametrize(
    "base, forward, expected",
    [
        ("nn.Module", "def forward(self, p, t): return self.inner(p, t)", [8]),
        ("nn.Module", "def forward(self, p, t): return self.inner(p.log(), t)", []),
        ("nn.Module", "def forward(self, p, t): return self.inner(t, p)", []),
        ("nn.CrossEntropyLoss", "reduction = 'sum'", [8]),
        ("nn.CrossEntropyLoss", "def forward(self, p, t): return super().forward(p.flatten(0, 1), t)", [8]),
        ("nn.CrossEntropyLoss", "def forward(self, p, t): return super().forward(p.log(), t)", []),
    ],
)
def test_a_loss_of_the_project(base: str, forward: str, expected: list[int]) -> None:
    assert lines(WRAPPER.format(base=base, forward=forward)) == expected


NETWORK = """\
from torch import nn
class Base(nn.Module):
    def forward(self, x):
        return self.finish(self.fc(x))
class Net(Base):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.act = nn.Softmax(dim=1)
    def finish(self, x):
        return self.act(x)
"""


def test_a_model_in_another_file_is_reported_at_the_loss() -> None:
    text = """\
    from torch import nn, optim
    from nets.model import Net
    net = Net()
    criterion = nn.CrossEntropyLoss()
    def train(batches):
        for x, y in batches:
            loss = criterion(net(x), y)
            loss.backward()
    """
    files = {"train.py": text, "nets/__init__.py": "", "nets/model.py": NETWORK}
    assert check({name: textwrap.dedent(body) for name, body in files.items()}, ["TP211"]) == [(7, 16, "TP211")]


def test_a_loss_in_another_file_is_reported_at_the_activation() -> None:
    engine = """\
    import torch.nn.functional as F
    def train_epoch(model, batches, optimizer):
        for x, y in batches:
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
    """
    text = """\
    import torch
    from torch import nn
    from engine import train_epoch
    net = nn.Sequential(nn.Linear(2, 3),
                        nn.Softmax(dim=1))
    train_epoch(net, [], torch.optim.SGD(net.parameters()))
    backward = True
    """
    assert lines({"main.py": text, "engine.py": engine}) == [5]


def test_model_and_loss_in_other_files_are_reported_at_the_call() -> None:
    engine = """\
    import torch.nn.functional as F
    def backward_pass(model, x, y):
        F.cross_entropy(model(x), y).backward()
    """
    text = """\
    import torch
    from engine import backward_pass
    from model import Net
    cross_entropy = 0
    backward_pass(Net(), torch.rand(2, 2), torch.tensor([0, 1]))
    """
    assert lines({"main.py": text, "engine.py": engine, "model.py": NETWORK}) == [5]


def test_the_model_alone_is_no_fault() -> None:
    assert lines({"model.py": NETWORK + "    cross_entropy = None\n"}) == []


def test_long_programs_end() -> None:
    steps = "".join(f"    x = x.view({number}, -1)\n" for number in range(1, 2_000))
    layers = ", ".join(["nn.Identity()"] * 2_000)
    calls = "".join(f"def f{n}(x, y):\n    return f{n + 1}(x, y)\n" for n in range(1_500))
    last = "def f1500(x, y):\n    return F.cross_entropy(x.softmax(1), y)\n"
    assert lines(f"def step(x, y):\n    x = x.softmax(1)\n{steps}    return F.cross_entropy(x, y)\n") == []
    assert lines(f"net = nn.Sequential(nn.Softmax(1), {layers})\nF.cross_entropy(net(1), 2)\n") == []
    assert lines(calls + last) == [3_002]


def test_calls_that_run_in_circles_end() -> None:
    text = """\
    def ping(x, y, n):
        F.cross_entropy(x, y)
        return pong(x, y, n)
    def pong(x, y, n):
        return ping(ping(x, y, n), y, n - 1)
    class Net(nn.Module):
        def forward(self, x):
            return self.forward(self(x))
    def step(x, y):
        return F.cross_entropy(Net()(x), y), ping(x, y, 3)
    """
    assert lines(textwrap.dedent(text)) == []
