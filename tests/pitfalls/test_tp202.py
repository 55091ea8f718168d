"""TP202 eval-without-no-grad: cases beyond the examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nimport torch.nn.functional as F\n"


@pytest.mark.parametrize(
    "body",
    [
        "out = net(x)\n        print(out.argmax(1))",
        "out = net(x)\n        hits += (out.max(1)[1] == y).sum().item()",
        "out = net(x)\n        total += F.mse_loss(out, y).item()",
        "out = net(x)\n        _, best = torch.max(out, 1)\n        kept.append(best.cpu().numpy())",
        "out = net(x)\n        kept.append(out.detach())",
        "out = net(x)\n        metric.update(out.softmax(1).tolist(), y)",
    ],
)
def test_only_data_comes_of_it(body: str) -> None:
    source = f"{HEAD}def score(net, loader, metric, kept, hits, total):\n    net.eval()\n    for x, y in loader:\n        {body}\n"
    assert check(source, select=["TP202"]) == [(6, 15, "TP202")]


@pytest.mark.parametrize(
    "body",
    [
        "loss = F.mse_loss(net(x), y)\n        loss.backward()\n        print(loss.item())",
        "self.last = net(x)\n        print(self.last.argmax())",
        "x.requires_grad_()\n        print(net(x).argmax(1))",
        "out = net(x)\n        print(torch.autograd.grad(out.sum(), y)[0].item(), out.argmax())",
        "with torch.no_grad():\n            print(net(x).argmax(1))",
        "with torch.set_grad_enabled(self.recording):\n            print(net(x).argmax(1))",
        "yield net(x)",
        "print(net(x).shape)",
        "learner.adapt(net(x))",
    ],
)
def test_more_than_data_comes_of_it(body: str) -> None:
    source = f"{HEAD}def score(self, net, loader, learner):\n    net.eval()\n    for x, y in loader:\n        {body}\n"
    assert check(source, select=["TP202"]) == []


@pytest.mark.parametrize("freeze", ["net.requires_grad_(False)", "for p in net.parameters():\n    p.requires_grad = False"])
def test_frozen_modules_record_nothing(freeze: str) -> None:
    source = f"import torch\nnet = torch.nn.Linear(2, 2)\n{freeze}\nnet.eval()\nprint(net(torch.ones(1, 2)).argmax().item())\n"
    assert check(source, select=["TP202"]) == []
    assert len(check(source.replace(freeze, "pass"), select=["TP202"])) == 1


def test_a_module_without_parameters_records_nothing() -> None:
    source = "import torch\nnet = torch.nn.ReLU()\nnet.eval()\nprint(net(torch.ones(1, 2)).argmax().item())\n"
    assert check(source, select=["TP202"]) == []


def test_a_function_handed_over_may_be_called_with_recording_off() -> None:
    source = "import torch\nfrom engine import run\ndef step(net, x):\n    net.eval()\n    return net(x).argmax(1)\n"
    assert check(source, select=["TP202"]) == [(5, 12, "TP202")]
    assert check(source + "run(step)\n", select=["TP202"]) == []


def test_the_caller_in_another_function_switches_off() -> None:
    source = """\
        import torch
        def score(net, x):
            net.eval()
            return net(x).argmax(1)
        @torch.inference_mode()
        def main(net, loader):
            for x in loader:
                print(score(net, x))
        """
    assert check(source, select=["TP202"]) == []


def test_what_a_module_returns_may_be_trained() -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.body = torch.nn.Linear(2, 2)\n        self.eval()\n"
        "    def forward(self, x):\n        out = self.body(x)\n        print(out.argmax().item())\n        return {}\n"
    )
    assert check(source.format("out"), select=["TP202"]) == []
    assert check(source.format("x"), select=["TP202"]) == []
    predict = source.format("x").replace("forward", "predict")
    assert check(predict, select=["TP202"]) == [(8, 15, "TP202")]
