"""TP001 beyond its examples."""
from __future__ import annotations

import pytest
from support import check, codes

HEAD = """\
import io, copy
import torch
from torch import nn
net = nn.Linear(2, 2)
"""
HELPERS = """\
import torch
class Saver:
    def __init__(self, folder):
        self.folder = folder
    def save(self, name, state):
        self._write(state, name)
    def _write(self, state, name):
        write_checkpoint(state, self.folder + name)
def write_checkpoint(content, path):
    torch.save(content, path)
"""


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(HEAD + text, select=["TP001"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("torch.save(net, 'a')", 12),
        ("torch.save(obj=net, f='a')", 16),
        ("torch.save([net], 'a')", 13),
        ("torch.save({'a': {'b': net}}, 'a')", 24),
        ("torch.save(dict(net=net), 'a')", 21),
        ("torch.save({k: net for k in 'ab'}, 'a')", 16),
        ("torch.save(copy.deepcopy(net).cpu(), 'a')", 12),
        ("torch.save(nn.DataParallel(net), 'a')", 12),
        ("torch.save(nn.DataParallel(net).module, 'a')", 12),
        ("torch.save(nn.CrossEntropyLoss(), 'a')", 12),
        ("torch.serialization.save(net, 'a')", 26),
    ],
)
def test_modules(text: str, column: int) -> None:
    assert found(text) == [(1, column)]


@pytest.mark.parametrize(
    "text",
    [
        "torch.save(net.state_dict(), 'a')",
        "torch.save(net.state_dict, 'a')",
        "torch.save(net.weight, 'a')",
        "torch.save(net(torch.ones(2)), 'a')",
        "torch.save({'names': list(net.children)}, 'a')",
        "torch.save(unknown, 'a')",
        "torch.save(type(net), 'a')",
        "torch.save(net, io.BytesIO())",
        "buffer = io.BytesIO()\ntorch.save(net, buffer)",
        "with io.BytesIO() as buffer:\n    torch.save(net, buffer)",
        "torch.jit.save(torch.jit.script(net), 'a')",
        "torch.save(*net)",
        "save(net, 'a')",
    ],
)
def test_others(text: str) -> None:
    assert found(text) == []


def test_a_dictionary_filled_step_by_step_is_reported_where_it_is_saved() -> None:
    assert found("state = {}\nstate['net'] = net\nstate['epoch'] = 1\ntorch.save(state, 'a')") == [(4, 12)]


def test_a_dictionary_on_self() -> None:
    text = """\
    import torch
    from torch import nn
    class Keeper:
        def __init__(self, net: nn.Module):
            self.state = {"net": net}
        def keep(self):
            torch.save(self.state, "a")
    """
    assert check(text) == [(7, 20, "TP001")]


def test_a_module_known_by_its_use() -> None:
    text = """\
    import torch
    def fit(model, batch):
        model.train()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        torch.save(model, "a")
    """
    assert check(text, select=["TP001"]) == [(5, 16, "TP001")]


def test_a_helper_in_the_same_file_is_reported_where_the_module_enters() -> None:
    text = "def put(what, path):\n    torch.save(what, path)\nput({'net': net}, 'a')\nput(net.state_dict(), 'b')"
    assert found(text) == [(3, 13)]


def test_a_helper_that_only_ever_saves_modules_is_reported_itself() -> None:
    assert found("def put(what, path):\n    torch.save(what, path)\nput(net, 'a')") == [(2, 16)]


def test_helpers_of_helpers_in_another_file() -> None:
    text = """\
    from torch import nn
    from helpers import Saver
    net = nn.Linear(2, 2)
    saver = Saver("out")
    saver.save("a", {"net": net})
    saver.save("b", {"net": net.state_dict()})
    """
    assert check({"a.py": text, "helpers.py": HELPERS}) == [(5, 25, "TP001")]
    assert codes({"helpers.py": HELPERS, "a.py": text}) == []


def test_a_base_class_in_another_file() -> None:
    base = "from torch import nn\nclass Base(nn.Module):\n    pass\n"
    text = """\
    import torch
    from base import Base
    class Net(Base):
        def keep(self):
            torch.save(self, "a")
    """
    assert check({"a.py": text, "base.py": base}) == [(5, 20, "TP001")]


def test_an_object_that_is_called_hands_the_module_on() -> None:
    text = """\
    import torch
    class Stopping:
        def __call__(self, loss, model):
            if loss < 1:
                self.keep(model)
        def keep(self, model):
            torch.save(model, "best.pt")
    class States:
        def __call__(self, state):
            torch.save(state, "state.pt")
    net = torch.nn.Linear(1, 1)
    stop, keep = Stopping(), States()
    early = Stopping()
    early(0.5, net)
    keep(net.state_dict())
    """
    assert check(text, ["TP001"]) == [(7, 20, "TP001")]
