"""TP103 beyond its examples: containers, ways of going backward, and what ends an iteration."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""
LINE = HEAD.count("\n")


def lines(body: str) -> list[int]:
    """Return the lines of *body*, after the head, that TP103 reports."""
    return [line - LINE for line, _, _ in check(HEAD + textwrap.dedent(body), select=["TP103"])]


@pytest.mark.parametrize(
    "start, store",
    [
        ("total = 0", "total += loss"),
        ("total = 0", "total = total + loss"),
        ("total = 0", "total = loss + total"),
        ("total = 0", "total += loss * len(x)"),
        ("total = 0", "total += loss / 8"),
        ("total = 0", "total = 0.9 * total + 0.1 * loss"),
        ("total = 0", "total = (total * i + loss) / (i + 1)"),
        ("total = []", "total.append(loss)"),
        ("total = []", "total.append({'loss': loss, 'step': i})"),
        ("total = []", "total.append((i, loss))"),
        ("total = []", "total.append(loss.mean())"),
        ("total = []", "total.extend([loss])"),
        ("total = []", "total.insert(0, loss)"),
        ("total = []", "total += [loss]"),
        ("total = []", "total = total + [loss]"),
        ("total = {'loss': []}", "total['loss'].append(loss)"),
        ("total = {}", "total.setdefault('loss', []).append(loss)"),
        ("total = {}", "total[i] = loss"),
        ("total = {'loss': 0}", "total['loss'] += loss"),
        ("total = torch.zeros(9)", "total[i] = loss"),
        ("total = torch.zeros(())", "total = torch.cat([total, loss])"),
    ],
)
def test_containers(start: str, store: str) -> None:
    assert lines(
        f"""\
        {start}
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            {store}
        """
    ) == [7]


@pytest.mark.parametrize(
    "store",
    [
        "total += loss.item()",
        "total += loss.detach()",
        "total += loss.data",
        "total += float(loss)",
        "total += loss.detach().mean() * 2",
        "total += loss.cpu().detach().numpy()",
        "last['loss'] = loss",
        "total += loss.item() * len(x)",
        "total += len(x)",
        "total += (net(x).argmax(1) == y).sum()",
        "names.append('loss')",
        "print(loss)",
    ],
)
def test_numbers(store: str) -> None:
    assert lines(
        f"""\
        total, last, names = 0, {{}}, []
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            {store}
        """
    ) == []


@pytest.mark.parametrize(
    "backward",
    [
        "loss.backward()",
        "(loss / 4).backward()",
        "scaler.scale(loss).backward()",
        "accelerator.backward(loss)",
        "torch.autograd.backward(loss)",
        "engine.backward(loss)",
        "go_back(loss)",
    ],
)
def test_ways_of_going_backward_show_that_an_unknown_value_carries_a_graph(backward: str) -> None:
    assert lines(
        f"""\
        def go_back(value):
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
        total = 0
        for x, y in loader:
            loss = compute(x, y)
            total += loss
            {backward}
        """
    ) == [8]


def test_a_loss_that_is_a_number_by_then() -> None:
    assert lines(
        """\
        total = 0
        for x, y in loader:
            loss = compute(x, y)
            loss.backward()
            loss = loss.item()
            total += loss
        """
    ) == []


def test_an_unknown_value_that_nobody_back_propagates() -> None:
    assert lines(
        """\
        total = 0
        for x, y in loader:
            total += compute(x, y)
        """
    ) == []


def test_summands_of_the_loss() -> None:
    assert lines(
        """\
        kl_sum = 0
        for x in loader:
            rec, kl = compute(x)
            loss = rec + 0.1 * kl
            loss.backward()
            kl_sum += kl
        """
    ) == [6]


def test_items_of_a_dictionary_whose_sum_is_the_loss() -> None:
    assert lines(
        """\
        sums = {}
        for images, targets in loader:
            parts = detector(images, targets)
            loss = sum(part for part in parts.values())
            loss.backward()
            for name, value in parts.items():
                sums[name] += value
        """
    ) == [7]


def test_a_record_that_holds_the_loss() -> None:
    assert lines(
        """\
        records = []
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            record = {"loss": loss, "size": len(x)}
            records.append(record)
        """
    ) == [6]


def test_what_a_helper_returns() -> None:
    assert lines(
        """\
        def step(x, y):
            loss = compute(x, y)
            loss.backward()
            return loss
        def safe(x, y):
            loss = compute(x, y)
            loss.backward()
            return loss.item()
        losses, numbers = [], []
        for x, y in loader:
            losses.append(step(x, y))
            numbers.append(safe(x, y))
        """
    ) == [11]


def test_a_global_sum() -> None:
    assert lines(
        """\
        total = 0
        def step(x, y):
            global total
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            total += loss
        """
    ) == [6]


def test_a_reset_under_a_condition_keeps_a_window_of_graphs() -> None:
    assert lines(
        """\
        running = 0
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            running += loss
            if i % 100 == 0:
                print(running / 100)
                running = 0
        """
    ) == [5]


@pytest.mark.parametrize("reset", ["losses = []", "losses.clear()", "del losses[:]", "losses[:] = []"])
def test_a_reset_in_each_iteration(reset: str) -> None:
    assert lines(
        f"""\
        losses = []
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            losses.append(loss)
            print(sum(losses))
            {reset}
        """
    ) == []


def test_inner_sums_that_are_the_loss() -> None:
    assert lines(
        """\
        for x, y in loader:
            loss = 0
            for part in net(x):
                loss += F.mse_loss(part, y)
            loss.backward()
        """
    ) == []


def test_a_sum_that_one_backward_consumes_after_the_loop() -> None:
    assert lines(
        """\
        total = 0
        for x, y in loader:
            total += F.cross_entropy(net(x), y)
        total.backward()
        """
    ) == []


def test_a_returned_sum_may_be_the_loss() -> None:
    assert lines(
        """\
        def loss_of(parts):
            total = 0
            for x, y in parts:
                total += F.cross_entropy(net(x), y)
            return total
        """
    ) == []


def test_retained_graphs_may_be_needed() -> None:
    assert lines(
        """\
        def run(self):
            self.total = 0
            for x, y in loader:
                loss = F.cross_entropy(net(x), y)
                loss.backward(retain_graph=True)
                self.total += loss
            return self.total
        """
    ) == []


def test_an_evaluation_that_only_prints() -> None:
    assert lines(
        """\
        total, outputs = 0, []
        for x, y in loader:
            total += F.cross_entropy(net(x), y)
            outputs.append(net(x))
        print(f"{total / len(loader):.3f}")
        """
    ) == [3]


def test_an_evaluation_that_returns() -> None:
    assert lines(
        """\
        def evaluate(model: nn.Module):
            model.eval()
            total = 0
            for x, y in loader:
                total += F.cross_entropy(model(x), y)
            return total / len(loader)
        """
    ) == [5]


@pytest.mark.parametrize("mode", ["torch.no_grad()", "torch.inference_mode()", "torch.set_grad_enabled(False)"])
def test_an_evaluation_without_grad(mode: str) -> None:
    assert lines(
        f"""\
        def evaluate(model: nn.Module):
            model.eval()
            total = 0
            with {mode}:
                for x, y in loader:
                    total += F.cross_entropy(model(x), y)
            return total / len(loader)
        """
    ) == []


def test_an_evaluation_whose_caller_switches_recording_off() -> None:
    assert lines(
        """\
        def evaluate(model: nn.Module):
            model.eval()
            total = 0
            for x, y in loader:
                total += F.cross_entropy(model(x), y)
            return total / len(loader)
        def main():
            with torch.no_grad():
                print(evaluate(net))
        """
    ) == []


def test_an_attack_differentiates() -> None:
    assert lines(
        """\
        def attack(model: nn.Module, x, y):
            model.eval()
            x.requires_grad_()
            total = 0
            for _ in range(3):
                total += F.cross_entropy(model(x), y)
            return torch.autograd.grad(total, x)
        """
    ) == []


def test_a_closure_stores_into_what_is_outside() -> None:
    assert lines(
        """\
        losses = []
        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            losses.append(loss)
            return loss
        for _ in range(9):
            optimizer.step(closure)
        """
    ) == [6]


def test_lightning_goes_backward_from_what_training_step_returns() -> None:
    assert check(
        """\
        import lightning as L
        import torch.nn.functional as F
        from torch import nn
        class Lit(L.LightningModule):
            def __init__(self):
                super().__init__()
                self.net = nn.Linear(2, 2)
                self.outputs, self.numbers = [], []
            def training_step(self, batch, number):
                x, y = batch
                loss = F.cross_entropy(self.net(x), y)
                self.outputs.append(loss)
                self.numbers.append(loss.detach())
                return loss
            def validation_step(self, batch, number):
                x, y = batch
                self.outputs.append(F.cross_entropy(self.net(x), y))
        """,
        select=["TP103"],
    ) == [(12, 9, "TP103")]


def test_meters_and_helpers_of_other_files() -> None:
    assert check(
        {
            "train.py": """\
                import torch.nn.functional as F
                from meters import Meter, Safe, Last, step
                def train(net, loader, optimizer):
                    kept, safe, last, total = Meter(), Safe(), Last(), 0
                    for x, y in loader:
                        loss = F.cross_entropy(net(x), y)
                        loss.backward()
                        kept.update(loss)
                        safe.update(loss)
                        last.update(loss)
                        kept.update(loss.item())
                    for x, y in loader:
                        total += step(net, x, y, optimizer)
            """,
            "meters.py": """\
                import torch
                import torch.nn.functional as F
                class Meter:
                    def update(self, value, n=1):
                        self.sum += value * n
                class Safe:
                    def update(self, value):
                        if torch.is_tensor(value):
                            value = value.item()
                        self.values.append(value)
                class Last:
                    def update(self, value):
                        self.value = value
                def step(net, x, y, optimizer):
                    loss = F.cross_entropy(net(x), y)
                    loss.backward()
                    optimizer.step()
                    return loss
            """,
        },
        select=["TP103"],
    ) == [(8, 9, "TP103"), (13, 9, "TP103")]


def test_arrays_of_numpy_hold_no_tensor() -> None:
    assert lines(
        """\
        import numpy as np
        curve = np.zeros(10)
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            curve[i] = loss
        """
    ) == []


@pytest.mark.parametrize("name, found", [("forward", []), ("measure", [9])])
def test_the_loops_of_a_forward_are_one_pass(name: str, found: list[int]) -> None:
    body = """\
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc, self.gate = nn.Linear(4, 4), nn.Linear(4, 1)
            def {}(self, x):
                halted = 0.
                for _ in range(9):
                    x = self.fc(x)
                    halted += self.gate(x).sigmoid().mean()
                    if halted > 0.9:
                        break
                return x
        """
    assert lines(body.format(name)) == found
